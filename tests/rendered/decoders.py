"""The SQL of every decoder, for `python -m tests.rendered --types`.

Columns are those of `tests/type_cases` and of the golden sets, under every connector and every
handling mode. A text that was written before is named by its digest, which keeps the file small.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

from dbt_debezium_spark import decode
from dbt_debezium_spark.config.records import MODES
from dbt_debezium_spark.decode.connectors import CONNECTORS
from dbt_debezium_spark.generator.staging_call import staging_call
from dbt_debezium_spark.staging import canonical_key
from tests.support.golden_sets import SETS
from tests.support.macros import Macros, macros_of
from tests.type_cases import encoded
from tests.type_cases.every import EVERY

# What no case has: hostile schemas, types of no connector, edges of the rules for decimals.
ODD_COLUMNS = (
    "int8", "float32", "float64", "map", "struct", "array", "unheard", "bytes x.Unheard",
    "bytes k.Decimal", "bytes k.Decimal scale=x precision=y", "bytes k.Decimal scale=2.7",
    "bytes k.Decimal scale=-2 precision=5", "bytes k.Decimal scale=-20 precision=30",
    "bytes k.Decimal scale=2046 precision=5", "bytes k.Decimal scale=1000 precision=1000",
    "bytes k.Decimal scale=1001 precision=38", "bytes k.Decimal scale=38 precision=38",
    "bytes k.Decimal scale=18 precision=18", "bytes k.Decimal scale=1 precision=19",
    "bytes k.Decimal scale=14 precision=16", "bytes k.Decimal scale=15 precision=16",
    "bytes k.Decimal scale=5 precision=3", "bytes k.Decimal scale=39 precision=39",
    "bytes d.Bits", "bytes d.Bits length=0", "bytes d.Bits length=x", "string binary=hex",
    "string binary=base64", "string binary=base64-url-safe", "string binary=unheard",
    "int64 unsigned=true", "int64 unsigned=false", "int64 t.MicroTime digits=0",
    "int64 t.MicroTime digits=9", "int64 t.NanoTime digits=7", "int32 t.Time digits=2",
)  # fmt: skip
TOLD_BY_DATABASE_TYPE = (
    "string", "string d.Xml", "int64", "int64 t.MicroTimestamp", "int64 t.MicroTime",
    "int64 t.NanoTime", "int32 t.Time", "string t.IsoTime", "bytes", "int32",
)  # fmt: skip
DATABASE_TYPES = ("", "TIME(3)", "time (4)", "SERIAL", "int8 zerofill", "raw(16)", "blob(2,3)")


TEXT_MODES: tuple[tuple[str, dict[str, str]], ...] = (
    ("sqlserver", {"decimal_format": "numeric"}),
    ("oracle", {"binary_handling_mode": "base64"}),
    ("sqlserver", {"binary_handling_mode": "base64-url-safe"}),
    ("mysql", {"binary_handling_mode": "hex"}),
)


def decoders() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of all that is made of a column, under every handling mode."""
    columns = _columns()
    known: set[str] = set()
    for connector, options in _modes():
        macros = macros_of(connector, options)
        config = macros.source_config("s")
        where = " ".join((connector, *options.values()))
        for column in columns:
            told = list(_told(macros, config, column))
            name = f"{where}: {json.dumps(column, sort_keys=True, ensure_ascii=False)}"
            yield name, "\n".join(_once(text, known) for text in told)


def database_types() -> Iterator[tuple[str, str]]:
    """Yield what columns become where their database type is known."""
    types = sorted({case.about for case in EVERY if case.is_told} | set(DATABASE_TYPES))
    for connector, options in _modes("binary_handling_mode"):
        macros = macros_of(connector, options)
        config = macros.source_config("s")
        for one in TOLD_BY_DATABASE_TYPE:
            column = encoded(one)
            lines = []
            for database_type in (*types, None):
                told = decode.known_database_type(config, column, database_type)
                without = decode.without_known_type(told)
                lines.append(f"{database_type}: {json.dumps(told)} {json.dumps(without)}")
            yield f"{connector} {options} {one}", "\n".join(lines)


def layouts() -> Iterator[tuple[str, str]]:
    """Yield how a column of each Spark type takes the values of every other encoding."""
    yield from _layouts("postgresql", {})
    for connector, options in TEXT_MODES:
        yield from _layouts(connector, options, only=("binary", "string"))


