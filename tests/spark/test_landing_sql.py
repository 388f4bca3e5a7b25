"""A table that lands by SQL alone: the same rows, rejections and ledger as in the Python model."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.landing.raw_append import OverlappingRunError
from dbt_debezium_spark.landing.statements import Statements
from tests.support.landing_lake import BETWEEN, EARLY, LATE, SCHEMA, Lake
from tests.support.sql_lake import SqlLake, connection, contents

_serial = itertools.count(1)

# How people store records: bytes as Kafka gives them, everything as text, no optional column.
_LAYOUTS = {
    "bytes": (
        "topic binary, `partition` bigint, `offset` decimal(20,0), key binary, value binary,"
        " `timestamp` bigint, timestampType bigint,"
        " headers array<struct<key: string, value: binary>>"
    ),
    "texts": (
        "topic string, `partition` string, `offset` string, key string, value string,"
        " `timestamp` string, timestampType string, headers map<string, string>"
    ),
    "few": "topic string, `partition` int, `offset` bigint, value string, ts timestamp_ntz",
}
_TOPICS = [b"p.s.orders", b"p.s.o'r\\d${x}ers\n", "p.s.\N{GREEK SMALL LETTER ALPHA}".encode()]
_BAD_TOPICS = [None, b"", b"\xff\xfe"]
_VALUES = [
    b'{"op":"c"}',
    b"",
    None,
    b"not json \\ud800",
    b'{"half":"\\ud83d"}',
    b'{"whole":"\\ud83d\\ude00"}',
    b"\xff\xfe",
    b'["\\\\ud800"]',
]


def _row(draw: random.Random, columns: list[str]) -> dict[str, Any]:
    """Return a row; the values are texts or bytes that the table's types are cast from."""
    is_good = draw.random() < 0.8
    hostile: dict[str, list[Any]] = {
        "topic": _BAD_TOPICS,
        "partition": [None, -1, 2**31, "x"],
        "offset": [None, -5, "y"],
        "timestamp": [2**62, "yesterday"],
        "timestampType": [2**40, "z"],
    }
    row: dict[str, Any] = {
        "topic": draw.choice(_TOPICS),
        "partition": draw.choice([0, 0, 1]),
        "offset": draw.randrange(12),
        "key": draw.choice([None, b"", b"k1", b'"\\ud800"']),
        "value": draw.choice(_VALUES),
        "timestamp": draw.randrange(EARLY, LATE + 600_000),
        "timestampType": draw.choice([None, 0, 1]),
        "headers": draw.choice([None, "v"]),
    }
    if draw.random() < 0.2:
        # Nothing orders records without a timestamp, so copies are equal.
        row |= {"key": b"k", "value": b"{}", "timestamp": -1, "timestampType": 0, "headers": None}
    if not is_good:
        name = draw.choice([name for name in hostile if name in columns])
        row[name] = draw.choice(hostile[name])
    return row


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return f"'{value}'"


class Bronze:
    """A table that somebody else fills."""

    def __init__(self, session: SparkSession, layout: str, file_format: str) -> None:
        self.session = session
        self.layout = layout
        self.name = f"{SCHEMA}.records_{next(_serial)}"
        session.sql(f"create schema if not exists {SCHEMA}")
        session.sql(f"create table {self.name} ({_LAYOUTS[layout]}) using {file_format}")

    def add(self, rows: list[dict[str, Any]]) -> None:
        lines = ",\n".join(f"({', '.join(map(_literal, row.values()))})" for row in rows)
        names = list(rows[0])
        self.session.sql(
            f"insert into {self.name} select {', '.join(self._columns(names))} from values {lines}"
        )

    def _columns(self, names: list[str]) -> list[str]:
        column = {name: f"col{place}" for place, name in enumerate(names, 1)}
        number = "try_cast(cast({} as string) as {})"
        if self.layout == "few":
            seconds = f"try_cast(cast({column['timestamp']} as string) as double) / 1000"
            return [
                f"cast({column['topic']} as string)",
                number.format(column["partition"], "int"),
                number.format(column["offset"], "bigint"),
                f"cast({column['value']} as string)",
                f"cast(cast({seconds} as timestamp) as timestamp_ntz)",
            ]
        kinds = dict(part.split(" ")[:2] for part in _LAYOUTS[self.layout].split(", ")[:7])
        texts = {name.strip("`"): kind for name, kind in kinds.items()}
        listed = [
            f"cast({column[name]} as {kind})"
            if kind in ("binary", "string")
            else number.format(column[name], "decimal(20,0)" if "decimal" in kind else kind)
            for name, kind in texts.items()
        ]
        if self.layout == "texts":
            text = f"cast({column['timestamp']} as string)"
            listed[5] = (
                f"case when {text} = '-1' then null when {text} rlike '^[0-9]{{13}}$'"
                f" then cast(timestamp_millis(cast({text} as bigint)) as string) else {text} end"
            )
        header = f"cast({column['headers']} as string)"
        pairs = (
            f"array(named_struct('key', 'h', 'value', cast({header} as binary)))"
            if self.layout == "bytes"
            else f"map('h', {header})"
        )
        return [*listed, f"case when {header} is not null then {pairs} end"]


@pytest.fixture
def session(spark_by_target: dict[str, SparkSession], target: str) -> SparkSession:
    return spark_by_target[target]


