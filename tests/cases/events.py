"""Which records are events, and what each says. docs/semantics.md#words."""

from __future__ import annotations

import json
from dataclasses import replace

from reference import KafkaRecord
from tests.cases.case import Case
from tests.cases.log import Log, late
from tests.cases.tables import PG, SQLSERVER, customer, john, plain_table
from tests.support.examples import compact, example

PLAIN = plain_table("postgresql")
NO_EVENT = "record: not a Debezium change event"


def with_schemas(record: KafkaRecord) -> KafkaRecord:
    """Return a record as a converter writes it that embeds schemas."""
    schema = {"type": "struct", "fields": []}
    key, value = (
        compact({"schema": schema, "payload": json.loads(text or "")})
        for text in (record.key, record.value)
    )
    return replace(record, key=key, value=value)


bare = Log().c(1, 10, "a").u(1, 20, "b").records
Case(
    "key and value may carry their schemas",
    [bare[0], with_schemas(bare[1])],
    {1: "b"},
    table=PLAIN,
)
Case(
    "an update of a row never seen is the row",
    example("postgres_2.1.4_update_before_null"),
    {1: customer(1, first_name="Anne Marie")},
    ("trap 29",),
    table=PG,
)
Case(
    "an update of a row never seen is the row: SQL Server",
    example("sqlserver_2.1.4_update_payload_only"),
    {1005: john(1005, "noreply@example.org")},
    ("trap 29",),
    table=SQLSERVER,
)
Case(
    "a delete of a row never seen is no error",
    example("sqlserver_2.1.4_delete_payload_only"),
    {},
    ("trap 29",),
    table=SQLSERVER,
    staged={0: {"_cdc_op": "d", "_cdc_errors": None}},
)
Case(
    "of a partial `before` only the key is shown",
    [
        *Log().c(1, 10, {"id": 1, "email": "a"}).records,
        *late(example("postgres_2.1.4_delete_partial_before"), 1),
    ],
    {},
    ("trap 33",),
    table=PG,
    column="email",
    after={1: {1: "a"}},
    staged={1: dict.fromkeys(customer(1)) | {"id": 1}},
)
Case(
    "a complete `before` that nobody declared changes nothing",
    example("postgres_2.1.4_update_replica_identity_full"),
    {1: customer(1, first_name="Anne Marie")},
    ("trap 33",),
    table=PG,
)

# Records that are none: they are quarantined, and change no row.

strangers = [
    *example("common_heartbeat_with_schema"),
    *example("seq_postgres_2.1.4_transaction", topic="PostgreSQL_server.transaction"),
    *example("seq_signal_kafka_messages"),
    *example("sqlserver_2.1.4_schema_change_alter_with_schema"),
    *example("sqlserver_2.1.4_schema_change_create_from_seed"),
    *Log().raw('{"id":1}', "no JSON").raw('{"id":1}', "[1]").raw('{"id":1}', "7").records,
    *Log().raw('{"id":1}', '{"kind":"m"}').records,
]
Case(
    "records of other kinds are quarantined and no rows",
    [*Log().c(1, 10, "a").records, *late(strangers, 1)],
    {1: "a"},
    ("trap 38",),
    table=PLAIN,
    staged={
        place: {"_cdc_op": None, "_cdc_errors": [NO_EVENT]}
        for place in range(1, len(strangers) + 1)
    },
)
Case(
    "events that say nothing about a row are quarantined",
    Log()
    .c(1, 10, "a")
    .add("x", {"id": 1}, 20, {"id": 1, "v": "b"})
    .add("u", {"id": 1}, 30, None)
    .add("r", {"id": 1}, 40, None, snapshot="true")
    .c(None, 50, "of no row"),
    {1: "a"},
    ("trap 38",),
    staged={
        1: {"_cdc_op": None, "_cdc_errors": ["record: unknown op x"]},
        2: {"_cdc_op": None, "_cdc_errors": ["record: op u without a row image"]},
        3: {"_cdc_op": None, "_cdc_errors": ["record: op r without a row image"]},
    },
)
whole = Log().c(1, 10, "a").u(1, 20, "b").u(1, 30, "c").records
Case(
    "a value that ends half way is quarantined",
    [
        whole[0],
        replace(whole[1], value=(whole[1].value or "")[:40]),
        replace(whole[2], value=(whole[2].value or "")[:-3]),
    ],
    {1: "a"},
    ("trap 38",),
    table=PLAIN,
    staged={
        1: {"_cdc_op": None, "_cdc_errors": [NO_EVENT]},
        2: {"_cdc_op": None, "_cdc_errors": [NO_EVENT]},
    },
)
(message,) = example("postgres_2.1.4_logical_message")
Case(
    "logical messages are ignored",
    [
        *Log().c(1, 10, "a").records,
        *late([message, replace(message, key='{"id":1}')], 1),
        *late(Log().add("m", {"id": 1}, 20, {"id": 1, "v": "b"}).records, 3),
    ],
    {1: "a"},
    ("trap 39",),
    table=PLAIN,
    staged={1: None, 2: None, 3: None},
)
transaction = Log()
for number, lsn in enumerate((53195830, 53195832), 1):
    block = {"id": f"571:{lsn}", "total_order": number, "data_collection_order": number}
    transaction.c(number, lsn, "a", transaction=block)
Case(
    "the transaction is the part of its id before the colon",
    transaction,
    {1: "a", 2: "a"},
    ("trap 40",),
    staged={
        0: {"_cdc_tx_id": "571:53195830", "_cdc_tx_total_order": 1},
        1: {"_cdc_tx_id": "571:53195832", "_cdc_tx_total_order": 2},
    },
)
