"""`debezium_obs__drift` on catalogs that Spark makes of records, one kind of change at a time."""

from __future__ import annotations

import pytest

from tests.support.blocks import source_options
from tests.support.catalog_run import CatalogRun
from tests.support.drift_harness import GeneratedModels
from tests.support.embedded_records import field, table_record
from tests.support.golden_sets import SETS
from tests.support.schema_topic import PREFIX, Source, column, options

STAGED_TYPE = (
    "_cdc_op string, _cdc_unmapped map<string, string>, _cdc_event_id string, _cdc_batch_id bigint,"
    " _cdc_stream_pos string, _cdc_pos string, _cdc_timestamp timestamp, _cdc_offset bigint"
)
SHOP = source_options("postgresql", "PostgreSQL_server")
BUILD = "debezium-spark generate, then dbt build --select stg_{}__{}+"
SCHEMAS = {"sqlserver": "dbo", "oracle": "SHOP"}
NUMBER = {"typeName": "INT", "typeExpression": "INT", "jdbcType": 4, "length": None}


class Drift:
    """Models of what had landed first, and the view over what lands after."""

    def __init__(self, spark, sources, *records):
        self.spark = spark
        self.run = CatalogRun(spark, sources)
        self.land(*records)
        self.models = GeneratedModels(sources, self.current())
        for staging in self.models.stagings:
            self.stage(staging["relation"])

    def land(self, *records):
        self.run.land(records)
        self.run.build()

    def current(self):
        return [row for row in self.run.catalog if row["is_current"]]

    def stage(self, name, *events):
        """Make the staged events of a table (op, unmapped, place in the stream, batch)."""
        rows = [
            (op, unmapped, f"topic:0:{place}", batch, f"{place:04}", f"{place:04}", None, place)
            for op, unmapped, place, batch in events
        ]
        self.spark.createDataFrame(rows, STAGED_TYPE).createOrReplaceTempView(name)

    def rows(self, *names):
        rows = self.spark.sql(self.models.view(self.current())).collect()
        if not names:
            return rows
        return [tuple(row[name] for name in names) for row in rows]


@pytest.mark.parametrize("golden", SETS, ids=lambda one: one.source)
def test_generated_models_differ_in_nothing_from_their_catalog(golden):
    current = [row for row in golden.catalog() if row["is_current"]]

    assert len(current) > 20
    assert GeneratedModels(golden.sources, current).changes(current) == []


def test_every_change_that_embedded_schemas_show(spark):
    name = "org.apache.kafka.connect.data.Decimal"
    price, wider = (
        {"name": name, "parameters": {"scale": "2", "connect.decimal.precision": digits}}
        for digits in ("10", "12")
    )
    before = [
        field("id", optional=False),
        field("amount"),
        field("price", "bytes", **price),
        field("state", "string", optional=False),
        field("old", "string"),
        field("gone", "string"),
    ]
    after = [
        field("id", optional=False),
        field("amount", "int64"),
        field("price", "bytes", **wider),
        field("state", "string"),
        field("new", "string"),
        field("more", "array", items={"type": "string", "optional": True}),
    ]
    drift = Drift(spark, {"shop": SHOP}, table_record(before))
    assert drift.rows() == []

    drift.land(
        table_record(after, ("id", "amount"), offset=4), table_record([field("id")], table="other")
    )

    assert drift.rows("table_name", "change", "column_name", "modelled", "recorded") == [
        ("public.other", "table_added", None, None, "1 column, key id"),
        ("public.t", "key_changed", None, "id", "id, amount"),
        ("public.t", "column_added", "new", None, "string"),
        ("public.t", "column_added", "more", None, "array<string>"),
        ("public.t", "column_type_changed", "amount", "int32", "int64"),
        ("public.t", "column_type_changed", "price", f"{name}(10,2)", f"{name}(12,2)"),
        ("public.t", "column_nullability_changed", "state", "not null", "null allowed"),
        ("public.t", "column_dropped", "old", "string", None),
        ("public.t", "column_dropped", "gone", "string", None),
    ]
    _, key, new, *others = drift.rows()
    assert set(drift.rows("source_name", "evidence", "batch_id")) == {
        ("shop", "embedded_schema", None)
    }
    assert {one.event_id for one in (key, new, *others)} == {"PostgreSQL_server.public.t:0:4"}
    assert not key.is_compatible and "debezium_incompatible_changes: rebuild" in key.remedy
    assert "declare renames: {new: old}" in new.remedy
    assert {one.remedy for one in others} == {BUILD.format("shop", "t")}
    assert all(one.is_compatible for one in (new, *others))


