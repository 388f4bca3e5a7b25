"""Records that a sink wrote without their keys: rows are told by the images of the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference import KafkaRecord
from tests.support.embedded_records import field, table_record
from tests.support.lab_source import LabSource

FIELDS = [field("id", optional=False), field("name", "string"), field("code", optional=False)]
TABLE = "public.t"
TOPIC = "PostgreSQL_server.public.t"


def change(offset: int, op: str, **images: Any) -> KafkaRecord:
    """Return an event without a key."""
    made = table_record(FIELDS, offset=offset, after={"id": 1}, key=("id",))
    value = json.loads(made["value"])
    payload = value["payload"] | {"before": None, "after": None, **images, "op": op}
    payload["source"] |= {"lsn": 100 + offset, "sequence": f'["{99 + offset}","{100 + offset}"]'}
    value["payload"] = payload
    return KafkaRecord(
        topic=TOPIC,
        partition=0,
        offset=offset,
        timestamp_ms=made["timestamp"],
        key=None,
        value=json.dumps(value, separators=(",", ":")),
    )


def row(number: int, name: str | None = "a", code: int = 5) -> dict[str, Any]:
    return {"id": number, "name": name, "code": code}


def source(spark: Any, layout: str = "connect", **table: Any) -> LabSource:
    return LabSource(
        spark,
        "pg",
        {
            "connector": "postgresql",
            "topic_prefix": "PostgreSQL_server",
            "input": {"type": "files", "path": "records", "layout": layout},
            "tables": {TABLE: table} if table else {},
        },
    )


def test_rows_are_told_by_after_and_deleted_rows_by_before(spark):
    made = source(spark, key=["id"])
    made.land(
        [
            change(0, "c", after=row(1)),
            change(1, "c", after=row(2)),
            change(2, "u", after=row(2, "b")),
            change(3, "d", before=row(1, None, 0)),
            change(4, "c", after=row(0)),
            change(5, "d", before=row(0, None, 0)),
        ]
    )
    made.build()

    assert made.current() == {TABLE: [(2, "b", 5)]}
    assert [one for one in made.staged(TABLE) if one._cdc_errors] == []


@pytest.mark.parametrize(
    ("layout", "switch"),
    [
        ("connect", "store.kafka.keys=true"),
        ("aiven", "`key` among format.output.fields"),
        ("lenses", "'store.envelope.key'=true"),
    ],
)
def test_a_delete_without_the_key_in_its_images_says_what_the_sink_must_write(
    spark, layout, switch
):
    made = source(spark, layout, key=["id"])
    made.land([change(0, "c", after=row(1)), change(1, "d")])
    made.build()

    assert made.current() == {TABLE: [(1, "a", 5)]}
    assert made.staged(TABLE)[1]._cdc_errors == [
        "record: no key: it has none, and its images do not have (id). Let the sink write keys: "
        + switch
    ]


def test_a_key_that_the_connector_made_up_deletes_no_row(spark):
    """The replica identity lacks `code`, so its 0 in `before` is made up: see `invented_key`."""
    made = source(spark, key=["code"])
    made.land([change(0, "c", after=row(1, code=0)), change(1, "d", before=row(7, "x", 0))])
    made.build()

    assert made.current() == {TABLE: [(1, "a", 0)]}
    (reason,) = made.staged(TABLE)[1]._cdc_errors
    assert reason.startswith("record: the replica identity may lack the key")


def test_generate_warns_of_a_table_whose_keys_the_sink_did_not_write(spark):
    made = source(spark)
    made.land([change(0, "c", after=row(1))])
    made.generate()

    (told,) = [one for one in made.messages if "no keys" in one]
    assert told == (
        "the records of table 'public.t' have no keys, because the sink wrote none. It is"
        " append-only: updates and deletes remove no row. Let the sink write them"
        " (store.kafka.keys=true), or name its key columns:"
        " debezium_sources.pg.tables.public.t.key: [<column>]."
    )
