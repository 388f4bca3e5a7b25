"""Operations on rows never seen, and records that are no event: traps 29 to 40."""

from __future__ import annotations

from dataclasses import replace

from tests.cases.log import Log, late
from tests.cases.tables import PG, PG_PAIRS, SQLSERVER, customer, john, pg_log
from tests.support.examples import compact, example

# 29

UPDATED_FIRST = PG.story("updated_first", example("postgres_2.1.4_update_before_null"))
SS_UPDATED_FIRST = SQLSERVER.story("updated_first", example("sqlserver_2.1.4_update_payload_only"))
DELETED_FIRST = SQLSERVER.story("deleted_first", example("sqlserver_2.1.4_delete_payload_only"))


def test_29_an_update_of_a_row_never_seen_is_the_row(built):
    assert built.current(UPDATED_FIRST) == [customer(1, first_name="Anne Marie")]
    assert built.current(SS_UPDATED_FIRST) == [john(1005, "noreply@example.org")]


def test_29_a_delete_of_a_row_never_seen_is_no_error(built):
    assert built.current(DELETED_FIRST) == []
    assert [state["_cdc_op"] for state in built.state(DELETED_FIRST)] == ["d"]


# 33

DELETED = PG.story(
    "partial_before",
    pg_log().say("c", 1, 10, "a").records,
    late(example("postgres_2.1.4_delete_partial_before"), 1),
)
FULL_IMAGE = PG.story("full_before", example("postgres_2.1.4_update_replica_identity_full"))


def test_33_of_a_partial_before_only_the_key_is_shown(built):
    deleted = built.staged(DELETED)[1]
    shown = {name: deleted[name] for name in customer(1)}
    assert shown == dict.fromkeys(customer(1)) | {"id": 1}
    assert built.current(DELETED) == []


def test_33_a_complete_before_that_nobody_declared_changes_nothing(built):
    assert built.current(FULL_IMAGE) == [customer(1, first_name="Anne Marie")]


# 38, 39

NO_EVENT = "record: not a Debezium change event"
strangers = [
    *example("common_heartbeat_with_schema"),
    *example("seq_postgres_2.1.4_transaction", topic="PostgreSQL_server.transaction"),
    *example("seq_signal_kafka_messages"),
    *example("sqlserver_2.1.4_schema_change_alter_with_schema"),
    *example("sqlserver_2.1.4_schema_change_create_from_seed"),
    *Log("postgresql").raw('{"id":1}', "no JSON").records,
    *Log("postgresql").raw('{"id":1}', "[1]").raw('{"id":1}', "7").records,
    *Log("postgresql").raw('{"id":1}', '{"kind":"m"}').records,
]
alive = pg_log().say("c", 1, 10, "a").records
STRANGERS = PG.story("strangers", alive, late(strangers, 1))
broken = pg_log().say("c", 1, 10, "a").say("x", 1, 20, "b")
broken.add("u", {"id": 1}, 30, None).add("r", {"id": 1}, 40, None, snapshot="true")
BROKEN = PG.story("broken", broken.records)
whole = pg_log().say("c", 1, 10, "a").say("u", 1, 20, "b").say("u", 1, 30, "c").records
CUT = PG.story(
    "cut_values",
    [
        whole[0],
        replace(whole[1], value=(whole[1].value or "")[:40]),
        replace(whole[2], value=(whole[2].value or "")[:-3]),
    ],
)
SIGNALS = PG.story("signals", late(alive, 9) + example("seq_signal_table_events"))
messages = example("postgres_2.1.4_logical_message")
MESSAGES = PG.story(
    "messages", alive + late(messages, 1) + late([replace(messages[0], key='{"id":1}')], 2)
)


def test_38_records_of_other_kinds_are_quarantined_and_no_rows(built):
    found = [event for event in built.staged(STRANGERS) if event["_cdc_offset"] > 0]
    assert len(found) == len(strangers)
    assert {tuple(event["_cdc_errors"]) for event in found} == {(NO_EVENT,)}
    assert {event["_cdc_op"] for event in found} == {None}
    assert built.values(STRANGERS, "email") == {1: "a"}
    assert len(built.state(STRANGERS)) == 1


def test_38_events_that_say_nothing_about_a_row_are_quarantined(built):
    errors = [event["_cdc_errors"] for event in built.staged(BROKEN)[1:]]
    assert errors == [
        ["record: unknown op x"],
        ["record: op u without a row image"],
        ["record: op r without a row image"],
    ]
    assert built.values(BROKEN, "email") == {1: "a"}


def test_38_a_value_that_ends_half_way_is_quarantined(built):
    assert [event["_cdc_op"] for event in built.staged(CUT)] == ["c", None, None]
    assert all(event["_cdc_errors"] for event in built.staged(CUT)[1:])
    assert built.values(CUT, "email") == {1: "a"}


def test_38_rows_of_the_signal_table_are_no_rows_of_another_table(built):
    assert built.values(SIGNALS, "email") == {1: "a"}
    assert [state["_cdc_op"] for state in built.state(SIGNALS)] == ["c"]


def test_39_logical_messages_are_ignored(built):
    assert [event["_cdc_op"] for event in built.staged(MESSAGES)] == ["c"]
    assert built.values(MESSAGES, "email") == {1: "a"}


# 40

transaction = Log("postgresql")
for number, lsn in enumerate((53195830, 53195832), 1):
    after = {"pk": str(number), "aa": "1"}
    transaction.add("c", {"pk": str(number)}, lsn, after)
    value = transaction.records[-1].value or ""
    block = {"id": f"571:{lsn}", "total_order": number, "data_collection_order": number}
    transaction.records[-1] = replace(
        transaction.records[-1],
        value=value.replace('"transaction":null', f'"transaction":{compact(block)}'),
    )
TRANSACTION = PG_PAIRS.story("transaction_id", transaction.records)


def test_40_the_transaction_is_the_part_of_its_id_before_the_colon(built):
    ids = [event["_cdc_tx_id"] for event in built.staged(TRANSACTION)]
    assert ids == ["571:53195830", "571:53195832"]
    assert {text.split(":")[0] for text in ids} == {"571"}
    assert [event["_cdc_tx_total_order"] for event in built.staged(TRANSACTION)] == [1, 2]
