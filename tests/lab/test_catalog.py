"""The catalog on raw tables of example records: what is seen, merged and kept."""

from __future__ import annotations

import json

import pytest

from tests.support import schema_topic
from tests.support.catalog_run import CatalogRun
from tests.support.embedded_records import field, table_record
from tests.support.examples import compact, example_lines
from tests.support.paths import REPOSITORY

SOURCES = {
    "shop": {
        "connector": "postgresql",
        "topic_prefix": "PostgreSQL_server",
        "input": {"type": "files", "path": "records"},
        "signal_data_collection": "myschema.debezium_signal",
    },
    "billing": {
        "connector": "oracle",
        "topic_prefix": "server1",
        "input": {"type": "files", "path": "records"},
        "signal_data_collection": "ORCLPDB1.C##DBZUSER.DEBEZIUM_SIGNAL",
    },
    "erp": {
        "connector": "sqlserver",
        "topic_prefix": "server1",
        "input": {"type": "files", "path": "records"},
    },
}


@pytest.fixture
def catalog(spark):
    def create(source, *records, **options):
        made = CatalogRun(spark, {source: {**SOURCES[source], **options}})
        if records:
            made.land([one for batch in records for one in batch])
            made.build()
        return made

    return create


@pytest.mark.covers("trap 70", "support PostgreSQL: definitions from")
def test_embedded_schemas_tell_columns_types_and_key(catalog):
    seen = catalog("shop", example_lines("postgres_3.6_types_with_schema"))

    columns = seen.columns("column_name", "connect_type", "semantic_type", "parameters")
    assert len(columns) == 35
    assert columns[0] == ("pk", "int32", None, None)
    decimal = "org.apache.kafka.connect.data.Decimal"
    scale = {"scale": "2", "connect.decimal.precision": "3"}
    assert ("n_3_2", "bytes", decimal, scale) in columns
    assert seen.columns("column_name", where=lambda row: row["is_key"]) == [("pk",)]
    assert set(seen.columns("topic", "version", "is_current", "since_position", "evidence")) == {
        (
            "PostgreSQL_server.public.all_types",
            1,
            True,
            "PostgreSQL_server.public.all_types:0:0",
            "embedded_schema",
        )
    }


@pytest.mark.covers("case string-converter-keys")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Struct{id=1}", [("id", 1)]),
        ("Struct{v=a,id=1}", [("v", 1), ("id", 2)]),
        ("Struct{other=1}", []),
        ("Struct{", []),
        ("1", []),
    ],
)
def test_the_key_of_a_text_converter_names_its_columns(spark, text, expected):
    """The case string-converter-keys, and keys of other forms."""
    path = REPOSITORY / "tests/traps/records_of_cases/string-converter-keys.jsonl"
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    source = {"connector": "postgresql", "topic_prefix": "pg"}
    run = CatalogRun(spark, {"pg": {**source, "input": {"type": "files", "path": "records"}}})
    run.read([first | {"key": text}])

    key = run.columns("column_name", "key_position", where=lambda row: row["is_key"])
    assert sorted(key, key=lambda one: one[1]) == expected
    assert {row["key_hash"] for row in run.evidence} == {1}


def test_nested_types_keep_their_whole_schema(catalog):
    seen = catalog("shop", example_lines("postgres_3.6_types_with_schema"))

    ((node,),) = seen.columns("schema_json", where=lambda row: row["column_name"] == "sv")
    assert json.loads(node)["fields"][1]["keys"] == {"type": "int16", "optional": False}


@pytest.mark.covers("trap 38")
def test_records_that_are_no_rows_of_tables_are_left_out(catalog):
    seen = catalog(
        "shop",
        example_lines(
            "postgres_2.1.4_create_with_schema",
            "seq_signal_table_events",
            "postgres_2.1.4_logical_message",
            "postgres_2.1.4_tombstone",
            "common_heartbeat_with_schema",
            "common_legacy_null_envelope",
        ),
    )

    assert set(seen.columns("table_name")) == {("customers",)}


@pytest.mark.covers("trap 38")
def test_heartbeats_of_the_source_leave_nothing_in_the_catalog(catalog):
    (beat,) = example_lines("common_heartbeat_with_schema")
    row = example_lines("postgres_2.1.4_create_with_schema")
    own = beat | {"topic": "__debezium-heartbeat.PostgreSQL_server"}
    seen = catalog("shop", row, [own])
    assert {one.kind for one in seen.evidence} == {"data"}

    named = catalog("shop", row, [beat | {"topic": "beat.PostgreSQL_server"}],
                    topic_heartbeat_prefix="beat")  # fmt: skip
    assert {one.kind for one in named.evidence} == {"data"}


