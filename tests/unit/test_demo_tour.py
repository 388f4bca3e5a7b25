"""The commands that the demo prints at its end name what exists, and records worth a look."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from dbt.cli.main import cli as dbt
from rich.console import Console

from dbt_debezium_spark.cli import app
from dev.demo import tour
from dev.demo.__main__ import REPOSITORY
from tests.support.paths import DEMO

COMMANDS = {"dbt": dbt, "debezium-spark": typer.main.get_command(app)}
PLACEHOLDER = "__debezium_unavailable_value"


def parsed(stop: tour.Stop) -> dict[str, Any]:
    """Return the values of a command's parameters; a wrong name or value is an error."""
    program, *arguments = shlex.split(stop.command)
    # of dbt, options may stand before and behind the name of a command
    context = COMMANDS[program].make_context(program, arguments)
    values: dict[str, Any] = {}
    while rest := [*getattr(context, "_protected_args", []), *context.args]:
        name, command, rest = context.command.resolve_command(context, rest)  # type: ignore[attr-defined]
        context = command.make_context(name, rest, parent=context)
        values |= context.params
    return values


def records(topic: str) -> list[dict[str, Any]]:
    lines = [
        json.loads(line)
        for file in sorted((DEMO / "postgresql" / "records").glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").split("\n")
        if line
    ]
    return [line for line in lines if line["topic"] == topic]


def payload(text: str | None) -> Any:
    value = json.loads(text or "null")
    return value.get("payload", value) if isinstance(value, dict) else value


@pytest.mark.parametrize("stop", tour.STOPS, ids=lambda stop: stop.command.split()[1])
def test_a_command_can_be_typed_as_it_is_printed(stop: tour.Stop) -> None:
    values = parsed(stop)

    assert Path(values["profiles_dir"]).name == "profiles"
    assert stop.opens in ("", "target/static_index.html", str(values.get("html")))
    for model in re.findall(r"ref\('(\w+)'\)", stop.command):
        assert list((REPOSITORY / "models").rglob(f"{model}.sql")), model


def test_the_demo_prints_each_on_lines_of_its_own() -> None:
    console = Console(width=40, file=io.StringIO())
    tour.show(console, REPOSITORY)
    printed = console.file.getvalue()  # type: ignore[attr-defined]

    for stop in tour.STOPS:
        assert f"\n{tour.programs(REPOSITORY)}/{stop.command}\n" in printed


def test_the_explained_row_lacks_a_value_and_was_sent_twice() -> None:
    (stop, *_) = tour.STOPS
    values = parsed(stop)
    of_row = [
        payload(one["value"])
        for one in records(f"shop.{values['table']}")
        if payload(one["key"]) == {"id": int(values["key"][0])}
    ]
    places = [(one["op"], one["source"]["lsn"]) for one in of_row if one["op"] == "u"]

    assert [one["op"] for one in of_row] == ["r", "u", "u", "u", "r", "u", "r"]
    lacking = [one for one in of_row if PLACEHOLDER in json.dumps(one["after"])]
    assert len(lacking) == 4 and len(places) - len(set(places)) == 1


def test_the_record_in_quarantine_is_there_and_changes_no_row() -> None:
    settings = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    (ignored,) = settings["vars"]["debezium_sources"]["shop"]["ignore_records"]
    of_topic = records(ignored["topic"])
    place = {name: ignored[name] for name in ("partition", "offset")}
    (record,) = [one for one in of_topic if place.items() <= one.items()]
    key = payload(record["key"])
    (truncate,) = [one for one in of_topic if (payload(one["value"]) or {}).get("op") == "t"]

    assert [one for one in of_topic if payload(one["key"]) == key] == [record]
    lsn = payload(record["value"])["source"]["lsn"]
    assert lsn < payload(truncate["value"])["source"]["lsn"]


def test_the_page_of_histories_has_the_same_command() -> None:
    (stop,) = [one for one in tour.STOPS if "as_of" in one.command]
    page = (REPOSITORY / "docs" / "history.md").read_text(encoding="utf-8")

    assert f"```\n.venv/bin/{stop.command}\n```" in page