@pytest.mark.parametrize(
    "layout",
    [pytest.param(one, marks=pytest.mark.full) for one in _LAYOUTS],
)
def test_both_ways_of_landing_write_the_same(
    session: SparkSession, target: str, tmp_path: Path, layout: str
) -> None:
    draw = random.Random(f"{layout} 3")
    columns = ["topic", "partition", "offset"]
    table: dict[str, Any] = {"type": "table"}
    if layout == "few":
        # Of contradicting copies the earlier one lands: each has a timestamp, or chance decides.
        table["columns"] = {"timestamp": "ts"}
    else:
        columns += ["timestamp", "timestampType"]
    bronze = Bronze(session, layout, target)
    python = Lake(session, tmp_path / "python", target)
    sql = SqlLake(session, tmp_path / "sql", target)
    boundaries: list[str] = []
    reasons: set[str] = set()
    for run in range(4):
        bronze.add([_row(draw, columns) for _ in range(60)])
        if run == 2:
            session.sql(f"delete from {bronze.name} where try_cast(`offset` as int) < 2")
        if run == 3:
            boundaries = [BETWEEN]
        for lake in (python, sql):
            lake.input = {**table, "relation": bronze.name}
            lake.run(boundaries)
        expected, found = contents(python), contents(sql)
        for kind, rows in expected.items():
            only = {
                "python": sorted(set(rows) - set(found[kind]))[:3],
                "sql": sorted(set(found[kind]) - set(rows))[:3],
            }
            assert only == {"python": [], "sql": []}, f"run {run}, {kind}: {only}"
        assert found == expected
        reasons |= {one.split(":")[0] + one.rpartition(":")[2] for one in sql.reasons()}
    assert len(expected["raw"]) > 20
    assert len(reasons) > (4 if layout == "few" else 8)
    assert any(reason.startswith("conflicting_record") for reason in reasons)


@pytest.fixture
def lake(session: SparkSession, target: str, tmp_path: Path) -> SqlLake:
    return SqlLake(session, tmp_path, target)


@pytest.fixture
def bronze(lake: SqlLake) -> Bronze:
    table = Bronze(lake.session, "texts", lake.file_format)
    lake.input = {"type": "table", "relation": table.name}
    return table


def row(offset: Any, value: bytes | None = b"{}", **members: Any) -> dict[str, Any]:
    return {
        "topic": b"p.s.orders", "partition": 0, "offset": offset, "key": b"k", "value": value,
        "timestamp": EARLY, "timestampType": 0, "headers": None, **members,
    }  # fmt: skip


def test_a_second_run_lands_and_writes_nothing(lake: SqlLake, bronze: Bronze) -> None:
    bronze.add([row(0), row(1), row(5, partition=1), row("x")])
    assert lake.land().records == 3
    before = lake.versions()
    assert lake.land().records == 0
    assert lake.versions() == before
    tables = lake.session.sql(f"show tables in {SCHEMA}").collect()
    assert not [one.tableName for one in tables if f"{lake.name}__landing" in one.tableName]


@pytest.mark.full
def test_a_row_that_is_none_is_told_also_when_it_comes_later(
    lake: SqlLake, bronze: Bronze, tmp_path: Path
) -> None:
    python = Lake(lake.session, tmp_path / "python", lake.file_format)
    python.input = lake.input
    bronze.add([row(0)])
    for one in (lake, python):
        one.run()
    bronze.add([row("x"), row(1)])
    for one in (lake, python):
        one.run()
        assert one.offsets() == [0, 1]
        assert [code for _, _, code in one.rejected()] == ["bad_value"]


def test_a_row_that_is_none_is_not_told_again(
    lake: SqlLake, bronze: Bronze, tmp_path: Path
) -> None:
    python = Lake(lake.session, tmp_path / "python", lake.file_format)
    python.input = lake.input
    bronze.add([row(0), row("x")])
    for one in (lake, python):
        one.run()
        lake.session.sql(f"delete from {one.raw}__rejected")
    bronze.add([row(1)])
    for one in (lake, python):
        one.run()
        assert one.offsets() == [0, 1]
        # whoever deletes a rejection accepts the loss
        assert one.rejected() == []


@pytest.mark.full
def test_a_run_that_ended_before_the_ledger_is_made_up_for(lake: SqlLake, bronze: Bronze) -> None:
    bronze.add([row(0), row(1)])
    _land_until(lake, "insert into")
    assert lake.offsets() == [0, 1]
    bronze.add([row(2)])
    _land_until(lake, "merge into")
    lake.run()
    assert lake.offsets() == [0, 1, 2]


def _land_until(lake: SqlLake, statement: str) -> None:
    """Land, and end like a killed process before the first statement that begins like this."""
    whole = connection(lake.session)

    def execute(sql: str) -> object:
        if sql.startswith(statement):
            raise KeyboardInterrupt
        return whole.execute(sql)

    with pytest.raises(KeyboardInterrupt):
        lake.landing(statements=Statements(whole.query, execute, whole.refused)).land(
            f"select * from {lake.relation}"
        )


def test_of_two_runs_at_once_one_appends_nothing(lake: SqlLake, bronze: Bronze) -> None:
    bronze.add([row(0), row(1)])
    whole = connection(lake.session)

    def execute(sql: str) -> object:
        if sql.startswith("merge into"):
            # another run overtakes this one after it has looked at the raw table
            lake.land()
        return whole.execute(sql)

    with pytest.raises(OverlappingRunError, match="another run wrote"):
        lake.landing(statements=Statements(whole.query, execute, whole.refused)).land(
            f"select * from {lake.relation}"
        )
    assert lake.offsets() == [0, 1]


def test_a_relation_or_column_that_is_not_there_is_told(lake: SqlLake, bronze: Bronze) -> None:
    lake.input = {"type": "table", "relation": "nowhere.records"}
    with pytest.raises(
        ValueError, match=r"reads `nowhere\.records`, which Spark cannot: .* Correct"
    ):
        lake.run()
    lake.input = {"type": "table", "relation": bronze.name, "columns": {"topic": "tpc"}}
    with pytest.raises(ValueError, match=r"`input.columns.topic` is `tpc`, which .* does not have"):
        lake.run()
