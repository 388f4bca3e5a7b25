"""Every type of every connector under every handling mode: the rows of tests/type_cases.

The rows of a connector are records of one table, each with a value in one of its columns: a column
for each encoding. One staging model reads them, and a second one those whose converter writes
decimals as numbers, which is an option of the source. How a connector encodes a database type:
tests/unit/test_catalog_encodings.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from tests.cases.log import Log
from tests.support.blocks import source_options
from tests.support.lab import Lab
from tests.support.raw import raw_row
from tests.type_cases import TypeCase
from tests.type_cases.every import CASES

TOPIC, TABLE = "p.shop.types", "shop.types"
KEY = {"name": "id", "type": "int32"}
PLACES = [
    pytest.param(connector, place, id=f"{connector} {case.label}")
    for connector, cases in CASES.items()
    for place, case in enumerate(cases)
]
# Traps of the specification about values: their rows have the number.
TRAPS = (6, *range(50, 64))
# Spark type, text, text of the companion
Shown = tuple[str, str | None, str | None]


class Decoded:
    """What the models of a connector make of its rows, each by its place."""

    def __init__(self, lab: Lab, connector: str) -> None:
        """Stage the rows and fold them, those with each form of decimals in models of their own."""
        self.staged: dict[int, Shown] = {}
        self.current: dict[int, Shown] = {}
        self.errors: dict[int, list[str] | None] = {}
        self.columns: dict[int, str] = {}
        for decimal_format in ("base64", "numeric"):
            cases = {
                place: case
                for place, case in enumerate(CASES[connector])
                if case.options.get("decimal_format", "base64") == decimal_format
            }
            self._run(lab, connector, decimal_format, cases)

    def _run(
        self, lab: Lab, connector: str, decimal_format: str, cases: dict[int, TypeCase]
    ) -> None:
        source = f"{connector}_{decimal_format}"
        sources = {source: source_options(connector, decimal_format=decimal_format)}
        names: dict[str, str] = {}
        for place, case in cases.items():
            encoding = json.dumps(case.column, sort_keys=True)
            self.columns[place] = names.setdefault(encoding, f"c{len(names)}")
        columns = [KEY, *({**json.loads(told), "name": name} for told, name in names.items())]
        lab.put(f"raw_{source}", lab.rows(self._records(connector, cases)))
        raw, staging, state = (f"{layer}_{source}" for layer in ("raw", "stg", "state"))
        told = {"topics": [TOPIC], "table": TABLE, "key": [KEY], "columns": columns}
        lab.stage(sources, source, raw, staging, **told)
        self._show(lab.tables[lab.name(staging)], self.staged, cases)
        macros = lab.macros(sources, "")
        decoded = [one["name"] for one in macros.decoded_columns(source, columns)]
        lab.fold(sources, source, staging, state, table=TABLE, key=["id"], columns=decoded)
        view = macros.current(state=lab.name(state), columns=decoded, keyless=False)
        self._show(lab.session.sql(view), self.current, cases)

    def _records(self, connector: str, cases: dict[int, TypeCase]) -> Iterable[tuple[Any, ...]]:
        log = Log(connector)
        for place in cases:
            # a fraction of another column stands beside it
            row = {"id": place, self.columns[place]: "VALUE", "z": 1.5}
            log.add("c", {"id": place}, 10 + place, row)
        for record, case in zip(log.records, cases.values(), strict=True):
            value = record.value.replace('"VALUE"', case.value)
            yield raw_row(replace(record, topic=TOPIC, value=value), 1)

    def _show(self, frame: DataFrame, into: dict[int, Shown], cases: dict[int, TypeCase]) -> None:
        types = dict(frame.dtypes)
        texts = [
            _as_text(name, types[name]) for name in sorted({self.columns[place] for place in cases})
        ]
        rest = [name for name in types if name.startswith(("id", "_cdc_text_", "_cdc_errors"))]
        for row in frame.selectExpr(*rest, *texts).collect():
            found = row.asDict()
            place, name = found["id"], self.columns[found["id"]]
            shown = found[name]
            if shown is not None and types[name].startswith("decimal"):
                shown = f"{Decimal(shown):f}"  # Spark prints small ones with an exponent
            into[place] = (types[name], shown, found.get(f"_cdc_text_{name}"))
            if "_cdc_errors" in found:
                self.errors[place] = found["_cdc_errors"]


def _as_text(name: str, kind: str) -> str:
    if kind == "binary":
        return f"hex({name}) as {name}"
    if "binary" in kind:
        return f"to_json({name}, map('ignoreNullFields', 'false')) as {name}"
    return f"cast({name} as string) as {name}"


@pytest.fixture(scope="session")
def decoded(spark: SparkSession) -> Callable[[str], Decoded]:
    """Return what becomes of the rows of a connector, which are staged once."""
    return cache(lambda connector: Decoded(Lab(spark), connector))


@pytest.mark.covers("trap 6", "trap 50", "trap 51", "trap 52", "trap 53", "trap 54", "trap 55")
@pytest.mark.covers("trap 56", "trap 57", "trap 58", "trap 59", "trap 60", "trap 61", "trap 62")
@pytest.mark.covers("trap 63", "support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: types")
@pytest.mark.parametrize(("connector", "place"), PLACES)
def test_a_value_becomes_what_the_specification_says(
    decoded: Callable[[str], Decoded], connector: str, place: int
) -> None:
    case, found = CASES[connector][place], decoded(connector)

    expected = (case.spark_type, case.shown, case.beside)
    assert found.staged[place] == expected
    assert found.current[place] == expected
    # no NULL is silent: it is an error, or its text stands beside it
    is_nowhere = case.shown is None and case.beside is None
    if is_nowhere if case.is_unread is None else case.is_unread:
        (error,) = found.errors[place]
        kind = case.column.get("semantic") or case.column["type"]
        start = f"{found.columns[place]}: not a {kind}: "
        assert error.startswith(start)
        if not case.value.startswith(("{", "[")):
            _check_told(error.removeprefix(start), case)
    else:
        assert found.errors[place] is None


def _check_told(told: str, case: TypeCase) -> None:
    """Compare what an error tells with what was sent; Spark reads fractions as doubles."""
    is_exact = case.options.get("decimal_format") == "numeric"
    sent = json.loads(case.value, parse_float=str if is_exact else float, parse_int=str)
    if isinstance(sent, float):
        assert float(told.strip('"')) == sent
    else:
        assert told == sent[:1000]


@pytest.mark.parametrize("trap", TRAPS)
def test_every_trap_about_values_has_its_rows(trap: int) -> None:
    assert [case for cases in CASES.values() for case in cases if case.trap == trap]
