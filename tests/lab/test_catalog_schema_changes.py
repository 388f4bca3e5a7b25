"""The schema-change topic of every connector that has one: each row of spec §9.3."""

from __future__ import annotations

import json

import pytest

from tests.support.catalog_run import CatalogRun
from tests.support.examples import example_lines
from tests.support.paths import REPOSITORY
from tests.support.schema_topic import CONNECTORS, SINCE_1_8, SINCE_2_0, Source, column, options

WITH_DDL = ("oracle", "mysql", "mariadb")
BINLOG = ("mysql", "mariadb")


@pytest.fixture
def connector():
    """The connector where a test names no other."""
    return "mysql"


@pytest.fixture
def source(connector):
    """A source whose records are told."""
    return Source(connector)


@pytest.fixture
def read(spark, source):
    """Land records, `then` further batches one after another, and return the run."""

    def landed(*records, then=(), prefix=None):
        settings = options(source.connector)
        if prefix:
            settings["topic_prefix"] = prefix
        return CatalogRun(spark, {"erp": settings}).read(records, *then)

    return landed


def current(run, table=None):
    rows = run.columns(
        "column_name", where=lambda row: row["is_current"] and table in (None, row["table_name"])
    )
    return [name for (name,) in rows]


def ends(run):
    return dict(run.columns("table_name", "ended_by", where=lambda row: row["is_current"]))


@pytest.mark.covers("form types from the schema-change topic: every input")
@pytest.mark.parametrize("embedded", [False, True], ids=["plain", "embedded"])
@pytest.mark.parametrize("connector", CONNECTORS)
def test_the_snapshot_defines_each_table_once(read, source, embedded):
    source.embedded = embedded
    run = read(
        *[
            source.define("CREATE", "t", ["id", "a"], ("id",), at=5, snapshot=mark)
            for mark in ("true", "last")
        ],
        source.define("CREATE", "u", ["b"], at=5, snapshot=True),
    )

    assert run.columns("table_name", "version", "column_name", "key_position") == [
        ("t", 1, "id", 1),
        ("t", 1, "a", None),
        ("u", 1, "b", None),
    ]
    assert set(run.columns("evidence", "ended_by")) == {("schema_change_topic", None)}


@pytest.mark.parametrize("connector", CONNECTORS)
def test_an_alter_is_a_version_that_holds_from_its_position_on(read, source):
    run = read(
        source.define("CREATE", "t", ["id"], ("id",), at=5),
        source.define("ALTER", "t", ["id", "a"], ("id",), at=900),
    )

    versions = run.columns("version", "column_name", "is_current", "since_position")
    assert versions == [
        (1, "id", False, "server1:0:0"),
        (2, "id", True, "server1:0:1"),
        (2, "a", True, "server1:0:1"),
    ]
    since = [place for (place,) in run.columns("since_source_position")]
    assert since[0] < since[1] == since[2]


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_stretch_of_definitions_delivered_again_changes_nothing(read, source):
    first = [
        source.define("CREATE", "t", ["id"], ("id",), at=900),
        source.define("ALTER", "t", ["id", "a"], ("id",), at=1000),
        source.define("ALTER", "t", ["id", "b"], ("b",), at=20000),
    ]
    before = read(*first)
    cut = read(*first, then=[[source.again(first[0])], [source.again(first[1])]])

    assert current(before) == ["id", "b"]
    names = ("version", "is_current", "column_name", "key_position", "since_source_position")
    assert cut.columns(*names) == before.columns(*names)


@pytest.mark.covers("trap 66")
@pytest.mark.parametrize("connector", CONNECTORS)
def test_quoted_names_hold_dots_quotes_and_both(read, source, connector):
    hostile = ["my.table", 'my "own".table', 'a"."b', '"', "o'neil \\ ключ"]
    run = read(*[source.define("CREATE", name, ["id"], at=9) for name in hostile])

    assert {name for (name,) in run.columns("table_name")} == set(hostile)
    schemas = {"sqlserver": "dbo", "oracle": "SHOP"}
    assert {name for (name,) in run.columns("schema_name")} == {schemas.get(connector, "shop")}


@pytest.mark.covers("support SQL Server: definitions from")
@pytest.mark.parametrize("without", [SINCE_2_0, SINCE_1_8 + SINCE_2_0], ids=["1.9", "1.7"])
@pytest.mark.parametrize("connector", CONNECTORS)
def test_layouts_of_old_versions_lack_members(read, source, without):
    source.version = "1.9.7.Final"
    change = source.change("CREATE", "t", [column("id", 1, optional=False), "a"], ("id",))
    run = read(source.statement(None, change, at=5, without=without))

    assert run.columns("column_name", "is_optional", "default_value", "comment", "enum_values") == [
        ("id", False, None, None, None),
        ("a", True, None, None, None),
    ]


