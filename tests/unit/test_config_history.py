"""Options of histories."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, load_source

BLOCK = {
    "connector": "postgresql",
    "topic_prefix": "p",
    "input": {"type": "files", "path": "data"},
}


def history_of(history: Any, **block: Any) -> Any:
    source = load_source("s", {"s": {**BLOCK, **block, "history": history}})
    return source.to_dict().get("history")


def test_a_history_is_on_or_off_or_has_options() -> None:
    assert history_of(True) == {}
    assert history_of(False) == {"enabled": False}
    assert history_of(None) is None
    assert history_of({}) == {}


def test_options_become_plain_values() -> None:
    options = {
        "within_transaction": "all",
        "ignore": ["seen"],
        "valid_to_current": "9999-12-31",
        "first_from": "1900-01-01T02:00:00+02:00",
        "deleted_rows": True,
        "keep": "400 days",
        "names": "dbt",
    }
    assert history_of(options) == {
        "within_transaction": "all",
        "ignore": ["seen"],
        "valid_to_current": "9999-12-31 00:00:00",
        "first_from": "1900-01-01 00:00:00",
        "deleted_rows": True,
        "keep": 400 * 86_400_000_000,
        "names": "dbt",
    }


def test_what_was_read_can_be_read_again() -> None:
    tables = {"public.t": {"history": {"keep": "36 hours", "track": ["a"]}}, "public.u": {}}
    source = load_source("s", {"s": {**BLOCK, "history": True, "tables": tables}})
    assert type(source).from_dict(source.to_dict()) == source


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ("yes", "history is 'yes'. Write true, false, or a mapping"),
        ({"keeps": 1}, "unknown option `keeps`"),
        ({"keep": "a while"}, "history.keep is 'a while', not a duration. Write for example"),
        ({"keep": 0}, "history.keep is 0"),
        ({"track": ["a"], "ignore": ["b"]}, "`track` and `ignore`"),
        ({"track": []}, "history.track is empty"),
        ({"first_from": "then"}, "history.first_from is 'then', not a time"),
        ({"names": "scd"}, "Allowed: "),
        ({"within_transaction": "first"}, "Allowed: "),
        ({"deleted_rows": "yes"}, "Use true or false"),
    ],
)
def test_what_is_wrong_is_said(history: Any, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        history_of(history)
    assert words in str(error.value)


@pytest.mark.parametrize("where", ["source", "table"])
def test_collections_have_histories_as_tables_have(where: str) -> None:
    block: dict[str, Any] = {**BLOCK, "connector": "mongodb"}
    options = {"track": ["name"], "deleted_rows": True}
    if where == "source":
        block["history"] = options
    else:
        block["tables"] = {"inventory.customers": {"history": options}}
    read = load_source("s", {"s": block}).to_dict()
    told = read if where == "source" else read["tables"]["inventory.customers"]
    assert told["history"] == options
