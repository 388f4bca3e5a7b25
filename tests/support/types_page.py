"""The page docs/types.md, written from the tables that the package reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.defined_encoding import TYPE_TABLES
from dbt_debezium_spark.catalog.postgresql_types import postgresql_types
from dbt_debezium_spark.catalog.type_table import TypeCase, TypeEntry
from dbt_debezium_spark.config.options import MODES, default_of
from tests.support.macros import Macros
from tests.support.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "types.md"
TITLES = {
    "postgresql": "PostgreSQL",
    "sqlserver": "SQL Server",
    "oracle": "Oracle",
    "mysql": "MySQL and MariaDB",
}
NOTES = {
    "postgresql": (
        "There is no schema-change topic: embedded schemas tell how a column is written, or `tables.<name>.columns`, where a column"
        ' may be given as `{name: price, database_type: "numeric(10,2)"}`. Arrays are ARRAY of the element\'s type. Columns of other types,'
        " composites among them, are left out by the connector unless `include.unknown.datatypes` is set; what arrives of them is read by"
        " its literal type."
    ),
    "sqlserver": (
        "Left out by the connector: `geometry`, `geography`, `hierarchyid`, `sql_variant`. A type under an alias is known by its JDBC code."
    ),
    "oracle": (
        "Left out by the connector: `LONG`, `LONG RAW`, `BFILE`, `UROWID`, object types. In the modes `double` and `string` numbers without"
        " digits behind the point are integers in records of Debezium before 2.7; the columns read both."
    ),
    "mysql": (
        "A `tinyint(1)` is sent as a number by snapshots and as a boolean after a streamed `CREATE TABLE … BOOLEAN`: both are read."
        " Zero dates arrive as NULL, or as 1970-01-01 where the column is not nullable."
    ),
}
HEAD = """\
# Types

How every type of every connector is encoded in records under each handling mode, and the Spark type it becomes. This page is written by
`tests/support/types_page.py` from the tables that the package reads (`decode/semantic_types.py` and `catalog/*_types.py` in
`src/dbt_debezium_spark/`); a test compares the two. After a change: `UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/unit/test_types_page.py`.

## In short

| in the source | Spark |
|---|---|
| integers up to 32 bits; 64 bits; `bigint unsigned` | INT (Iceberg has no smaller type); BIGINT; DECIMAL(20,0) where it is known as one |
| floating point | FLOAT, DOUBLE; `NaN` and infinities as such |
| decimals | DECIMAL(p,s); STRING with the exact number, of up to 9,864 digits, where p is over 38 or no scale is declared |
| text, enums, sets, UUID, JSON, XML | STRING |
| bytes | BINARY; the text as sent in a text mode, unless the database type is known |
| dates | DATE, also before year 1 and after 9999; PostgreSQL's infinite ones NULL, with their text beside |
| times of day | STRING `HH:MM:SS[.fraction]`; `24:00:00`, negative and longer ones are kept |
| timestamps without and with a zone | TIMESTAMP_NTZ, TIMESTAMP; infinite ones become Debezium's own sentinel instants |
| arrays, maps, points, geometries, vectors | ARRAY, MAP, STRUCT |

## Rules

- A record is read as its own embedded schema says, also when an operator changed a handling mode or a column's type in the middle of
  a topic. A value that the column's type does not hold exactly is then quarantined, not rounded (only DOUBLE takes what it can).
  Without embedded schemas the schema-change topic, the configured columns and the configured modes say how values are written.
- No NULL is silent. A value that cannot be read is NULL, listed in `_cdc_errors` with its text, and in the quarantine.
- A companion `_cdc_text_<column>` stands behind a column whose type does not hold every value: with the text of every value
  (`always`), or only of those that the type does not hold (`beyond`).
- Numbers may be quoted or not, in columns, arrays and structs.
- `decimal.format` shows per value. Base64 and JSON numbers are both read; a decimal of digits alone is a number when it stands in the
  record without quotes. Spark reads a number with a fraction through a double, so set `decimal_format: numeric` where the converter
  writes numbers: every digit then survives. Under `base64` a number with a fraction and more than 15 digits is quarantined.
