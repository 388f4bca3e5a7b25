"""Changes of each table, for reviewers: columns, key and tests, from changed files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from dbt_debezium_spark.generator.project_files import Change, FileChange
from dbt_debezium_spark.generator.staging_call import staging_call

_LAYERS = ("stg", "state", "cur", "all", "versions", "hist")
_MODEL = re.compile(
    rf"/(?P<source>[^/]+)/(?:[^/]+/)?(?P<layer>{'|'.join(_LAYERS)})_(?P=source)__(?P<model>.+)$"
)
# Arguments of a staging model besides its columns.
_ARGUMENTS = ("key", "former_keys", "topics", "origins", "shared_topic")


@dataclass
class TableChange:
    """The changes of one table.

    Attributes:
        source: name of the source.
        name: name of the table.
        files: its files by kind of change, such as `stg.sql`.
        columns: `+note string`, `amount decimal(10,2) -> decimal(12,2)` or `-legacy`.
        reads: columns with another encoding but the same type.
        arguments: further arguments of the staging model that changed.
        tests: `+not_null(note)`.
    """

    source: str
    name: str
    files: dict[Change, list[str]] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def table_changes(changes: Iterable[FileChange]) -> tuple[list[TableChange], list[FileChange]]:
    """Return the changes of each table, and the changes of other files.

    Args:
        changes: changes that are drift.

    Returns:
        Changes of tables in the order of sources and names. A table whose files are removed has the
        name of its models.
    """
    by_table: dict[tuple[str, str], list[tuple[str, FileChange]]] = {}
    others = []
    for change in changes:
        match = _MODEL.search(change.path)
        if match is None:
            others.append(change)
            continue
        model, _, ending = match["model"].rpartition(".")
        kind = f"{match['layer']}.{ending}"
        by_table.setdefault((match["source"], model), []).append((kind, change))
    tables = [_table_change(source, model, files) for (source, model), files in by_table.items()]
    return sorted(tables, key=lambda table: (table.source, table.name.lower())), others


def _table_change(source: str, model: str, files: Sequence[tuple[str, FileChange]]) -> TableChange:
    name = next((change.table for _, change in files if change.table), model)
    table = TableChange(source, name)
    retyped: set[str] = set()
    for kind, change in sorted(files, key=lambda file: _LAYERS.index(file[0].split(".")[0])):
        table.files.setdefault(change.change, []).append(kind)
        if change.change is not Change.CHANGED:
            continue
        before, after = change.before or "", change.content or ""
        if kind.endswith(".yml"):
            table.tests += _differences(_tests(before), _tests(after))
        if kind == "cur.yml":
            types = _types(before), _types(after)
            table.columns += _columns(*types)
            retyped = {name for name, kind in types[1].items() if types[0].get(name) != kind}
        elif kind == "stg.sql":
            _compare_calls(table, _call(before), _call(after))
    # several properties files may have a test of the same name
    table.tests = list(dict.fromkeys(table.tests))
    table.reads = [column for column in table.reads if column not in retyped]
    return table


def _columns(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the differences of columns; none if one of the files cannot be read."""
    if not before or not after:
        return []
    added = [f"+{name} {kind}" for name, kind in after.items() if name not in before]
    changed = [
        f"{name} {before[name]} -> {kind}"
        for name, kind in after.items()
        if name in before and before[name] != kind
    ]
    return [*added, *changed, *(f"-{name}" for name in before if name not in after)]


def _compare_calls(
    table: TableChange, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> None:
    if before is None or after is None:
        return
    old = {column["name"]: column for column in before["columns"]}
    new = {column["name"]: column for column in after["columns"]}
    table.reads = [name for name in new if name in old and old[name] != new[name]]
    table.arguments = [name for name in _ARGUMENTS if before[name] != after[name]]


def _call(code: str) -> dict[str, Any] | None:
    # a generated call uses no variable
    return staging_call(code, lambda name, default=None: default)


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the added, changed and removed texts, by their details."""
    return [
        *(f"+{text}" for text in after if text not in before),
        *(f"changed {text}" for text in after if text in before and before[text] != after[text]),
        *(f"-{text}" for text in before if text not in after),
    ]


def _types(text: str) -> dict[str, str]:
    return {
        name: str(column.get("data_type", "")) for name, column in _described_columns(text).items()
    }


def _tests(text: str) -> dict[str, str]:
    """Return the tests of a properties file with their arguments, as `not_null(id)`."""
    tests: dict[str, str] = {}
    properties = _properties(text)
    for column, owner in [("", _model(properties)), *_described_columns(text).items()]:
        for test in _items(owner.get("data_tests")):
            name, arguments = (
                next(iter(test.items()), ("", None)) if isinstance(test, dict) else (test, None)
            )
            name = str(name).removeprefix("debezium_spark.")
            tests[f"{name}({column})" if column else name] = json.dumps(arguments, default=str)
    for test in _items(properties.get("unit_tests")):
        tests["unit test"] = tests.get("unit test", "") + json.dumps(test, default=str)
    return tests


def _described_columns(text: str) -> dict[str, dict[str, Any]]:
    columns = _mappings(_model(_properties(text)).get("columns"))
    return {str(column["name"]): column for column in columns if "name" in column}


def _model(properties: Mapping[str, Any]) -> dict[str, Any]:
    return next(iter(_mappings(properties.get("models"))), {})


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [item for item in _items(value) if isinstance(item, dict)]


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _properties(text: str) -> dict[str, Any]:
    """Return the content of a properties file; an empty dict if it is invalid."""
    try:
        properties = yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
    return properties if isinstance(properties, dict) else {}
