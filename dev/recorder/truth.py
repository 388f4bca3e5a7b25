"""The true final tables, as JSON lines in one canonical text form per type.

The forms (docs/recording.md lists them) are chosen so that a consumer can compare without knowing
PostgreSQL's output settings, and without losing a digit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from dev.recorder.writer import write_json, write_json_lines
from dev.servers import ServerError

_TYPE = re.compile(
    r"^(?P<base>[a-z ]+?)(?:\((?P<digits>[\d,]+)\))?(?P<zone> with(?:out)? time zone)?$"
)
_INTERVAL = re.compile(
    r"^P(?:(?P<years>-?\d+)Y)?(?:(?P<months>-?\d+)M)?(?:(?P<days>-?\d+)D)?"
    r"(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?(?:(?P<seconds>-?[\d.]+)S)?)?$"
)

_DAY_MICROS = 86_400_000_000
_MONTH_DAYS = Decimal("30.4375")
"""Debezium's average month, 365.25 / 12 days."""

DEFAULT_FRACTION_DIGITS = 6


def interval_micros(text: str) -> int:
    """Return the microseconds that Debezium's `MicroDuration` holds for an ISO 8601 interval.

    Args:
        text: as PostgreSQL prints it with `intervalstyle = 'iso_8601'`.
    """
    found = _INTERVAL.match(text)
    if not found:
        raise ServerError(f"recorder: `{text}` is not an interval that PostgreSQL prints.")
    part = {name: Decimal(value or 0) for name, value in found.groupdict().items()}
    days = part["days"] + (part["years"] * 12 + part["months"]) * _MONTH_DAYS
    seconds = (part["hours"] * 60 + part["minutes"]) * 60 + part["seconds"]
    return int(days * _DAY_MICROS + seconds * 1_000_000)


def fraction_digits(pg_type: str) -> int:
    """Return the number of fractional second digits of a time or timestamp type."""
    found = re.search(r"\((\d)\)", pg_type)
    return int(found.group(1)) if found else DEFAULT_FRACTION_DIGITS


def _with_fraction(text: str, digits: int) -> str:
    whole, _, fraction = text.partition(".")
    return f"{whole}.{fraction.ljust(digits, '0')}" if digits else whole


def canonical(text: str | None, pg_type: str) -> Any:
    """Return the canonical JSON value of one column.

    Args:
        text: what the query of `column_expression` returned.
        pg_type: the column's type as PostgreSQL's `format_type` prints it.
    """
    if text is None:
        return None
    if pg_type.endswith("[]"):
        return json.loads(text)
    convert = _CONVERTERS.get(_base(pg_type))
    return convert(text, pg_type) if convert else text


def _base(pg_type: str) -> str:
    found = _TYPE.match(pg_type)
    if not found:
        return pg_type
    return found["base"] + (found["zone"] or "")


def _float(text: str, _pg_type: str) -> Any:
    return text if text in ("NaN", "Infinity", "-Infinity") else float(text)


def _timestamp(text: str, pg_type: str) -> str:
    return _with_fraction(text.replace(" ", "T"), fraction_digits(pg_type))


def _zoned_timestamp(text: str, pg_type: str) -> str:
    if not text.endswith("+00"):
        raise ServerError(f"recorder: `{text}` is not in UTC. Set the session's time zone to UTC.")
    return _timestamp(text[:-3], pg_type) + "Z"


def _time(text: str, pg_type: str) -> str:
    return _with_fraction(text, fraction_digits(pg_type))


_CONVERTERS: dict[str, Callable[[str, str], Any]] = {
    "boolean": lambda text, _: text in ("true", "t"),
    "smallint": lambda text, _: int(text),
    "integer": lambda text, _: int(text),
    "bigint": lambda text, _: int(text),
    "real": _float,
    "double precision": _float,
    "bytea": lambda text, _: text.removeprefix("\\x"),
    "timestamp without time zone": _timestamp,
    "timestamp with time zone": _zoned_timestamp,
    "time without time zone": _time,
    "time with time zone": lambda text, pg_type: _time(text, pg_type) + "Z",
    "interval": lambda text, _: {"text": text, "micros": interval_micros(text)},
}


def column_expression(name: str, pg_type: str) -> str:
    """Return the SQL that reads a column as text, before `canonical`."""
    quoted = '"' + name.replace('"', '""') + '"'
    if pg_type.endswith("[]"):
        return f"array_to_json({quoted})::text"
    if _base(pg_type) == "time with time zone":
        return f"({quoted} at time zone 'UTC')::time({fraction_digits(pg_type)})::text"
    return f"{quoted}::text"


@dataclass(frozen=True)
class Table:
    """What a table holds.

    Attributes:
        name: `<schema>.<table>`.
        key: columns of the primary key, in their order.
        columns: name, type, and whether NULL is allowed.
        rows: canonical values, in the order of the columns.
    """

    name: str
    key: list[str]
    columns: list[tuple[str, str, bool]]
    rows: list[list[Any]]


def save(folder: Path, tables: Iterable[Table]) -> dict[str, int]:
    """Write `<schema>.<table>.jsonl` for each table, and `_columns.json`.

    Args:
        folder: is created.
        tables: what they hold.

    Returns:
        The number of rows by table.
    """
    folder.mkdir(parents=True)
    described: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for table in tables:
        if not table.columns:
            raise ServerError(f"recorder: table {table.name} has no columns; is its name right?")
        names = [name for name, _, _ in table.columns]
        lines = [dict(zip(names, row, strict=True)) for row in table.rows]
        lines.sort(key=lambda line: json.dumps(line, sort_keys=True))
        counts[table.name] = write_json_lines(folder / f"{table.name}.jsonl", lines)
        described[table.name] = {
            "key": table.key,
            "columns": [
                {"name": name, "type": kind, "nullable": nullable}
                for name, kind, nullable in table.columns
            ],
        }
    write_json(folder / "_columns.json", described)
    return counts


def read_tables(connection: Any, tables: Iterable[str]) -> Iterator[Table]:
    """Yield what tables of PostgreSQL hold.

    Args:
        connection: of `servers.postgres.Server.connect`, whose settings fix the output forms.
        tables: `<schema>.<table>` names.
    """
    for table in tables:
        schema, _, name = table.partition(".")
        columns = connection.run(
            "select a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull"
            " from pg_attribute a join pg_class c on c.oid = a.attrelid"
            " join pg_namespace n on n.oid = c.relnamespace"
            " where n.nspname = :schema and c.relname = :name and a.attnum > 0"
            " and not a.attisdropped order by a.attnum",
            schema=schema,
            name=name,
        )
        key = connection.run(
            "select a.attname from pg_index i join pg_class c on c.oid = i.indrelid"
            " join pg_namespace n on n.oid = c.relnamespace"
            " join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)"
            " where i.indisprimary and n.nspname = :schema and c.relname = :name"
            " order by array_position(i.indkey::smallint[], a.attnum)",
            schema=schema,
            name=name,
        )
        kinds = [kind for _, kind, _ in columns]
        selected = ", ".join(column_expression(column, kind) for column, kind, _ in columns)
        rows = [
            list(map(canonical, row, kinds))
            for row in connection.run(f'select {selected} from "{schema}"."{name}"')
        ]
        yield Table(table, [column for (column,) in key], [tuple(one) for one in columns], rows)