NOTIFICATION = {
    "id": "5563ae14-49f8-4579-9641-c1bbc2d76f99",
    "aggregate_type": "Initial Snapshot",
    "type": "COMPLETED",
    "additional_data": {"connector_name": "server1"},
    "timestamp": 1695817046353,
}


@pytest.mark.parametrize(
    ("source", "examples", "tables"),
    [
        (
            "billing",
            [
                "oracle_2.1.4_exact_create_with_schema",
                "oracle_2.1.4_schema_change_create",
                "seq_oracle_2.1.4_transaction",
            ],
            {"CUSTOMERS"},
        ),
        (
            "erp",
            [
                "sqlserver_2.1.4_exact_create_with_schema",
                "sqlserver_2.1.4_schema_change_alter_with_schema",
                "seq_sqlserver_2.1.4_transaction",
            ],
            {"customers"},
        ),
    ],
)
def test_signals_notifications_and_transactions_of_other_connectors_are_no_tables(
    catalog, source, examples, tables
):
    (record,) = example_lines("common_heartbeat_with_schema")
    notification = record | {
        "topic": "debezium-notifications",
        "key": compact({"id": NOTIFICATION["id"]}),
        "value": compact(NOTIFICATION),
    }
    (row,) = example_lines(examples[0])
    named = {"db": "ORCLPDB1", "schema": "C##DBZUSER", "table": "DEBEZIUM_SIGNAL"}
    envelope = json.loads(row["value"])
    envelope["payload"]["source"] |= named
    signal = row | {"topic": "server1.DEBEZIUM_SIGNAL", "value": compact(envelope)}
    seen = catalog(
        source,
        example_lines(*examples, "seq_signal_kafka_messages"),
        [record, notification] + ([signal] if source == "billing" else []),
    )

    # the rows of the transactions carry no schema, so they describe no columns
    assert {name for (name,) in seen.columns("table_name")} == tables


def test_a_table_without_a_key_has_no_key_columns(catalog):
    record = table_record([field("a")], key=(), table="log") | {"key": None}
    seen = catalog("shop", [record])

    assert seen.columns("column_name", "is_key", "key_position") == [("a", False, None)]


def test_a_truncate_seen_first_does_not_hide_the_key(catalog):
    fields = [field("b"), field("id", optional=False)]
    truncate = table_record(fields) | {"key": None}
    seen = catalog("shop", [truncate, table_record(fields, offset=1)])

    assert seen.columns("column_name", "key_position") == [("b", None), ("id", 1)]


@pytest.mark.covers("trap 67")
def test_versions_are_numbered_by_first_sighting_and_the_last_seen_is_current(catalog):
    old = [field("id")]
    new = [field("id"), field("added")]
    seen = catalog("shop")
    seen.land([table_record(old), table_record(new, offset=1)])
    seen.build()
    by_version = ("version", "is_current", "since_position", "column_name")
    first, second = (f"PostgreSQL_server.public.t:0:{offset}" for offset in (0, 1))
    assert seen.columns(*by_version) == [
        (1, False, first, "id"),
        (2, True, second, "id"),
        (2, True, second, "added"),
    ]

    # dropped again
    seen.land([table_record(old, offset=2)])
    seen.build()

    assert seen.columns(*by_version) == [
        (1, True, first, "id"),
        (2, False, second, "id"),
        (2, False, second, "added"),
    ]


@pytest.mark.covers("trap 68")
def test_batches_in_any_cut_and_order_give_the_same_catalog(catalog):
    records = [
        table_record([field("id")]),
        table_record([field("id"), field("added")], offset=1),
        table_record([field("id", "int64"), field("added")], offset=2),
    ]
    whole = catalog("shop", records)
    cut = catalog("shop")
    for record in reversed(records):
        cut.land([record])
        cut.build()

    everything = ("version", "is_current", "since_position", "column_name", "connect_type")
    assert cut.columns(*everything) == whole.columns(*everything)


def test_a_schema_is_stored_once_however_many_batches_carry_it(catalog):
    seen = catalog("shop")
    for batch in range(3):
        seen.land([table_record([field("id")], offset=batch)])
        seen.build()

    stored = [(row["first_offset"], row["value_schema"] is not None) for row in seen.evidence]
    assert sorted(stored) == [(0, True), (1, False), (2, False)]


