"""Members of the record key that rows lack, because the source leaves their columns out.

`column.exclude.list` takes a column out of `before` and `after`, and not out of the key.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.support.embedded_records import field
from tests.support.lab_source import LabSource

ID, SITE = field("id", optional=False), field("site", "string")
V = field("v", "string")
Fields = tuple[dict[str, Any], ...]


def event(
    offset: int,
    op: str,
    key: dict[str, Any],
    row: dict[str, Any] | None,
    fields: tuple[Fields, Fields] | None = ((ID,), (V,)),
) -> KafkaRecord:
    """Return an event of PostgreSQL; `fields` are the schemas of key and row, if it has any."""
    place = {"lsn": 100 + offset, "sequence": f'["{90 + offset}","{100 + offset}"]'}
    source = {"name": "pg", "db": "shop", "schema": "public", "table": "t", "ts_ms": 1} | place
    source["connector"] = "postgresql"
    value = {"before": None, "after": row, "source": source, "op": op, "ts_ms": 1}
    if op == "d":
        value |= {"before": row, "after": None}
    texts: list[Any] = [key, value]
    if fields is not None:
        of_key, of_row = ({"type": "struct", "fields": list(one)} for one in fields)
        images = [{**of_row, "field": image} for image in ("before", "after")]
        schemas = [of_key, {"type": "struct", "fields": images}]
        texts = [
            {"schema": schema, "payload": one} for schema, one in zip(schemas, texts, strict=True)
        ]
    moment = 1_700_000_000_000 + 10 * offset
    return KafkaRecord("pg.public.t", 0, offset, moment, *map(json.dumps, texts))


def built(spark: SparkSession, *batches: list[KafkaRecord], **options: Any) -> LabSource:
    source = LabSource(spark, "pg", {"connector": "postgresql", "topic_prefix": "pg", **options})
    for batch in batches:
        source.land(batch)
        source.build()
    return source


def rows(source: LabSource) -> list[tuple[Any, ...]]:
    return source.current()["public.t"]


@pytest.mark.covers("case key-column-excluded-from-value")
@pytest.mark.parametrize(
    ("fields", "options"),
    [
        (((ID,), (V,)), {}),
        (
            None,
            {"tables": {"public.t": {"columns": [
                {"name": "v", "type": "string"},
                {"name": "id", "type": "int32", "optional": False},
            ]}}},
        ),
    ],
    ids=["with schemas", "declared"],
)  # fmt: skip
def test_a_table_whose_rows_lack_the_whole_key_is_keyed(spark, fields, options):
    source = built(
        spark,
        [
            event(0, "c", {"id": 1}, {"v": "one"}, fields),
            event(1, "c", {"id": 2}, {"v": "two"}, fields),
            event(2, "u", {"id": 1}, {"v": "uno"}, fields),
            event(3, "d", {"id": 2}, {"v": None}, fields),
            replace(event(4, "d", {"id": 2}, None, fields), value=None),
        ],
        **options,
    )

    assert source.messages == []
    assert source.has_key("public.t")
    assert rows(source) == [("uno", 1)]
    assert [row["id"] for row in source.staged("public.t")] == [1, 2, 1, 2, None]


@pytest.mark.covers("case key-column-excluded-from-value")
def test_a_member_may_be_null_and_other_members_be_in_the_row(spark):
    fields = ((ID, SITE), (ID, V))
    source = built(
        spark,
        [
            event(0, "c", {"id": 1, "site": None}, {"id": 1, "v": "a"}, fields),
            event(1, "c", {"id": 1, "site": "x"}, {"id": 1, "v": "b"}, fields),
            event(2, "u", {"id": 1, "site": None}, {"id": 1, "v": "c"}, fields),
        ],
    )

    assert rows(source) == [(1, "b", "x"), (1, "c", None)]


def test_a_renamed_member_is_the_same_column(spark):
    tables = {"public.t": {"renames": {"number": "id"}}}
    number = field("number", optional=False)
    first = [event(0, "c", {"id": 1}, {"v": "a"}), event(1, "c", {"id": 2}, {"v": "b"})]
    then = [event(2, "u", {"number": 1}, {"v": "c"}, ((number,), (V,)))]

    assert rows(built(spark, first + then, tables=tables)) == [("b", 2), ("c", 1)]


def test_a_column_that_is_left_out_later_keeps_its_values(spark):
    """Each record is read by its own schema: that of its row, or that of its key."""
    wide = field("id", "int64", optional=False)
    first = [event(0, "c", {"id": 1}, {"id": 1, "v": "a"}, ((ID,), (ID, V)))]
    then = [event(1, "c", {"id": 2}, {"v": "b"}), event(2, "u", {"id": 1}, {"v": "c"})]
    at_last = [event(3, "c", {"id": 2**40}, {"v": "d"}, ((wide,), (V,)))]

    assert rows(built(spark, first, then)) == [("b", 2), ("c", 1)]
    assert rows(built(spark, first + then + at_last)) == [("b", 2), ("c", 1), ("d", 2**40)]


def test_a_number_of_another_encoding_in_the_key_is_decoded_by_the_schema_of_the_key(spark):
    day = field("id", "int32", name="io.debezium.time.Date", optional=False)
    text = field("id", "string", optional=False)
    records = [
        event(0, "c", {"id": "2023-11-14"}, {"v": "a"}, ((text,), (V,))),
        event(1, "c", {"id": 19_676}, {"v": "b"}, ((day,), (V,))),
    ]

    assert [str(row[1]) for row in rows(built(spark, records))] == ["2023-11-14", "2023-11-15"]