- An array is read when every element is; elements have no companions.
- A text that stands for bytes (`binary.handling.mode` other than `bytes`) becomes BINARY, and a `bigint unsigned` in mode `long`
  DECIMAL(20,0), where the database type is known: from the schema-change topic, from `column.propagate.source.type`, or
  from configuration. Otherwise the text, and the signed number, stay as they were sent.
- A time of day has as many digits as its type where that is known, else those of its unit.

## What records say
"""


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD, *_semantic_types()]
    for connector, title in TITLES.items():
        parts += ["", f"## {title}", "", NOTES[connector], "", *_connector(connector)]
    return "\n".join(parts) + "\n"


def _semantic_types() -> Iterator[str]:
    macros = _macros("postgresql")
    yield "| Connect type | semantic type | Spark | companion | |"
    yield "|---|---|---|---|---|"
    for literal, encoding in macros.literal_types().items():
        yield f"| {literal} | | {_spark(encoding['spark_type'])} | | {encoding['about']} |"
    for semantic, encoding in macros.semantic_types().items():
        companions = {}
        for connector, title in TITLES.items():
            column = {"type": encoding["literal"], "semantic": semantic}
            kept = _macros(connector).encoding(_config(connector, {}), column).get("exact_text")
            companions.setdefault(kept, []).append(title)
        said = "; ".join(
            kept if len(titles) == len(TITLES) else f"{kept}: {', '.join(titles)}"
            for kept, titles in companions.items()
            if kept
        )
        spark = _spark(encoding["spark_type"])
        yield f"| {encoding['literal']} | `{semantic}` | {spark} | {said} | {encoding['about']} |"


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
    for place, entry in enumerate(usual):
        names = ", ".join(f"`{name}`" for name in entry.types)
        if entry.description:
            names += f" {entry.description}"
        conditions = [said for said, _ in _cases(connector, {}, entry)]
        usual_cases = _cases(connector, {}, entry)
        others: dict[str, list[str]] = {}
        for (option, value), entries in other_modes.items():
            cases = _cases(connector, {option: value}, entries[place])
            if cases != usual_cases:
                others.setdefault(_described(cases), []).append(f"`{option}: {value}`")
        said = "; ".join(f"{', '.join(modes)}: {text}" for text, modes in others.items())
        first, spark = usual_cases[0][1]
        if len(conditions) == 1:
            yield f"| {names} | {first} | {spark} | {said} |"
            continue
        for number, (condition, (record, spark)) in enumerate(usual_cases):
            yield f"| {names}: {condition} | {record} | {spark} | {said if number == 0 else ''} |"


def _described(cases: list[tuple[str | None, tuple[str, str]]]) -> str:
    return ", ".join(
        f"{condition}: {record} → {spark}" if condition else f"{record} → {spark}"
        for condition, (record, spark) in cases
    )


def _cases(
    connector: str, options: Mapping[str, str], entry: TypeEntry
) -> list[tuple[str | None, tuple[str, str]]]:
    macros = _macros(connector, options)
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
        semantic = (encoding.name or "").replace("org.apache.kafka.connect.data", "connect")
        semantic = semantic.removeprefix("io.debezium.")
        record = f"{encoding.type} {semantic}".strip()
        if encoding.is_decimal:
            spark = f"DECIMAL({','.join(_sizes(case, encoding))})"
        else:
            spark = _spark(macros.encoding(config, column)["spark_type"])
        kept = macros.encoding(config, column).get("exact_text")
        cases.append((case.description, (record, f"{spark} and companion" if kept else spark)))
    return cases


def _sizes(case: TypeCase, encoding: ConnectEncoding) -> tuple[str, str]:
    """Return precision and scale of a decimal, `p` and `s` where the column has its own."""
    if "scale" in encoding.parameters:
        return "38", encoding.parameters["scale"]
    precision = "p" if case.precision is None else str(case.precision)
    return precision, "s" if case.scale is None else str(case.scale)


def _spark(spark_type: str) -> str:
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
        block = {"connector": connector, "topic_prefix": "p"}
        block["input"] = {"type": "files", "path": "x"}
        _KNOWN[key] = Macros({"s": {**block, **(options or {})}})
    return _KNOWN[key]


def _config(connector: str, options: Mapping[str, str]) -> Any:
    return _macros(connector, options).source_config("s")


_KNOWN: dict[tuple[Any, ...], Macros] = {}
