"""The tests that `generate` gives a history find what no history may contain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment
from pyspark.sql import SparkSession

from tests.support.paths import REPOSITORY

FOLDER = REPOSITORY / "macros" / "history"
_TEST = re.compile(r"{%- (end)?test ?")
TYPE = (
    "_cdc_key string, _cdc_version int, _cdc_life int, _cdc_valid_from int, _cdc_valid_to int,"
    " _cdc_ended_by string, _cdc_is_current boolean, name string"
)
# a row that changed and was deleted, came again, and another that is there
SOUND: list[tuple[Any, ...]] = [
    ("1", 1, 1, 10, 20, "update", False, "a"),
    ("1", 2, 1, 20, 20, "update", False, "b"),
    ("1", 3, 1, 20, 30, "delete", False, "c"),
    ("1", 4, 2, 40, None, None, True, "d"),
    ("2", 1, 1, 15, None, None, True, "e"),
]
CURRENT = [("d",), ("e",)]


def sql_of(name: str, **arguments: Any) -> str:
    """Return the SQL of a generic test of dbt, on the view `versions`."""
    text = (FOLDER / f"{name}.sql").read_text(encoding="utf-8")
    text = text.split("{%- endtest -%}")[0] + "{%- endtest -%}"
    text = _TEST.sub(lambda match: "{%- endmacro " if match[1] else "{%- macro ", text)
    macros = SimpleNamespace(
        _columns_of_history=lambda model: [],
        _deleted_column=lambda model: None,
        _arguments=list,
        _type_of_tested=lambda column: None,
        _comparable=lambda value, data_type: value,
        quote=lambda column: f"`{column}`",
    )
    environment = Environment(extensions=["jinja2.ext.do"])
    template = environment.from_string(
        text, globals={"debezium_spark": macros, "ref": lambda model: model}
    )
    return str(getattr(template.module, name)("versions", **arguments))


@pytest.fixture
def session(lab_spark: SparkSession) -> Iterator[SparkSession]:
    lab_spark.createDataFrame(CURRENT, "name string").createOrReplaceTempView("current_rows")
    yield lab_spark
    lab_spark.catalog.dropTempView("versions")
    lab_spark.catalog.dropTempView("current_rows")


def found(session: SparkSession, rows: list[tuple[Any, ...]], name: str, **arguments: Any) -> int:
    """Return how many rows a test finds."""
    session.createDataFrame(rows, TYPE).createOrReplaceTempView("versions")
    return session.sql(sql_of(name, **arguments)).count()


def changed(number: int, **values: Any) -> list[tuple[Any, ...]]:
    """Return the sound versions with other values in one."""
    names = [column.split()[0].removeprefix("_cdc_") for column in TYPE.split(",")]
    row = dict(zip(names, SOUND[number], strict=True)) | values
    return [*SOUND[:number], tuple(row.values()), *SOUND[number + 1 :]]


COMPARED = {"current": "current_rows", "columns": ["name"]}


def test_a_sound_history_passes(session: SparkSession) -> None:
    assert found(session, SOUND, "one_current_version") == 0
    assert found(session, SOUND, "versions_follow_each_other") == 0
    assert found(session, SOUND, "current_versions_are_the_rows", **COMPARED) == 0


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(changed(0, valid_to=25), id="overlap"),
        pytest.param(changed(0, valid_to=15), id="gap in a life"),
        pytest.param(changed(0, valid_from=21), id="ends before it begins"),
        pytest.param(changed(2, valid_to=None, ended_by=None), id="open before the next life"),
        pytest.param(changed(2, valid_to=41), id="overlap of lives"),
    ],
)
def test_versions_that_do_not_follow_each_other_are_found(
    session: SparkSession, rows: list[tuple[Any, ...]]
) -> None:
    assert found(session, rows, "versions_follow_each_other") > 0


def test_two_current_versions_of_a_key_are_found(session: SparkSession) -> None:
    assert found(session, changed(2, is_current=True), "one_current_version") == 1


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(changed(4, name="other"), id="another value"),
        pytest.param(SOUND[:4], id="a row too few"),
        pytest.param([*SOUND, ("3", 1, 1, 1, None, None, True, "f")], id="a row too many"),
        pytest.param([*SOUND, ("3", 1, 1, 1, None, None, True, "e")], id="an equal row too many"),
    ],
)
def test_current_versions_that_are_not_the_rows_are_found(
    session: SparkSession, rows: list[tuple[Any, ...]]
) -> None:
    assert found(session, rows, "current_versions_are_the_rows", **COMPARED) > 0
