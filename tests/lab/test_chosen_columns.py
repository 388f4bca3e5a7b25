"""Columns with another name in the models (`as`), and those that they leave out (`exclude`)."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.lab.test_keys_outside_rows import event
from tests.support.embedded_records import field
from tests.support.lab_source import LabSource

DECIMAL = {"name": "org.apache.kafka.connect.data.Decimal", "parameters": {"scale": "2"}}
FIELDS = (
    field("ID", optional=False),
    field("ORDER", "string"),
    field("order", "string"),
    field("_cdc_note", "string"),
    field("nul\x00", "string"),
    field("fee", "bytes", **DECIMAL),
)
CHOSEN = {
    "as": {"ID": "row_id", "ORDER": "order_number", "_cdc_note": "note", "fee": "price"},
    "exclude": ["nul\x00"],
}
PLACEHOLDER = "__debezium_unavailable_value"


def order(number: int, text: str, **changes: Any) -> dict[str, Any]:
    row = {"ID": number, "ORDER": f"A{text}", "order": f"b{text}", "_cdc_note": f"c{text}"}
    return {**row, "nul\x00": "secret", "fee": 1234, **changes}


def change(offset: int, op: str, row: dict[str, Any]) -> KafkaRecord:
    return event(offset, op, {"ID": row["ID"]}, row, (FIELDS[:1], FIELDS))


def built(spark: SparkSession, *batches: list[KafkaRecord], **options: Any) -> LabSource:
    block = {"connector": "postgresql", "topic_prefix": "pg", "tables": {"public.t": options}}
    source = LabSource(spark, "pg", block)
    for batch in batches:
        source.land(batch)
        source.build()
    return source


def rows(source: LabSource) -> list[tuple[str, ...]]:
    return [tuple(map(str, row)) for row in source.current()["public.t"]]


def test_a_table_with_names_that_no_model_can_hold_is_refused_with_both_options(spark):
    source = built(spark, [change(0, "c", order(1, ""))])
    assert source.models == {}
    text = "\n".join(source.messages)
    assert "public.t: as: {order: <name>}" in text
    assert r'public.t: exclude: ["nul\x00"]' in text and "\x00" not in text


def test_columns_are_named_and_left_out(spark):
    first = [change(0, "c", order(1, "1")), change(1, "c", order(2, "2"))]
    then = [
        change(2, "u", order(1, "3", ORDER=PLACEHOLDER)),
        change(3, "d", order(2, "")),
        change(4, "c", order(3, "4", extra="x")),
    ]
    source = built(spark, first, then, **CHOSEN)

    assert source.messages == []
    assert rows(source) == [("1", "A1", "b3", "c3", "1234.00"), ("3", "A4", "b4", "c4", "1234.00")]
    staged = source.staged("public.t")
    assert {*FIELDS[4].values()} & {*staged[0].asDict()} == set()
    assert [row["_cdc_key"] for row in staged[:2]] == ['{"row_id":1}', '{"row_id":2}']
    assert staged[2]["_cdc_unavailable"] == ["order_number"]
    assert [row["_cdc_unmapped"] for row in staged] == [None] * 4 + [{"extra": "x"}]
    assert [row["_cdc_errors"] for row in staged] == [None] * 5
    (drift,) = source.drift()
    assert (drift["change"], drift["column_name"]) == ("column_added", "extra")


def test_a_table_without_a_key_counts_rows_less_the_columns_that_it_leaves_out(spark):
    fields = (field("a"), field("secret", "string"))

    def record(offset: int, op: str, row: dict[str, Any]) -> KafkaRecord:
        found = event(offset, op, {}, row, ((), fields))
        return KafkaRecord(*list(vars(found).values())[:4], None, *list(vars(found).values())[5:])

    records = [
        record(0, "c", {"a": 1, "secret": "x"}),
        record(1, "c", {"a": 1, "secret": "y"}),
        record(2, "c", {"a": 2, "secret": "z"}),
        record(3, "d", {"a": 1, "secret": "y"}),
    ]
    source = built(spark, records, exclude=["secret"], replica_identity="full")
    assert rows(source) == [("1",), ("2",)]


def test_a_number_of_digits_is_a_number_under_a_former_name_too(spark):
    """Unquoted in the record, it is no base64, whatever its column was called then."""
    then = (FIELDS[0], field("cost", "bytes", **DECIMAL))
    now = (FIELDS[0], field("fee", "bytes", **DECIMAL))
    records = [
        event(0, "c", {"ID": 1}, {"ID": 1, "cost": 1234}, (FIELDS[:1], then)),
        event(1, "c", {"ID": 2}, {"ID": 2, "fee": 5678}, (FIELDS[:1], now)),
    ]
    source = built(spark, records, renames={"fee": ["cost"]})
    assert rows(source) == [("1", "1234.00"), ("2", "5678.00")]


def test_a_choice_that_changes_reads_earlier_records_again(spark):
    fields = (field("ID", optional=False), field("v", "string"), field("w", "string"))

    def record(number: int) -> list[KafkaRecord]:
        row = {"ID": number, "v": f"v{number}", "w": f"w{number}"}
        return [event(number, "c", {"ID": number}, row, (fields[:1], fields))]

    choices: list[dict[str, Any]] = [{}, {"as": {"v": "x"}, "exclude": ["w"]}, {"as": {"w": "v2"}}]
    found = [("1", "v1", "w1")], [("1", "v1"), ("2", "v2")], [
        (str(number), f"v{number}", f"w{number}") for number in (1, 2, 3)
    ]  # fmt: skip
    source = built(spark)
    for number, (options, expected) in enumerate(zip(choices, found, strict=True), 1):
        source.configure(tables={"public.t": options})
        source.land(record(number))
        source.build()
        assert rows(source) == expected
    assert "v2" in source.staged("public.t")[0].asDict()
