"""One fault has one reason, in whatever form a record comes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from dbt_debezium_spark.inputs.sinks import lenses_line
from dbt_debezium_spark.inputs.sinks.records import checked
from dbt_debezium_spark.inputs.sinks.row_columns import as_rows
from dbt_debezium_spark.landing.record_line import read_row
from dbt_debezium_spark.landing.row_rules import as_candidates, candidate_select
from dbt_debezium_spark.spark.local_frames import local_frame

GOOD = {
    "topic": "t",
    "partition": 0,
    "offset": 7,
    "timestamp": "2026-11-18T11:00:00Z",
    "timestampType": "CreateTime",
    "key": "k",
    "value": "v",
}
HALF = "half of a surrogate pair"
FAULTS: dict[str, tuple[dict[str, Any], str | None]] = {
    "none": ({}, None),
    "no optional member": (dict.fromkeys(("timestamp", "timestampType", "key", "value")), None),
    "numbers as texts": ({"partition": "0", "offset": "7", "timestampType": "1"}, None),
    "no topic": ({"topic": None}, "missing_column: topic"),
    "empty topic": ({"topic": ""}, "bad_value: topic: empty"),
    "no partition": ({"partition": None}, "missing_column: partition"),
    "partition below": ({"partition": -1}, "bad_value: partition: -1"),
    "partition above": ({"partition": 2**31}, "bad_value: partition: 2147483648"),
    "partition of letters": ({"partition": "x" * 200}, f"bad_value: partition: {'x' * 100}"),
    "no offset": ({"offset": None}, "missing_column: offset"),
    "offset below": ({"offset": -5}, "bad_value: offset: -5"),
    "offset above": ({"offset": 2**63}, f"bad_value: offset: {2**63}"),
    "offset of letters": ({"offset": "y"}, "bad_value: offset: y"),
    "timestamp": ({"timestamp": "yesterday"}, "bad_value: timestamp: yesterday"),
    "type of timestamp": ({"timestampType": 7}, "bad_value: timestampType: 7"),
    "half in the key": ({"key": r'{"a":"\ud800"}'}, rf"bad_value: key: {HALF}: \ud800"),
    "half in the value": ({"value": r'["\uDC00"]'}, rf"bad_value: value: {HALF}: \uDC00"),
    "of two faults the first": (
        {"offset": None, "topic": "", "value": r'"\ud800"'},
        "missing_column: offset",
    ),
}
_TEXTS = ", ".join(f"`{name}` string" for name in ("path", *GOOD))
# What a row of a sink's file can hold, whose columns have types by then.
_TYPED = {"partition": "int", "offset": "bigint", "timestamp": "timestamp"}


def _records() -> dict[str, dict[str, Any]]:
    return {name: {**GOOD, **members} for name, (members, _) in FAULTS.items()}


def _of_lines(session: SparkSession) -> Mapping[str, str | None]:
    lines = {name: json.dumps(one).encode() for name, one in _records().items()}
    return {name: read_row("p", 0, 0, text)["reason"] for name, text in lines.items()}


def _of_envelopes(session: SparkSession) -> Mapping[str, str | None]:
    reasons = {}
    for name, one in _records().items():
        if name == "type of timestamp":
            continue  # the sink writes none
        sides = {side: one[side] for side in ("key", "value")}
        text = json.dumps({**sides, "metadata": one}).encode()
        reasons[name] = lenses_line.read_row("p", 0, 0, text)["reason"]
    return reasons


def _texts(session: SparkSession) -> DataFrame:
    rows = [
        (name, *[None if value is None else str(value) for value in one.values()])
        for name, one in _records().items()
    ]
    return local_frame(session, rows, _TEXTS)


def _of_rows(session: SparkSession) -> Mapping[str, str | None]:
    return _reasons(as_candidates(_texts(session), path="path", seq="0"))


def _of_rows_in_sql(session: SparkSession) -> Mapping[str, str | None]:
    texts = _texts(session)
    texts.createOrReplaceTempView("reasons_of_rows")
    types = dict.fromkeys(texts.columns, "string")
    select = candidate_select("select * from reasons_of_rows", types, path="path", seq="0")
    return _reasons(session.sql(select))


def _of_sinks(session: SparkSession) -> Mapping[str, str | None]:
    typed = _texts(session).drop("timestampType")
    fits = " and ".join(
        f"(`{name}` is null or try_cast(`{name}` as {kind}) is not null)"
        for name, kind in _TYPED.items()
    )
    rows = typed.where(fits).selectExpr(
        "path", "cast(0 as bigint) as line", "topic", "key", "value",
        *[f"cast(`{name}` as {kind}) as `{name}`" for name, kind in _TYPED.items()],
    )  # fmt: skip
    found = dict(_reasons(checked(as_rows(rows))))
    found.pop("type of timestamp")
    return found


def _reasons(candidates: DataFrame) -> Mapping[str, str | None]:
    rows = candidates.select("path", "state", "reason").collect()
    assert all((row.state == "record") is (row.reason is None) for row in rows)
    return {row.path: row.reason for row in rows}


@pytest.mark.parametrize(
    ("reasons_of", "least"),
    [
        pytest.param(_of_lines, len(FAULTS), id="JSON lines"),
        pytest.param(_of_envelopes, len(FAULTS) - 1, id="envelopes of a sink"),
        pytest.param(_of_rows, len(FAULTS), id="rows of Parquet, Kafka or a table"),
        pytest.param(_of_rows_in_sql, len(FAULTS), id="rows of a table by SQL"),
        pytest.param(_of_sinks, 12, id="rows of a sink"),
    ],
)
def test_one_fault_has_one_reason_in_every_form(
    spark: SparkSession,
    reasons_of: Callable[[SparkSession], Mapping[str, str | None]],
    least: int,
) -> None:
    found = reasons_of(spark)
    assert found == {name: FAULTS[name][1] for name in found}
    assert len(found) >= least
