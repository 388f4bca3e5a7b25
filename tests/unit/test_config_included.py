"""Option `includes` of a table."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, SourceConfig, load_source
from tests.support.macros import Macros


def block(tables: dict[str, Any], connector: str = "postgresql") -> dict[str, Any]:
    return {
        "connector": connector,
        "topic_prefix": "p",
        "input": {"type": "files", "path": "x"},
        "tables": tables,
    }


def load(tables: dict[str, Any], connector: str = "postgresql") -> SourceConfig:
    return load_source("s", {"s": block(tables, connector)})


def test_entries_keep_their_order_and_members_theirs() -> None:
    includes = [{"table": "t_p*", "name": "old"}, {"schema": "tenant_2"}]
    config = load({"public.t": {"includes": includes}})
    described = config.to_dict()
    assert described["tables"]["public.t"] == {"includes": includes}
    assert SourceConfig.from_dict(described) == config


def test_without_any_the_option_is_left_out() -> None:
    assert load({"public.t": {"includes": []}}).to_dict()["tables"]["public.t"] == {}


@pytest.mark.parametrize(
    ("connector", "table", "entry"),
    [
        ("postgresql", "shop.public.t", {"db": "shop_2"}),
        ("mysql", "all.t", {"db": "shard_*"}),
        ("mongodb", "all.t", {"db": "shard_*", "collection": "t"}),
    ],
)
def test_a_database_is_included_where_the_name_tells_the_tables_own(connector, table, entry):
    config = load({table: {"includes": [entry]}}, connector)
    assert config.to_dict()["tables"][table] == {"includes": [entry]}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"public.t": {"includes": "t_p1"}}, "includes is 't_p1'. Write it as a list"),
        ({"public.t": {"includes": ["t_p1"]}}, "includes[0] is 't_p1'. Write it as a mapping"),
        ({"public.t": {"includes": [{}]}}, "includes[0] is empty"),
        ({"public.t": {"includes": [{"table": 5}]}}, "includes[0].table is 5, not text"),
        ({"public.t": {"includes": [{"tabel": "x"}]}}, "Did you mean `table`?"),
        (
            {"public.t": {"includes": [{"table": "x"}, {"table": "x"}]}},
            "names {'table': 'x'} twice",
        ),
        (
            {"public.t": {"includes": [{"db": "x"}]}},
            "Write the table with its database in front: `<database>.public.t`",
        ),
        (
            {
                "public.a": {"includes": [{"table": "x"}]},
                "public.b": {"includes": [{"table": "x"}]},
            },
            "includes {'table': 'x'} in `public.a` and in `public.b`",
        ),
    ],
)
def test_what_is_wrong_is_named_with_the_remedy(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(tables)
    assert message in str(raised.value)


def test_a_member_that_the_connector_does_not_have_is_refused() -> None:
    with pytest.raises(ConfigError, match="unknown option `schema`"):
        load({"all.t": {"includes": [{"schema": "x"}]}}, "mysql")


def test_a_pattern_is_data() -> None:
    """What stands in a name is no pattern of SQL and ends no literal; only `*` is a pattern."""
    macros = Macros({"s": block({"public.t": {"includes": [{"table": "100%_o'r\\*"}]}})})
    (included,) = macros.included_origins(macros.source_config("s"))
    assert included == {
        "table": "public.t",
        "own": {"schema": "public", "table": "t"},
        "members": {"schema": "public", "table": "100%_o'r\\*"},
    }
    condition = macros._matches_text("x", included["members"]["table"])
    assert condition == r"x like '100\\%\\_o\'r\\\\%'"
    assert macros._matches_text("x", "100%") == "x = '100%'"
