"""A record is read as its own embedded schema says, whatever layout the model was written from."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

import pytest

from tests.support.catalog_run import CatalogRun
from tests.support.examples import compact
from tests.support.macros import Macros
from tests.type_cases import encoded, unscaled

SOURCE = {
    "s": {
        "connector": "postgresql",
        "topic_prefix": "p",
        "input": {"type": "files", "path": "records"},
        "binary_handling_mode": "hex",
    }
}
TOPIC = "p.public.t"
# encoding of the record's column, the value's JSON, by the name of the column's family
AMOUNT = [
    ("bytes k.Decimal scale=2 precision=10", unscaled(1234)),
    ("bytes k.Decimal scale=4 precision=12", unscaled(123400)),
    ("bytes k.Decimal scale=4 precision=12", unscaled(123456)),
    ("double", "12.34"),
    ("string", '"12.34"'),
    ("string", '"12.345"'),
    ("string", '"NAN"'),
    # as base64 these digits would be another number
    ("string", '"2025"'),
    ("struct d.VariableScaleDecimal", '{"scale":2,"value":"BNI="}'),
    ("int64", "12"),
]
MOMENT = [
    ("int64 t.MicroTimestamp", "1529507596945104"),
    ("int64 t.Timestamp", "1529507596945"),
    ("int64 t.NanoTimestamp", "1529507596945104999"),
    ("int64 k.Timestamp", "1529507596945"),
    ("string t.IsoTimestamp", '"2018-06-20T15:13:16.945104Z"'),
    ("int32 t.Date", "17702"),
]
BYTES = [("bytes", '"+/8B"'), ("string", '"fbff01"')]
FLAG = [("boolean", "true"), ("int16", "1"), ("int16", "0"), ("boolean", "false")]
PLACEHOLDER = "__debezium_unavailable_value"


class SparkMacros(Macros):
    """The macros with queries that Spark answers."""

    def __init__(self, spark):
        self.spark = spark
        super().__init__(SOURCE)

    def _run_query(self, query):
        return SimpleNamespace(rows=[tuple(row) for row in self.spark.sql(query).collect()])


@pytest.fixture
def staged(spark):
    """Stage records of several layouts with a model of one of them."""

    def stage(layouts, model, key="int32", keys=None):
        records = []
        for offset, (encoding, value) in enumerate(layouts):
            key_encoding, key_value = (keys or [])[offset] if keys else (key, str(offset))
            records.append(_record(offset, encoding, value, key_encoding, key_value))
        run = CatalogRun(spark, SOURCE)
        run.land(records)
        run.build().show_evidence()
        macros = SparkMacros(spark)
        config = macros.source_config("s")
        columns = [{**encoded(key), "name": "id"}, encoded(model)]
        told = macros.record_layouts(config, given(columns), None)
        sql = macros.staging_sql(
            config, "raw_records", [TOPIC], "public.t", told["key"], told["columns"]
        )
        return spark.sql(sql).orderBy("_cdc_offset").collect()

    return stage


def given(columns):
    """Return the arguments of a staging model whose first column is its key."""
    about = {"schemas": "evidence", "topics": [TOPIC], "table": "public.t", "origins": []}
    return about | {"columns": columns, "key": columns[:1]}


def _record(offset, encoding, value, key_encoding="int32", key_value="0"):
    def node(shorthand, name):
        column = encoded(shorthand)
        made = {"type": column["type"], "optional": True, "field": name}
        if "semantic" in column:
            made["name"] = column["semantic"]
        if "parameters" in column:
            made["parameters"] = column["parameters"]
        return made

    identity = node(key_encoding, "id")
    row = {"type": "struct", "fields": [identity, node(encoding, "c")], "optional": True}
    schema = {"type": "struct", "fields": [{**row, "field": "before"}, {**row, "field": "after"}]}
    payload = (
        f'{{"before":null,"after":{{"id":{key_value},"c":{value}}},"source":{{"version":"3.6.1",'
        f'"connector":"postgresql","name":"p","db":"d","schema":"public","table":"t","lsn":{offset},'
        f'"sequence":"[\\"1\\",\\"{offset}\\"]"}},"op":"c","ts_ms":1}}'
    )
    key_schema = {"type": "struct", "fields": [identity], "optional": False}
    return {
        "topic": TOPIC,
        "partition": 0,
        "offset": offset,
        "timestamp": 1_600_000_000_000 + offset,
        "key": f'{{"schema":{compact(key_schema)},"payload":{{"id":{key_value}}}}}',
        "value": f'{{"schema":{compact(schema)},"payload":{payload}}}',
    }


def test_a_decimal_is_read_by_the_scale_and_mode_of_its_record(staged):
    rows = staged(AMOUNT, "bytes k.Decimal scale=2 precision=10")

    amount, whole = Decimal("12.34"), Decimal("12.00")
    year = Decimal("2025.00")
    expected = [amount, amount, None, amount, amount, None, None, year, amount, whole]
    assert [row["c"] for row in rows] == expected
    # what the model's type does not hold is said, not rounded
    assert [bool(row["_cdc_errors"]) for row in rows] == [one is None for one in expected]


def test_a_column_that_became_text_shows_older_decimals_as_text(staged):
    rows = staged(AMOUNT, "string")

    assert [row["c"] for row in rows] == [
        "12.34", "12.3400", "12.3456", "12.34", "12.34", "12.345", "NAN", "2025", "12.34",
        "12",
    ]  # fmt: skip
    assert [row["_cdc_errors"] for row in rows] == [None] * len(rows)


def test_a_column_that_became_double_shows_older_decimals_as_double(staged):
    rows = staged(AMOUNT, "double")

    shown = [str(row["c"]) for row in rows]
    assert shown == [
        "12.34",
        "12.34",
        "12.3456",
        "12.34",
        "12.34",
        "12.345",
        "nan",
        "2025.0",
        "12.34",
        "12.0",
    ]


def test_a_moment_is_read_by_the_unit_of_its_record(staged):
    rows = staged(MOMENT, "int64 t.MicroTimestamp")

    assert [str(row["c"]) for row in rows] == [
        "2018-06-20 15:13:16.945104",
        "2018-06-20 15:13:16.945000",
        "2018-06-20 15:13:16.945104",
        "2018-06-20 15:13:16.945000",
        "2018-06-20 15:13:16.945104",
        "2018-06-20 00:00:00",
    ]


def test_a_model_with_a_companion_fills_it_for_records_without_one(staged):
    rows = staged(MOMENT[:3], "int64 t.NanoTimestamp")

    assert [row["_cdc_text_c"] for row in rows] == [
        "2018-06-20T15:13:16.945104",
        "2018-06-20T15:13:16.945",
        "2018-06-20T15:13:16.945104999",
    ]


def test_bytes_and_their_texts_are_taken_into_each_other(staged):
    as_bytes = staged(BYTES, "bytes")
    as_text = staged(BYTES, "string")

    assert [bytes(row["c"]).hex() for row in as_bytes] == ["fbff01"] * 2
    assert [row["c"] for row in as_text] == ["fbff01"] * 2


@pytest.mark.covers("trap 60")
def test_a_boolean_that_flips_to_a_number_is_read_either_way(staged):
    assert [row["c"] for row in staged(FLAG, "boolean")] == [True, True, False, False]
    assert [row["c"] for row in staged(FLAG, "int16")] == [1, 1, 0, 0]


def test_a_placeholder_is_known_in_the_form_of_its_record(staged):
    rows = staged(
        [
            ("string", f'"{PLACEHOLDER}"'),
            ("bytes", '"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="'),
        ],
        "bytes",
    )

    assert [(row["c"], row["_cdc_unavailable"]) for row in rows] == [(None, ["c"])] * 2
    assert [row["_cdc_errors"] for row in rows] == [None] * 2


def test_a_key_keeps_its_identity_when_its_mode_changes(staged):
    rows = staged(
        [("int32", "1"), ("int32", "1"), ("int32", "1")],
        "int32",
        key="bytes k.Decimal scale=0 precision=10",
        keys=[
            ("bytes k.Decimal scale=0 precision=10", '"Bw=="'),
            ("string", '"7"'),
            ("int64", "7"),
        ],
    )

    assert [row["_cdc_key"] for row in rows] == ['{"id":7}'] * 3


def test_the_usual_layout_costs_nothing(spark, staged):
    staged([("double", "1.5")], "double")
    macros = SparkMacros(spark)
    columns = [{"name": "id", "type": "int32"}, {"name": "c", "type": "double"}]
    config = macros.source_config("s")
    told = macros.record_layouts(config, given(columns), None)

    assert (told["columns"], told["key"], told["unwritten"]) == (columns, columns[:1], {})
    sql = macros.staging_sql(config, "raw_records", [TOPIC], "public.t", columns[:1], columns)
    assert "_layout" not in sql
    assert " where" not in sql.split("images as (")[1].split("texts as (")[0]