def pieces() -> Iterator[tuple[str, str]]:
    """Yield what is made of no column."""
    yield "tables", json.dumps([decode.SEMANTIC_TYPES, decode.LITERAL_TYPES])
    yield "quote_fractions", decode.quote_fractions("text")
    yield "let", decode.let("n", "value", "n + n")
    yield "exact_text_name", decode.exact_text_name("c")
    for decimal_format in MODES["decimal_format"]:
        config = macros_of("mysql", {"decimal_format": decimal_format}).source_config("s")
        yield f"exact_numbers {decimal_format}", decode.exact_numbers(config, "text")


PARTS = (pieces, database_types, decoders, layouts)


def _layouts(
    connector: str, options: dict[str, str], only: tuple[str, ...] = ()
) -> Iterator[tuple[str, str]]:
    macros = macros_of(connector, options)
    config = macros.source_config("s")
    kinds: dict[Any, dict[str, Any]] = {}
    for column in filter(_is_known, _columns()):
        encoding = decode.encoding_of(config, column)
        kinds.setdefault((encoding["kind"], encoding["spark_type"]), column)
    known: set[str] = set()
    for (wanted_kind, wanted), (_, own) in itertools.product(kinds.items(), repeat=2):
        if only and wanted_kind[1] not in only:
            continue
        name = f"{connector} {options} {json.dumps(own)} into {json.dumps(wanted)}"
        column = {**wanted, "layouts": [{"column": own, "hashes": ["1", "-2"]}]}
        told = _told_of_layouts(macros, config, column)
        yield name, "\n".join(_once(text, known) for text in told)


def _told_of_layouts(macros: Macros, config: Any, column: Any) -> Iterator[str]:
    yield _answer(lambda: decode.decode_recorded(config, column, "text", "prepared"))
    others = ("text", "prepared", "_key_layout", "record")
    yield _answer(lambda: decode.decode_recorded(config, column, *others))
    yield _answer(lambda: decode.unavailable_forms(config, column))
    yield _answer(lambda: decode.decoded_columns(config, [column]))
    if _has_companion(macros, config, column):
        yield _answer(lambda: decode.decode_recorded_text(config, column, "text", "prepared"))


def _told(macros: Macros, config: Any, column: Any) -> Iterator[str]:
    yield _answer(lambda: decode.encoding_of(config, column))
    yield _answer(lambda: decode.spark_type_of(config, column))
    yield _answer(lambda: decode.unavailable_forms(config, column))
    yield _answer(lambda: decode.decoded_columns(config, [column]))
    for record in (None, "record"):
        yield _answer(lambda record=record: decode.prepare(config, column, "text", record))
    yield _answer(lambda: decode.decode(config, column, "prepared"))
    if _has_companion(macros, config, column):
        yield _answer(lambda: decode.decode_exact_text(config, column, "prepared"))
    for record in (None, "record"):
        yield _answer(lambda record=record: canonical_key(config, "key", [column], record))


def _has_companion(macros: Macros, config: Any, column: Any) -> bool:
    return _is_known(column) and "exact_text" in decode.encoding_of(config, column)


def _is_known(column: Any) -> bool:
    return column["type"] != "unheard"


def _answer(call: Callable[[], Any]) -> str:
    try:
        answer = call()
    except Exception as error:  # that it fails with the same message is compared, too
        return f"error: {getattr(error, 'msg', error)}"
    return answer if isinstance(answer, str) else json.dumps(answer)


def _once(text: str, known: set[str]) -> str:
    digest = hashlib.md5(text.encode()).hexdigest()
    if digest in known:
        return digest
    known.add(digest)
    return f"{digest} {text}"


def _modes(only: str | None = None) -> Iterator[tuple[str, dict[str, str]]]:
    for connector in CONNECTORS:
        yield connector, {}
        if connector == "mongodb":  # whose columns have no modes
            continue
        for option, values in MODES.items():
            for value in values:
                if only in (None, option):
                    yield connector, {option: value}


def _columns() -> list[dict[str, Any]]:
    named = {**encoded("bytes k.Decimal scale=2 precision=9"), "name": 'it\'s "ä" ${x}\\'}
    columns = [*(case.column for case in EVERY), *map(_odd, ODD_COLUMNS), named]
    for golden in SETS:
        for file in sorted((golden.folder / "models" / "staging").rglob("*.sql")):
            call = staging_call(file.read_text(encoding="utf-8"), lambda *arguments: None)
            assert call is not None, file
            columns += call["columns"]
    return list({json.dumps(one, sort_keys=True): one for one in columns}.values())


def _odd(shorthand: str) -> dict[str, Any]:
    if shorthand.endswith("x.Unheard"):
        return {"name": "c", "type": shorthand.split()[0], "semantic": "x.Unheard"}
    return encoded(shorthand)