@pytest.mark.parametrize("layout", ["blanks", "payload first", "payload in the schema"])
def test_other_layouts_of_the_same_object_are_read_too(catalog, layout):
    fields = [field("id"), field("name", "string")]
    if layout == "payload in the schema":
        # `,"payload":` inside the schema ends the prefix too early
        fields[1]["parameters"] = {"a": "1", "payload": "x"}
    record = table_record(fields)
    value = json.loads(record["value"])
    if layout == "blanks":
        record["value"] = json.dumps(value, indent=1)
    elif layout == "payload first":
        record["value"] = compact({"payload": value["payload"], "schema": value["schema"]})

    seen = catalog("shop", [record])

    assert seen.columns("column_name", "connect_type") == [("id", "int32"), ("name", "string")]


@pytest.mark.covers("trap 9")
def test_columns_named_like_the_envelope_are_no_envelope(catalog):
    fields = [field(name, "string") for name in ("schema", "payload", "op", "before", "id")]
    seen = catalog("shop", [table_record(fields, after={"schema": "a", "payload": "b"})])

    assert [name for (name,) in seen.columns("column_name")] == [
        "schema",
        "payload",
        "op",
        "before",
        "id",
    ]


@pytest.mark.covers("trap 7")
def test_the_source_block_names_the_table_not_the_topic(catalog):
    records = [
        table_record([field("id")], table="my.table", topic="PostgreSQL_server.public.my_table")
    ]
    seen = catalog("shop", records)

    assert seen.columns("schema_name", "table_name", "topic") == [
        ("public", "my.table", "PostgreSQL_server.public.my_table")
    ]


def test_tables_of_another_connector_in_the_same_input_are_none_of_the_source(catalog):
    foreign = example_lines(
        "sqlserver_2.1.4_exact_create_with_schema",
        "sqlserver_2.1.4_schema_change_alter_with_schema",
    )
    own = table_record([field("id")])
    twin = json.loads(json.dumps(own).replace("PostgreSQL_server", "PostgreSQL_server_2"))
    routed = table_record([field("id")], table="moved", topic="all.moved")
    renamed = table_record([field("id")], table="old", topic="kept.old")
    renamed["value"] = renamed["value"].replace('"PostgreSQL_server"', '"before"')
    landed = [*foreign, own, twin, routed, renamed]

    seen = catalog("shop", landed)
    assert seen.columns("table_name", "topic") == [
        ("moved", "all.moved"),
        # a connector was set up anew; its topic does not begin with the former name
        ("old", "kept.old"),
        ("t", "PostgreSQL_server.public.t"),
    ]

    # what was landed stays: a corrected prefix is enough
    seen = catalog("erp", landed)
    assert set(seen.columns("table_name")) == {("customers",)} | {("moved",), ("old",)}


def test_propagated_types_and_comments_describe_columns(catalog):
    prefix = "__debezium.source.column."
    parameters = {f"{prefix}type": "VARCHAR", f"{prefix}length": "40", f"{prefix}comment": "Who."}
    seen = catalog("shop", [table_record([field("id", "string", parameters=parameters)])])

    assert seen.columns("database_type", "comment") == [("varchar(40)", "Who.")]


def test_configuration_describes_tables_whose_records_carry_no_schema(catalog):
    tables = {
        "public.audit_log": {
            "columns": [
                {"name": "who", "type": "string", "optional": False},
                {"name": "tags", "type": "array", "items": {"type": "string"}},
            ]
        },
        "sales.planned": {"key": ["id"], "columns": [{"name": "id", "type": "int64"}]},
    }
    seen = catalog("shop", example_lines("seq_postgres_no_primary_key"), tables=tables)

    described = ("table_name", "topic", "evidence", "column_name", "is_optional", "is_key")
    assert seen.columns(*described) == [
        ("audit_log", "PostgreSQL_server.public.audit_log", "configuration", "who", False, False),
        ("audit_log", "PostgreSQL_server.public.audit_log", "configuration", "tags", True, False),
        ("planned", "PostgreSQL_server.sales.planned", "configuration", "id", True, True),
    ]


