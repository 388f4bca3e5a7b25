"""Every type of every connector under every handling mode: the rows of tests/type_cases.

All rows of a connector are decoded by one Spark query. How a connector encodes a database type:
tests/unit/test_catalog_encodings.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from tests.support.macros import Macros, macros_of
from tests.type_cases import TypeCase, mysql, oracle, postgresql, sqlserver

CASES = {
    "sqlserver": sqlserver.CASES,
    "postgresql": postgresql.CASES,
    "oracle": oracle.CASES,
    "mysql": mysql.CASES,
    "mariadb": mysql.MARIADB_CASES,
}


def source(macros: Macros) -> Any:
    """Return the configuration of the only source."""
    return macros.source_config("s")


def groups(keys: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of equal keys."""
    found: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return found


def decode_sql(case: TypeCase, group: int) -> str:
    """Return the SELECT that reads the records of a group as staging does."""
    macros = macros_of(case.connector, case.options)
    config = source(macros)
    record = "record"
    if config["decimal_format"] == "numeric":
        record = macros.quote_fractions("record")
    encoding = macros.encoding(config, case.column)
    prepared = macros.prepare(config, case.column, "text", "record")
    value = macros.decode(config, case.column, "prepared")
    beside = "cast(null as string)"
    if encoding.get("exact_text"):
        beside = macros.decode_exact_text(config, case.column, "prepared")
    shown = {"binary": "hex(value)"}.get(encoding["spark_type"], "cast(value as string)")
    if "wkb" in encoding["spark_type"] or "<binary" in encoding["spark_type"]:
        shown = "to_json(value, map('ignoreNullFields', 'false'))"
    unread = macros.undecodable_condition(config, case.column, "text", "value", "prepared")
    return f"""
    select id, typeof(value) as spark_type, {shown} as shown, beside, {unread} as is_unread
    from (
        select id, text, prepared, {value} as value, {beside} as beside
        from (
            select id, text, {prepared} as prepared
            from (
                select
                    id,
                    record,
                    from_json({record}, 'struct<after:map<string,string>>').after['c'] as text
                from records
                where modes = {group}
            )
        )
    )"""


@pytest.fixture(scope="session")
def decoded(spark):
    """Decode all rows of a connector at once: `decoded(connector)[place]`."""
    known: dict[str, list[Any]] = {}

    def decode(connector: str) -> list[Any]:
        if connector not in known:
            cases = CASES[connector]
            # decoders ask for the format of decimals; the other modes are in the column
            keys = [
                json.dumps([case.column, case.options.get("decimal_format")], sort_keys=True)
                for case in cases
            ]
            grouped = list(groups(keys).values())
            modes = {place: number for number, group in enumerate(grouped) for place in group}
            rows = [
                (place, modes[place], f'{{"after":{{"id":1,"c":{case.value},"z":1.5}}}}')
                for place, case in enumerate(cases)
            ]
            # hundreds of branches read it
            records = spark.createDataFrame(rows, "id int, modes int, record string")
            records.coalesce(1).localCheckpoint().createOrReplaceTempView("records")
            selects = [decode_sql(cases[group[0]], number) for number, group in enumerate(grouped)]
            found = spark.sql(" union all ".join(selects)).collect()
            known[connector] = sorted(found, key=lambda row: row["id"])
            assert len(found) == len(cases)
        return known[connector]

    return decode


def places() -> Any:
    """Return the rows of all connectors."""
    return [
        pytest.param(connector, place, id=f"{connector} {case.label}")
        for connector, cases in CASES.items()
        for place, case in enumerate(cases)
    ]


@pytest.mark.covers(
    "trap 55", "trap 60", "support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: types"
)
@pytest.mark.parametrize(("connector", "place"), places())
def test_a_value_becomes_what_the_specification_says(decoded, connector, place):
    case, row = CASES[connector][place], decoded(connector)[place]

    shown = row["shown"]
    if shown is not None and row["spark_type"].startswith("decimal"):
        shown = f"{Decimal(shown):f}"  # Spark prints small ones with an exponent
    assert (row["spark_type"], shown, row["beside"]) == (case.spark_type, case.shown, case.beside)
    # no NULL is silent: it is an error, or its text stands beside it
    is_nowhere = case.shown is None and case.beside is None
    assert row["is_unread"] == (is_nowhere if case.is_unread is None else case.is_unread)
