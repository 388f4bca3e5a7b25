"""Every type of every connector under every handling mode: the rows of tests/type_cases.

All rows of a connector are decoded by one Spark query, and all their definitions by another.
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
DEFINITION_TYPE = (
    "id int, modes int, field struct<name:string,jdbcType:int,typeName:string,"
    "typeExpression:string,length:int,scale:int>"
)


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
    unread = macros.unread_condition(config, case.column, "text", "value", "prepared")
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


@pytest.fixture(scope="session")
def derived(spark):
    """Derive all encodings of a connector at once: `derived(connector)[place]`."""
    known: dict[str, dict[int, Any]] = {}

    def derive(connector: str) -> dict[int, Any]:
        if connector not in known:
            cases = [(place, one) for place, one in enumerate(CASES[connector]) if one.definition]
            found = groups([json.dumps(case.options, sort_keys=True) for _, case in cases])
            rows, branches = [], []
            for number, group in enumerate(found.values()):
                macros = macros_of(connector, cases[group[0]][1].options)
                branches.append(
                    f"when {number} then " + macros._definition_encoding("field", source(macros))  # noqa: SLF001
                )
                for index in group:
                    place, case = cases[index]
                    of = case.definition
                    field = ("c", of.jdbc_type, of.type_name, of.type_name, of.length, of.scale)
                    rows.append((place, number, field))
            spark.createDataFrame(rows, DEFINITION_TYPE).createOrReplaceTempView("definitions")
            sql = f"select id, case modes {' '.join(branches)} end as encoding from definitions"
            known[connector] = {row["id"]: row["encoding"] for row in spark.sql(sql).collect()}
        return known[connector]

    return derive


def parameters(which: Any) -> Any:
    """Return the rows of all connectors that `which` chooses."""
    return [
        pytest.param(connector, place, id=f"{connector} {case.label}")
        for connector, cases in CASES.items()
        for place, case in enumerate(cases)
        if which(case)
    ]


@pytest.mark.parametrize(("connector", "place"), parameters(lambda case: True))
def test_a_value_becomes_what_the_specification_says(decoded, connector, place):
    case, row = CASES[connector][place], decoded(connector)[place]

    shown = row["shown"]
    if shown is not None and row["spark_type"].startswith("decimal"):
        shown = f"{Decimal(shown):f}"  # Spark prints small ones with an exponent
    assert (row["spark_type"], shown, row["beside"]) == (case.spark_type, case.shown, case.beside)
    # no NULL is silent: it is an error, or its text stands beside it
    is_nowhere = case.shown is None and case.beside is None
    assert row["is_unread"] == (is_nowhere if case.is_unread is None else case.is_unread)


@pytest.mark.parametrize(("connector", "place"), parameters(postgresql.is_configurable))
def test_a_configured_database_type_tells_how_the_connector_encodes(connector, place):
    case = CASES[connector][place]
    macros = macros_of(connector, case.options)
    found = macros.postgresql_encoding(case.about, source(macros))

    expected = {name: value for name, value in case.column.items() if name != "name"}
    assert found == expected


@pytest.mark.parametrize(
    ("connector", "place"), parameters(lambda case: case.definition is not None)
)
def test_a_definition_tells_how_the_connector_encodes(derived, connector, place):
    case, encoding = CASES[connector][place], derived(connector)[place]

    found = {"type": encoding["type"], "semantic": encoding["name"]}
    assert found == {"type": case.column["type"], "semantic": case.column.get("semantic")}
    assert (encoding["parameters"] or {}) == case.column.get("parameters", {})