def test_records_outrank_configured_columns_but_not_the_configured_key(catalog):
    tables = {"public.t": {"key": ["name"], "columns": [{"name": "name", "type": "int8"}]}}
    seen = catalog("shop", [table_record([field("id"), field("name", "string")])], tables=tables)

    assert seen.columns("column_name", "connect_type", "evidence", "is_key") == [
        ("id", "int32", "embedded_schema", False),
        ("name", "string", "embedded_schema", True),
    ]


@pytest.mark.covers("trap 64", "support SQL Server: definitions from")
def test_the_schema_change_topic_alone_describes_a_sqlserver_table(catalog):
    seen = catalog(
        "erp",
        example_lines(
            "sqlserver_2.1.4_schema_change_create_from_seed",
            "sqlserver_2.1.4_schema_change_alter_with_schema",
            "sqlserver_2.1.4_update_payload_only",
        ),
    )

    current = seen.columns(
        "column_name",
        "connect_type",
        "is_optional",
        "key_position",
        "database_type",
        where=lambda row: row["is_current"],
    )
    assert current == [
        ("id", "int32", False, 1, "int identity"),
        ("first_name", "string", False, None, "varchar(255)"),
        ("last_name", "string", False, None, "varchar(255)"),
        ("email", "string", False, None, "varchar(255)"),
        ("phone_number", "string", True, None, "varchar(32)"),
        ("balance", "bytes", False, None, "decimal(12,2)"),
    ]
    assert set(
        seen.columns("topic", "version", "evidence", where=lambda row: row["is_current"])
    ) == {("server1.testDB.dbo.customers", 2, "schema_change_topic")}
    assert len(seen.columns("column_name", where=lambda row: row["version"] == 1)) == 4


def test_a_table_without_records_gets_the_topic_the_connector_would_write(catalog):
    seen = catalog("erp", example_lines("sqlserver_2.1.4_schema_change_create_from_seed"))

    assert set(seen.columns("topic", "since_position")) == {
        ("server1.testDB.dbo.customers", "server1:0:0")
    }


@pytest.mark.covers("trap 69")
def test_embedded_schemas_say_how_and_definitions_say_what(catalog):
    seen = catalog(
        "erp",
        example_lines(
            "sqlserver_2.1.4_exact_create_with_schema",
            "sqlserver_2.1.4_schema_change_create_from_seed",
        ),
    )

    described = ("column_name", "connect_type", "evidence", "database_type", "is_optional")
    assert seen.columns(*described)[:2] == [
        ("id", "int32", "embedded_schema", "int identity", False),
        ("first_name", "string", "embedded_schema", "varchar(255)", False),
    ]


def definition(types):
    """Return a record of the schema-change topic that defines the table t."""
    columns = [
        schema_topic.column(name, 1, typeName=kind, jdbcType=code, length=length)
        for name, (kind, code, length) in types.items()
    ]
    source = schema_topic.Source("sqlserver")
    return source.statement(None, source.change("CREATE", "t", columns, ("id",)), at=5)


def test_types_the_connector_does_not_encode_stay_unknown_until_configured(catalog):
    types = {
        "id": ("int", 4, 10),
        "place": ("geography", -3, 2147483647),
        "nick": ("dbo.nickname", 12, 20),
        "note": ("nvarchar", -9, 2147483647),
    }
    tables = {"dbo.t": {"columns": [{"name": "place", "type": "string"}]}}

    unknown = catalog("erp", [definition(types)])
    configured = catalog("erp", [definition(types)], tables=tables)

    assert unknown.columns("column_name", "connect_type", "database_type") == [
        ("id", "int32", "int"),
        ("place", None, "geography"),
        # an alias type: its JDBC code tells
        ("nick", "string", "dbo.nickname"),
        ("note", "string", "nvarchar(max)"),
    ]
    assert configured.columns("connect_type", where=lambda row: row["column_name"] == "place") == [
        ("string",)
    ]


@pytest.mark.covers("trap 66")
def test_the_same_table_in_two_databases_is_two_tables(catalog):
    first = definition({"id": ("int", 4, 10)})
    second = first | {"offset": 1, "value": first["value"].replace("testDB", "otherDB")}
    seen = catalog("erp", [first, second])

    assert sorted(seen.columns("database_name", "topic")) == [
        ("otherDB", "server1.otherDB.dbo.t"),
        ("testDB", "server1.testDB.dbo.t"),
    ]


def test_an_empty_raw_table_gives_an_empty_catalog(catalog):
    seen = catalog("shop")
    seen.land([])
    seen.build()

    assert seen.catalog == []
