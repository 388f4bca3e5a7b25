"""Names of the fields that a transform added, and the position among them."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config.sources import read_source
from dbt_debezium_spark.decode.connectors import CONNECTORS as KNOWN
from dbt_debezium_spark.flattened.fields import flattened_fields, row_fields
from dbt_debezium_spark.flattened.messages import position_problem, position_warnings
from dbt_debezium_spark.flattened.positions import (
    has_position,
    position_members,
    recommended_fields,
    recommended_line,
    required_members,
)
from dbt_debezium_spark.flattened.recognised import (
    flattened_source,
    is_flattened,
    row_columns,
)
from tests.support.blocks import source_options
from tests.support.paths import REPOSITORY

CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb", "mongodb")


def config(flattened: Any, connector: str = "postgresql") -> dict[str, Any]:
    return read_source("shop", source_options(connector, flattened=flattened)).to_dict()


def test_without_the_option_records_are_envelopes() -> None:
    assert flattened_fields(config(None)) is None


DEFAULTS = {
    "source.lsn": (["__source_lsn", "__lsn"], []),
    # the unqualified one is that of the envelope
    "source.ts_ms": (["__source_ts_ms"], []),
    "ts_ms": (["__ts_ms"], []),
    "op": (["__op"], []),
    "transaction.id": (["__transaction_id", "__id"], []),
}
NAMED = {
    "op": (["x_OP"], []),
    "source.lsn": (["x_lsn"], []),
    "source.ts_ms": (["x_source_ts_ms"], []),
    "transaction.total_order": (["x_total_order"], []),
}
WITH_HEADERS = {"op": (["__op"], ["h.op"]), "source.lsn": ([], ["h.source_lsn"])}


@pytest.mark.parametrize(
    ("block", "members", "added"),
    [
        # by default a member has its short and its long name
        (True, DEFAULTS, None),
        ({}, DEFAULTS, None),
        # configured fields are those and no others
        ({"add_fields": "op:OP, lsn,source.ts_ms,total_order", "add_fields_prefix": "x_"}, NAMED,
         ["__deleted", "x_OP", "x_lsn", "x_source_ts_ms", "x_total_order"]),
        # headers have their own prefix and are no columns
        ({"add_fields": "op", "add_headers": "op,source.lsn", "add_headers_prefix": "h."},
         WITH_HEADERS, ["__deleted", "__op"]),
        # an empty prefix is right where the fields are named
        ({"add_fields": "op,lsn", "add_fields_prefix": ""},
         {"op": (["op"], []), "source.lsn": (["lsn"], [])}, ["__deleted", "op", "lsn"]),
    ],
)  # fmt: skip
def test_members_have_names_of_fields_and_headers(block: Any, members: Any, added: Any) -> None:
    fields = flattened_fields(config(block))

    assert fields is not None
    found = {name: (one["fields"], one["headers"]) for name, one in fields["members"].items()}
    if added is None:
        assert members.items() <= found.items()
        assert {"__deleted", "__op", "__lsn", "__source_db"} <= set(fields["added"])
    else:
        assert (found, fields["added"]) == (members, added)


def test_the_schema_of_a_row_loses_what_was_added_and_nothing_else() -> None:
    row = [{"field": name} for name in ("id", "__mine", "__op", "__deleted", "__lsn")]
    schema = '{"type":"struct","fields":[],"optional":false,"name":"dbt_debezium_spark.Flattened"}'

    assert row_fields(config(True), schema, row) == [{"field": "id"}, {"field": "__mine"}]
    assert row_fields(config(True), '{"type":"struct","name":"shop.t.Envelope"}', row) == row


@pytest.mark.parametrize("connector", CONNECTORS)
def test_the_recommended_line_is_enough_for_a_position(connector: str) -> None:
    paths = recommended_fields(connector)
    members = [path.removeprefix("source.") for path in paths if path.startswith("source.")]

    assert has_position(connector, members)
    assert not has_position(connector, ["version", "db", "table"])
    for alternative in required_members(connector):
        assert has_position(connector, alternative)
        assert set(alternative) <= set(position_members(connector))
        for member in alternative:
            assert not has_position(connector, [one for one in alternative if one != member])


@pytest.mark.parametrize("connector", CONNECTORS)
def test_positions_are_what_the_macros_read_and_the_page_recommends(connector: str) -> None:
    read = KNOWN[connector].log or ["ts_ms", "ord", "tord"]
    text = (REPOSITORY / "docs" / "flattened.md").read_text(encoding="utf-8")

    assert set(position_members(connector)) <= set(read)
    assert f"`{recommended_line({'connector': connector})}`" in text


def test_the_line_keeps_what_is_configured() -> None:
    line = recommended_line(config({"add_fields": "op,table,lsn:LSN"}))

    assert line == (
        "add.fields=op,table,lsn:LSN,source.version,source.name,source.db,source.snapshot,"
        "source.ts_ms,source.sequence,source.schema,ts_ms"
    )


def topic(name: str, flattened: str | None) -> dict[str, Any]:
    return {"topic": name, "flattened": flattened, "event_id": f"{name}:0:3"}


def test_a_table_is_refused_only_if_none_of_its_records_has_a_position() -> None:
    settings = config(True)

    problem = position_problem(settings, "public.a", [topic("shop.public.a", "+")])
    assert problem is not None
    assert problem.startswith(
        "the records of table 'public.a' in topic 'shop.public.a' are flattened, and nothing in"
        " them shows their place in the source's log: none of its fields is added. Configure"
    )
    assert problem.endswith(recommended_line(settings))
    assert position_problem(settings, "public.a", [topic("t", "+lsn")]) is None
    assert position_problem(settings, "public.a", [topic("t", "+"), topic("t", None)]) is None
    assert position_problem(settings, "public.a", []) is None


def test_records_without_a_position_among_others_are_warned_of() -> None:
    settings = config(True, "mysql")
    topics = [topic("a", "+file,pos"), topic("b", "+file,pos,row"), topic("c", None)]

    assert position_warnings(settings, "shop.a", topics) == [
        "some records of table 'shop.a' in topic 'a' are flattened without a position (added are"
        " only file,pos; the first: a:0:3); they are quarantined."
    ]
    assert position_warnings(settings, "shop.a", topics[:1]) == []


def test_init_recognises_the_default_prefix() -> None:
    row = {"id": 1, "__op": "c", "__source_name": "shop", "__connector": "mysql"}
    assert is_flattened(row)
    assert is_flattened({"id": 1, "__deleted": "false"})
    assert is_flattened({"_id": 1, "__deleted": False})
    assert not is_flattened({"id": 1, "__op": None, "deleted": "true"})
    assert flattened_source(row) == {"name": "shop", "connector": "mysql"}
    assert flattened_source({"name": "shop"}) == {}


def test_columns_of_a_table_are_a_flattened_row_if_one_shows_it() -> None:
    names = ["id", "__Op", "__lsn", "_kafka_metadata", "$$offset", "redpanda"]
    assert row_columns(names) == ["id", "__Op", "__lsn"]
    assert row_columns(["id", "op", "__lsn"]) == []
