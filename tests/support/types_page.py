"""The tables of the page docs/types.md, written from those that the package reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dbt_debezium_spark import decode
from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.defined_encoding import TYPE_TABLES
from dbt_debezium_spark.catalog.postgresql_types import postgresql_types
from dbt_debezium_spark.catalog.type_table import TypeCase, TypeEntry
from dbt_debezium_spark.config.records import MODES, default_of
from tests.support.macros import Macros, macros_of
from tests.support.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "types.md"
TITLES = {
    "postgresql": "PostgreSQL",
    "sqlserver": "SQL Server",
    "oracle": "Oracle",
    "mysql": "MySQL and MariaDB",
}
SEMANTIC_TYPES = "By the schema of the record"


def page(text: str) -> str:
    """Return the text of the page with its tables written anew; its words stay as they are."""
    tables = {SEMANTIC_TYPES: _semantic_types()}
    tables |= {title: _connector(connector) for connector, title in TITLES.items()}
    for title, lines in tables.items():
        table = "".join(f"{line}\n" for line in lines)
        section = re.compile(rf"(^## {title}\n(?:[^|#\n].*\n|\n)*)(?:\|.*\n)+", re.MULTILINE)
        text, count = section.subn(lambda found: found[1] + table, text)  # noqa: B023
        assert count == 1, f"the page has no section with a table under {title}"
    return text


def _semantic_types() -> Iterator[str]:
    yield "| Connect type | semantic type | Spark | companion | |"
    yield "|---|---|---|---|---|"
    for literal, encoding in decode.LITERAL_TYPES.items():
        yield f"| {literal} | | {spark_text(encoding['spark_type'])} | | {encoding['about']} |"
    rows: dict[tuple[str, ...], list[str]] = {}  # types that are alike share a line
    for semantic, encoding in decode.SEMANTIC_TYPES.items():
        companions: dict[str | None, list[str]] = {}
        for connector, title in TITLES.items():
            column = {"type": encoding["literal"], "semantic": semantic}
            kept = decode.encoding_of(_config(connector, {}), column).get("exact_text")
            companions.setdefault(kept, []).append(title)
        companion = "; ".join(
            kept if len(titles) == len(TITLES) else f"{kept}: {', '.join(titles)}"
            for kept, titles in companions.items()
            if kept
        )
        spark = spark_text(encoding["spark_type"])
        alike = (encoding["literal"], spark, companion, _short(encoding["about"]))
        rows.setdefault(alike, []).append(f"`{_short(semantic)}`")
    for (literal, spark, companion, about), names in rows.items():
        yield f"| {literal} | {', '.join(names)} | {spark} | {companion} | {about} |"


def _connector(connector: str) -> Iterator[str]:
    yield "| database type | in the record | Spark | in other modes |"
    yield "|---|---|---|---|"
    usual = _entries(connector, {})
    other_modes = {
        (option, value): _entries(connector, {option: value})
        for option, values in MODES.items()
        if option != "decimal_format"
        for value in values
        if value != default_of(option, connector)
    }
    rows: dict[tuple[Any, ...], list[str]] = {}  # types that are alike share their lines
    for place, entry in enumerate(usual):
        names = [f"`{name}`" for name in entry.types]
        if entry.description:
            names[-1] += f" {entry.description}"
        cases = _cases(connector, {}, entry)
        others: dict[str, list[str]] = {}
        for (option, value), entries in other_modes.items():
            in_mode = _cases(connector, {option: value}, entries[place])
            if in_mode != cases:
                others.setdefault(_described(in_mode), []).append(f"`{value}`")
        modes = "; ".join(f"{', '.join(values)}: {text}" for text, values in others.items())
        alike = (*cases, modes, entry.description and place)
        rows.setdefault(alike, []).extend(names)
    first: dict[str, str] = {}  # type with these modes
    lines: dict[tuple[str, str, Any], list[str]] = {}
    for (*cases, modes, alone), names in rows.items():
        shown = f"as {first[modes]}" if modes in first else modes
        if modes:
            first.setdefault(modes, names[0])
        for number, (condition, (record, spark)) in enumerate(cases):
            text = f"{f': {condition}' if len(cases) > 1 else ''} | {record} | {spark}"
            lines.setdefault((text, "" if number else shown, alone), []).extend(names)
    for (text, shown, _), names in lines.items():
        yield f"| {', '.join(names)}{text} | {shown} |"


def _described(cases: list[tuple[str | None, tuple[str, str]]]) -> str:
    if len({shown for _, shown in cases}) == 1:
        cases = [(None, cases[0][1])]
    return ", ".join(
        f"{condition}: {record} → {spark}" if condition else f"{record} → {spark}"
        for condition, (record, spark) in cases
    )


def _cases(
    connector: str, options: Mapping[str, str], entry: TypeEntry
) -> list[tuple[str | None, tuple[str, str]]]:
    config = _config(connector, options)
    cases = []
    for case in entry.cases:
        encoding = case.encoding
        column = {
            "name": "c",
            "type": encoding.type,
            "semantic": encoding.name,
            "parameters": dict(encoding.parameters),
        }
        record = record_text(column)
        if encoding.is_decimal:
            spark = f"DECIMAL({','.join(_sizes(case, encoding))})"
        else:
            spark = spark_text(decode.encoding_of(config, column)["spark_type"])
        kept = decode.encoding_of(config, column).get("exact_text")
        cases.append((case.description, (record, f"{spark} and companion" if kept else spark)))
    return cases


def record_text(column: Mapping[str, Any]) -> str:
    """Return how a column is encoded as the page writes it."""
    return f"{column['type']} {_short(column.get('semantic') or '')}".strip()


def _short(names: str) -> str:
    """Return a text with semantic types as the page names them."""
    return names.replace("org.apache.kafka.connect.data", "connect").replace("io.debezium.", "")


def _sizes(case: TypeCase, encoding: ConnectEncoding) -> tuple[str, str]:
    """Return precision and scale of a decimal, `p` and `s` where the column has its own."""
    if "scale" in encoding.parameters:
        return "38", encoding.parameters["scale"]
    precision = "p" if case.precision is None else str(case.precision)
    return precision, "s" if case.scale is None else str(case.scale)


def spark_text(spark_type: str) -> str:
    """Return a Spark type as the page writes it."""
    return re.sub(
        r"\b(?!x\b|y\b|wkb\b|srid\b|dimensions\b|vector\b|p\b|s\b)[a-z_]+", _upper, spark_type
    )


def _upper(match: re.Match[str]) -> str:
    return match.group().upper()


def _entries(connector: str, options: Mapping[str, str]) -> tuple[TypeEntry, ...]:
    config = _config(connector, options)
    if connector == "postgresql":
        return postgresql_types(config)
    return TYPE_TABLES[connector](config).entries


def _macros(connector: str, options: Mapping[str, str] | None = None) -> Macros:
    key = (connector, *sorted((options or {}).items()))
    if key not in _KNOWN:
        _KNOWN[key] = macros_of(connector, options or {})
    return _KNOWN[key]


def _config(connector: str, options: Mapping[str, str]) -> Any:
    return _macros(connector, options).source_config("s")


_KNOWN: dict[tuple[Any, ...], Macros] = {}