@pytest.mark.parametrize("connector", WITH_DDL)
def test_a_record_without_table_changes_defines_nothing(read, source):
    run = read(
        source.define("CREATE", "t", ["id"], at=5),
        source.statement("TRUNCATE TABLE t", at=6, table="t"),
        source.statement("ALTER TABLE t …", at=7, table="t", without=("tableChanges",)),
    )

    assert (current(run), ends(run)) == (["id"], {"t": None})


@pytest.mark.parametrize("connector", WITH_DDL)
def test_a_change_of_an_index_is_no_new_version(read, source):
    run = read(
        source.define("CREATE", "t", ["id"], at=5),
        source.define("ALTER", "t", ["id"], at=6, ddl="CREATE INDEX …"),
    )

    assert run.columns("version", "column_name") == [(1, "id")]


@pytest.mark.covers("trap 69")
@pytest.mark.parametrize("columns", [["id", "a"], None], ids=["up to 2.3", "since 2.4"])
@pytest.mark.parametrize("connector", WITH_DDL)
def test_a_drop_ends_the_table_and_its_columns_stay_known(read, source, columns):
    run = read(
        source.define("CREATE", "t", ["id"], ("id",), at=5),
        source.define("DROP", "t", columns, at=9),
    )

    assert run.columns("column_name", "key_position", "ended_by") == [("id", 1, "dropped")]


@pytest.mark.parametrize("connector", WITH_DDL)
def test_a_table_created_again_after_its_drop_lives(read, source):
    created = source.define("CREATE", "t", ["id"], at=5)
    dropped = source.define("DROP", "t", at=9)
    again = source.define("CREATE", "t", ["id", "a"], at=12)
    run = read(created, dropped, again, then=[[source.again(created), source.again(dropped)]])

    assert (current(run), ends(run)) == (["id", "a"], {"t": None})


@pytest.mark.parametrize("connector", WITH_DDL)
def test_a_row_from_after_the_drop_says_that_the_table_lives(read, source):
    dropped = source.define("DROP", "t", at=9)
    before = read(source.row("t", ["id"], at=8), dropped)
    after = read(dropped, source.row("t", ["id"], at=10))

    assert (ends(before), ends(after)) == ({"t": "dropped"}, {"t": None})


@pytest.mark.covers("trap 65")
@pytest.mark.parametrize("connector", BINLOG)
def test_the_statements_before_a_snapshot_are_not_executed(read, source):
    preamble = [
        source.statement("SET character_set_server=utf8mb4", at=50, snapshot="true"),
        source.define("DROP", "t", at=50, snapshot="true", ddl="DROP TABLE IF EXISTS `shop`.`t`"),
        source.statement("DROP DATABASE IF EXISTS `shop`", at=50, snapshot="true"),
        source.statement("CREATE DATABASE `shop`", at=50, snapshot="true"),
        source.statement("USE `shop`", at=50, snapshot="true"),
    ]
    seen_before = [
        source.define("CREATE", "t", ["id"], ("id",), at=5),
        source.row("t", ["id"], at=6),
    ]
    run = read(*seen_before, then=[[source.again(one) for one in preamble]])

    assert run.columns("column_name", "key_position", "ended_by") == [("id", 1, None)]


@pytest.mark.covers("support MySQL: definitions from")
def test_the_first_snapshot_of_mysql_defines_its_tables(read):
    run = read(
        *example_lines("seq_mysql_schema_changes_initial_snapshot"),
        prefix="mysql-server-1",
    )

    assert run.columns("table_name", "column_name", "key_position", "is_optional", "ended_by") == [
        ("customers", "id", 1, False, None),
        ("customers", "first_name", None, False, None),
    ]


@pytest.mark.covers("trap 65", "support MariaDB: definitions from")
@pytest.mark.parametrize("connector", ["mariadb"])
def test_the_preamble_of_a_real_mariadb_defines_and_drops_nothing(read):
    file = REPOSITORY / "tests/fixtures/real/mariadb_schema_change.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    run = read(*records, prefix="man")

    assert len(records) == 6
    assert run.catalog == []


