"""Rows of the catalog: what each column of a version is, from which evidence; and as SQL."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

from dbt_debezium_spark.generator.properties import source_properties
from tests.support.blocks import source_options
from tests.support.evidence_rows import (
    Evidence,
    change,
    column,
    events,
    key_schema,
    node,
    seen,
    statement,
)
from tests.support.macros import Macros, macros_of


@pytest.mark.parametrize(
    ("macro", "model"), [("_versions_type", "columns"), ("_disagreements_type", "disagreements")]
)
def test_the_rows_have_the_documented_columns_and_types(macro: str, model: str) -> None:
    macros = macros_of("sqlserver", {})
    types = dict(re.findall(r"(\w+): ([\w<>, ]+?),?\n", str(getattr(macros, macro)())))
    types.pop("columns", None)
    (properties,) = [
        one for one in source_properties("s")["catalog"] if one.name == f"catalog_s__{model}"
    ]
    documented = {one.name: one.data_type.strip('"') for one in properties.columns}

    assert {name: kind.replace(", ", ",") for name, kind in types.items()} == documented
    evidence = Evidence(events(["a"]), statement(change("CREATE", ["b"])))
    made = evidence.column_rows() if model == "columns" else evidence.disagreement_rows()
    assert made
    assert {frozenset(row) for row in made} == {frozenset(types)}
    if model == "columns":
        sql = str(macros.catalog_columns(source="s", schemas="x"))
        assert re.findall(r"^    (?:merged|field)\.(\w+)", sql, re.MULTILINE) == [*documented]


def configured(**options: Any) -> dict[str, Any]:
    """Return the option that configures the table."""
    return {"tables": {"dbo.t": options}}


def declared(**types: str) -> dict[str, Any]:
    """Return configured columns of these types."""
    return {"columns": [{"name": name, "type": kind} for name, kind in types.items()]}


def propagated(**parameters: str) -> dict[str, Any]:
    """Return events of a column with what a connector propagates of it."""
    described = {f"__debezium.source.column.{name}": one for name, one in parameters.items()}
    return events([node("x", parameters=described)])


def enum(allowed: str) -> Any:
    return node("k", name="io.debezium.data.Enum", parameters={"allowed": allowed})


def commented(kind: str, comment: str, at: int) -> dict[str, Any]:
    told = change(kind, ["a"])
    told["table"]["comment"] = comment
    return statement(told, at=at)


NAMES = ("database_name", "schema_name", "table_name")
PLACES = ("column_name", "ordinal_position")
KEYS = ("column_name", "key_position")
WRITTEN = node("x", "double", default=1.5, parameters={"a": "1"}, name="some.Name")
NESTED = {"fields": [{**node("k"), "type": "struct", "fields": [node("id")]}], "type": "struct"}
OUTSIDE = events(None, key_fields=["k"], value_fields=["a"])
TYPED = {"columns": [
    {"name": "price", "database_type": "numeric(10,2)", "optional": False},
    {"name": "tags", "database_type": "hstore[]"},
]}  # fmt: skip
NAMELESS = {"source_db": None, "source_schema": None, "source_table": None}
# evidence, options => columns of the catalog's rows, and what they show
ROWS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], tuple[str, ...], list[Any]]] = {
    # tables
    "a configured table has no position": (
        [], configured(**declared(id="int32"), key=["id"]),
        ("version", "is_current", "since_position", "last_position", "topic", "key_position"),
        [(1, True, None, None, "p.dbo.t", 1)],
    ),
    "a configured table is the found one of its name": (
        [events(None)], configured(**declared(id="int32")), ("database_name", "topics"),
        [("testDB", ["p.dbo.t"])],
    ),
    "SQL Server writes with the name of the database": (
        [statement(change("CREATE", ["id"]))], {}, ("topic",), [("p.testDB.dbo.t",)],
    ),
    "unless it is an old one": (
        [statement(change("CREATE", ["id"]), source_version="1.9.7.Final")], {}, ("topic",),
        [("p.dbo.t",)],
    ),
    "one that does not tell its version is none": (
        [statement(change("CREATE", ["id"]), source_version=None)], {}, ("topic",),
        [("p.testDB.dbo.t",)],
    ),
    "what no topic may be named becomes an underscore": (
        [statement(change("CREATE", ["id"], id='"d"."S"."my table ключ"'))],
        {"connector": "oracle"}, ("topic",), [("p.S.my_table_____",)],
    ),
    "a record that does not name its database is of the one that others name": (
        [events(["a"], at=1, source_db=None, topic="x"), events(["a"], at=2)], {},
        ("database_name", "topics"), [("testDB", ["p.dbo.t", "x"])],
    ),
    "databases of one topic are kept apart": (
        [events(["a"], source_db="one"), events(["a"], at=2, source_db="two")], {},
        ("database_name",), [("one",), ("two",)],
    ),
    "the topic names a table whose source block does not": (
        [events(["a"], topic="p.db.s.x", **NAMELESS)], {}, NAMES, [("db", "s", "x")],
    ),
    "MySQL has databases in the place of schemas": (
        [events(["a"], source_db="shop", source_schema=None)], {"connector": "mysql"}, NAMES,
        [("shop", "shop", "t")],
    ),
    "the comment of a table is that of the last definition": (
        [commented("CREATE", "old", 1), commented("ALTER", " new ", 2)], {}, ("table_comment",),
        [("new",)],
    ),
    "a record without a time is the first": (
        [events(["b"], first_seen={"topic": "p.dbo.t", "partition": 0, "offset": 9}),
         events(["a"], first_seen=seen(1))], {}, ("version", "column_name"), [(1, "b"), (2, "a")],
    ),
    # keys
    "the last record key is the key": (
        [events(["a", "b"], at=2, key_schema=key_schema("b")),
         events(["a", "b"], at=1, key_schema=key_schema("a"))], {}, KEYS, [("a", None), ("b", 1)],
    ),
    "a member of the key that rows lack is the last column": (
        [events(["a"], key_schema=key_schema("a", "shard"))], {}, (*PLACES, "is_key"),
        [("a", 1, True), ("shard", 2, True)],
    ),
    "so are several, if the key has none of the rows'": (
        [events(["a"], key_schema=key_schema("shard", "site"))], {}, (*PLACES, "is_key"),
        [("a", 1, False), ("shard", 2, True), ("site", 3, True)],
    ),
    "one that the configured key lacks has no place": (
        [events(["a"], key_schema=key_schema("a", "shard"))], configured(key=["a"]), PLACES,
        [("a", 1), ("shard", None)],
    ),
    "a key outside of rows without a schema counts if its members are known": (
        [OUTSIDE], configured(**declared(k="string", a="string")), KEYS, [("k", 1), ("a", None)],
    ),
    "else it does not": ([OUTSIDE], configured(**declared(a="string")), KEYS, [("a", None)]),
    "a definition lets them be known, too": (
        [OUTSIDE, statement(change("CREATE", ["k", "a"], ["a"]))], {}, KEYS,
        [("k", 1), ("a", None)],
    ),
    "a struct in a key is no column": (
        [events(["a"], key_schema=json.dumps(NESTED))], {}, KEYS, [("a", None)],
    ),
    # columns
    "a schema is shown as it was written": (
        [events([WRITTEN])], {},
        ("schema_json", "connect_type", "semantic_type", "parameters", "default_value"),
        [('{"type":"double","optional":true,"default":1.5,"parameters":{"a":"1"},'
          '"name":"some.Name","field":"x"}', "double", "some.Name", {"a": "1"}, "1.5")],
    ),
    "a configured database type is a node of a schema": (
        [], {**configured(**TYPED), "connector": "postgresql", "hstore_handling_mode": "map"},
        ("schema_json",),
        [('{"type":"bytes","optional":false,"field":"price",'
          '"name":"org.apache.kafka.connect.data.Decimal",'
          '"parameters":{"scale":"2","connect.decimal.precision":"10"}}',),
         ('{"type":"array","optional":true,"field":"tags",'
          '"items":{"type":"map","optional":true}}',)],
    ),
    **{
        f"the connector can propagate the type {shown}": (
            [propagated(**parameters)], {}, ("database_type",), [(shown,)],
        )
        for shown, parameters in {
            "varchar(9)": {"type": "VARCHAR", "length": "9"},
            "number(9,2)": {"type": "NUMBER", "length": "9", "scale": "2"},
            "int4": {"type": "INT4"},
            None: {"length": "9"},
        }.items()
    },
    "comments are trimmed": (
        [propagated(comment="  of the row  ")], {}, ("comment",), [("of the row",)],
    ),
    "empty ones are none": ([propagated(comment=" ")], {}, ("comment",), [(None,)]),
    "labels are kept of all versions": (
        [events([enum("a,b")], at=1), events([enum("b,c")], at=2)], {}, ("version", "enum_lists"),
        [(1, ["a,b", "b,c"]), (2, ["a,b", "b,c"])],
    ),
    "a type that is no enum has no labels": (
        [statement(change("CREATE", [column("colours", 1, typeName="SET", enumValues=["'a'"])]))],
        {"connector": "mysql"}, ("enum_values",), [(None,)],
    ),
    "columns stand as defined and unknown ones behind them": (
        [statement(change("CREATE", [column("b", 1), column("a", 2)]), at=1),
         events(["x", "a", "b"], at=2)], {}, PLACES, [("x", 3), ("a", 2), ("b", 1)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ROWS)
def test_the_catalog_shows(case: str) -> None:
    rows, options, names, expected = ROWS[case]
    assert Evidence(*rows, **options).columns(*names, current=names == KEYS) == expected


# -- the SQL that carries them to Spark: names and comments in it are data ------------------------


HOSTILE = [
    "o'neil",
    'say "x"',
    "${secret}",
    "back\\slash",
    "line\nend",
    "ключ",
    "\x9b2J",
    "{{ x }}",
]


def macros_over(*rows: dict[str, object], running: bool = True) -> Macros:
    texts = [(json.dumps(row),) for row in rows]
    return Macros(
        {"s": source_options("sqlserver")}, queries={"as evidence_row": texts}, running=running
    )


def sql_of(*rows: dict[str, object], running: bool = True) -> str:
    return str(macros_over(*rows, running=running).catalog_columns(source="s", schemas="x"))


def literals(sql: str) -> list[str]:
    """Return the texts of the literals; Spark's escapes in them are Python's, too."""
    return [ast.literal_eval(one) for one in re.findall(r"^ +\(('.*')\),?$", sql, re.MULTILINE)]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_hostile_name_is_text_and_nothing_else(name: str) -> None:
    sql = sql_of(events(["id", name], source_table=name))

    assert sql.isascii()
    assert "${" not in sql and "\x9b" not in sql
    ((version,),) = map(json.loads, literals(sql))
    assert version["table_name"] == name
    assert [column["column_name"] for column in version["columns"]] == ["id", name]


def test_each_table_is_one_literal() -> None:
    rows = [events(["id"], source_table=table) for table in ("a", "b")]

    assert len(literals(sql_of(*rows))) == 2


def test_without_evidence_there_are_no_rows_and_without_a_run_nothing_is_asked() -> None:
    assert literals(sql_of()) == ["[]"]
    assert literals(sql_of(events(["id"]), running=False)) == ["[]"]


def test_what_is_none_is_left_out() -> None:
    ((version,),) = map(json.loads, literals(sql_of(events(["id"]))))

    assert "ended_by" not in version and "comment" not in version["columns"][0]


def test_the_same_rows_in_another_order_give_the_same_sql() -> None:
    rows = [events(["id"], at=1), events(["id", "a"], at=2), events(["b"], source_table="u")]
    first = sql_of(*rows)

    assert sql_of(*reversed(rows)) == first
    assert sql_of(*rows[:2]) != first


def test_what_the_table_is_made_of_follows_its_rows() -> None:
    def made_of(*names: str) -> str:
        macros = macros_over(events(list(names)))
        macros.catalog_columns(source="s", schemas="x")
        return str(macros.decisions["properties"]["debezium_spark.made_of"])

    assert made_of("id") == made_of("id")
    assert made_of("id") != made_of("id", "a")