@pytest.mark.parametrize("connector", ["sqlserver", "mysql"])
def test_every_change_that_definitions_show(spark, connector):
    source = Source(connector)
    schema = SCHEMAS.get(connector, "shop")
    before = [column("id", 1, optional=False), column("a", 2, optional=False), "b"]
    after = [column("id", 1, optional=False), "a", {**column("n", 3), **NUMBER}]
    drift = Drift(
        spark,
        {"erp": options(connector)},
        source.define("CREATE", "t", before, ("id",), at=5),
    )
    assert drift.rows() == []

    drift.land(
        source.define("ALTER", "t", after, ("id", "a"), at=900),
        source.define("CREATE", "u", ["id"], ("id",), at=901),
    )

    told = drift.rows("table_name", "change", "column_name", "modelled", "event_id")
    assert told == [
        (f"{schema}.t", "key_changed", None, "id", f"{PREFIX}:0:1"),
        (f"{schema}.t", "column_added", "n", None, f"{PREFIX}:0:1"),
        (f"{schema}.t", "column_nullability_changed", "a", "not null", f"{PREFIX}:0:1"),
        (f"{schema}.t", "column_dropped", "b", "string", f"{PREFIX}:0:1"),
        (f"{schema}.u", "table_added", None, None, f"{PREFIX}:0:2"),
    ]
    assert "database type int" in drift.rows("recorded")[1][0].lower()
    assert drift.rows("evidence") == [("schema_change_topic",)] * 5


@pytest.mark.parametrize("connector", ["oracle", "mysql"])
def test_a_table_dropped_and_one_renamed(spark, connector):
    source = Source(connector)
    schema = SCHEMAS.get(connector, "shop")
    drift = Drift(
        spark,
        {"erp": options(connector)},
        source.define("CREATE", "t", ["id"], ("id",), at=5),
        source.define("CREATE", "u", ["id"], ("id",), at=6),
    )
    renamed = source.change("ALTER", "v", ["id"], ("id",))
    drift.land(
        source.define("DROP", "t", at=9),
        source.statement("ALTER TABLE u RENAME TO v", renamed, at=10, table="u,v"),
    )

    assert drift.rows("table_name", "change", "modelled", "recorded") == [
        (f"{schema}.t", "table_dropped", "1 column, key id", "dropped"),
        (f"{schema}.u", "table_renamed", "1 column, key id", f"renamed to {schema}.v"),
        (f"{schema}.v", "table_added", None, "1 column, key id"),
    ]


def test_values_show_a_column_that_no_schema_tells_once(spark):
    fields = [field("id", optional=False)]
    drift = Drift(spark, {"shop": SHOP}, table_record(fields))
    name = drift.models.stagings[0]["relation"]
    drift.stage(
        name,
        ("c", {"older": "1"}, 7, 1),
        ("u", {"both": "1", "only_values": "2"}, 9, 2),
        ("u", {"earlier": "1"}, 8, 2),
        ("d", {"deleted": "1"}, 10, 2),
    )
    drift.land(table_record([*fields, field("both")], offset=5))

    names = ("change", "column_name", "recorded", "evidence", "event_id", "batch_id")
    assert sorted(drift.rows(*names), key=str) == [
        (
            "column_added",
            "both",
            "int32",
            "embedded_schema",
            "PostgreSQL_server.public.t:0:5",
            None,
        ),
        ("column_added", "only_values", "of unknown type", "values", "topic:0:9", 2),
    ]
    (row,) = [one for one in drift.rows() if one.evidence == "values"]
    assert (
        "declare it in debezium_sources.shop.tables.public.t.columns; debezium-spark" in row.remedy
    )


@pytest.mark.full
def test_a_thousand_changes_are_all_shown(spark):
    sources = {"shop": SHOP}
    columns = [field("id", optional=False)]
    wide = [*columns, *(field(f"it's \\ {number}", "string") for number in range(1000))]
    records = [table_record(columns, table=f"t{number}") for number in range(10)]
    drift = Drift(spark, sources, *records)
    drift.land(table_record(wide, table="t0", offset=1))

    found = drift.rows("table_name", "column_name")

    assert len(found) == 1000
    assert found[999] == ("public.t0", "it's \\ 999")