def test_a_column_added_in_mysql_stands_where_the_table_has_it(read):
    run = read(*example_lines("mysql_3.6_schema_change_alter"), prefix="mysql-server-1")

    assert current(run)[:3] == ["id", "first_name", "middle_name"]
    labels = run.columns("enum_values", where=lambda row: row["column_name"] == "size")
    assert labels == [(["S", "M", "L"],)]


@pytest.mark.covers("support Oracle: definitions from")
@pytest.mark.parametrize("connector", ["oracle"])
def test_oracle_renames_under_the_new_name_and_drops_without_a_definition(read):
    records = example_lines(
        "oracle_2.1.4_schema_change_create", "seq_oracle_schema_change_rename_and_drop"
    )
    renamed = read(*records[:2])
    dropped = read(*records)

    assert ends(renamed) == {"CUSTOMERS": "renamed to DEBEZIUM.CLIENTS", "CLIENTS": None}
    assert current(renamed, "CLIENTS") == current(renamed, "CUSTOMERS")
    assert ends(dropped)["CLIENTS"] == "dropped"


@pytest.mark.parametrize("connector", BINLOG)
def test_a_rename_by_drop_and_create_ends_one_table_and_begins_another(read, source):
    rename = [source.change("DROP", "t"), source.change("CREATE", "u", ["id"])]
    run = read(
        source.define("CREATE", "t", ["id"], at=5),
        source.statement("RENAME TABLE t TO u", *rename, at=9),
    )

    assert ends(run) == {"t": "dropped", "u": None}


@pytest.mark.parametrize("connector", BINLOG)
def test_a_rename_that_names_only_the_new_table_leaves_the_old_one_described(read, source):
    run = read(
        source.define("CREATE", "t", ["id"], at=5),
        source.define("ALTER", "u", ["id"], at=9, ddl="RENAME TABLE t TO u"),
    )

    assert ends(run) == {"t": None, "u": None}


@pytest.mark.parametrize("connector", CONNECTORS)
def test_comments_and_defaults_describe_table_and_columns(read, source):
    change = source.change(
        "CREATE", "t", [column("id", 1, comment="Who.", defaultValueExpression="7")]
    )
    change["table"]["comment"] = "People."
    run = read(source.statement(None, change, at=5))

    described = run.columns("comment", "default_value", "table_comment", "database_type")
    assert [row[:3] for row in described] == [("Who.", "7", "People.")]
    assert described[0][3].upper().startswith("VARCHAR")


@pytest.mark.parametrize("connector", CONNECTORS)
def test_rows_without_schemas_of_a_defined_table_give_topic_and_key(read, source):
    truncate = source.plain_row("t", {"id": 1}, at=6) | {"key": None}
    run = read(
        source.define("CREATE", "t", ["id", "a"], at=5),
        truncate,
        source.plain_row("t", {"id": 1, "a": "x"}, at=7),
    )

    assert run.columns("column_name", "key_position") == [("id", 1), ("a", None)]
    assert {topic for (topic,) in run.columns("topic")} == {truncate["topic"]}


def test_labels_of_an_enum_come_quoted_or_not_and_from_all_versions(read, source):
    enum = column("size", 1, typeName="ENUM", jdbcType=1)
    run = read(
        source.define("CREATE", "t", [{**enum, "enumValues": ["S", "it's", "'"]}], at=5),
        source.define("ALTER", "t", [{**enum, "enumValues": ["'M'", "'it''s'"]}], at=6),
    )

    assert {tuple(labels) for (labels,) in run.columns("enum_values")} == {("S", "it's", "'", "M")}


@pytest.mark.parametrize("connector", ["sqlserver"])
@pytest.mark.parametrize("embedded", [False, True], ids=["definitions", "records"])
def test_a_column_that_an_older_version_left_open_or_had_not_may_be_null(read, source, embedded):
    first, second = {"id": False, "a": True}, {"id": False, "a": False, "new": False}
    records = []
    for at, layout in ((5, first), (7, second)):
        columns = [
            column(name, place, typeName="varchar", optional=optional)
            for place, (name, optional) in enumerate(layout.items(), 1)
        ]
        records.append(source.define("ALTER", "t", columns, at=at))
        if embedded:
            nodes = [
                {"type": "string", "optional": optional, "field": name}
                for name, optional in layout.items()
            ]
            records.append(source.row("t", nodes, at=at + 1))
    run = read(*records)

    assert run.columns("version", "column_name", "is_never_null") == [
        (1, "id", True),
        (1, "a", False),
        (2, "id", True),
        (2, "a", False),
        (2, "new", False),
    ]
