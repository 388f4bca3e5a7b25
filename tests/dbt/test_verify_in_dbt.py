"""`debezium-spark verify`: each planted fault is found and explained; what cannot be, is named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest import mock

import click
import pytest
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import history_models, table_models

COLUMNS = [
    {"name": "id", "type": "int32"},
    {"name": "v", "type": "string"},
    {"name": "n", "type": "string", "semantic": "io.debezium.data.VariableScaleDecimal"},
    {"name": "x", "type": "double"},
    {"name": "b", "type": "bytes"},
    {"name": "day", "type": "int32", "semantic": "io.debezium.time.Date"},
    {"name": "w", "type": "string"},
]
PLACEHOLDER = "__debezium_unavailable_value"
FIRST = "2023-11-14 22:13:00"


def row(key: int, **values: Any) -> dict[str, Any]:
    return {"id": key, "v": "a", "n": None, "x": 0.5, "b": "AQI=", "day": 19000, "w": "w"} | values


def described(*names: str) -> str:
    """Return the properties by which models name their tables."""
    models = "".join(
        f"  - {{name: {layer}_{name}, config: {{meta: {{debezium_spark: "
        f"{json.dumps({'source': 'held', 'table': f'public.{name}'})}}}}}}}\n"
        for name in names
        for layer in ("stg", "state", "cur", "hist")
        if layer != "hist" or name == "plain"
    )
    return f"version: 2\nmodels:\n{models}"


@pytest.fixture(scope="module")
def project(landed: Callable[..., LandedProject]) -> LandedProject:
    told: dict[str, Any] = {"source": "held", "columns": COLUMNS}
    files = table_models("plain", **told) | history_models("plain", **told)
    files |= table_models("loose", **told, key=[])
    project = landed("held", files | {"models/held.yml": described("plain", "loose")})
    log = Log()
    for key in range(1, 9):
        log.add("c", {"id": key}, 10 * key, row(key))
    # without the value of w, and without one that stood before
    log.add("u", {"id": 20}, 200, row(20, w=PLACEHOLDER))
    project.land_log(1, log, "held.public.plain")
    # equal rows, in a table without a key
    loose = Log()
    for position, v in enumerate("aab"):
        loose.add("c", None, 10 + position, row(1, v=v))
    project.land_log(1, loose, "held.public.loose")
    project.run("run")
    return project


@pytest.fixture
def there(project: LandedProject) -> Iterator[str]:
    """Rows as the source holds them, as another team would copy them."""
    name = project.table("there")
    project.sql(
        f"create or replace table {name} using iceberg as select id, v, n,"
        " cast(x as float) as x, b, cast(day as string) as day, w, 'more' as more"
        " from {schema}.cur_plain"
    )
    project.sql(f"update {name} set w = 'unknown' where id = 20")
    yield name


def verify(project: LandedProject, *arguments: str) -> tuple[int, str]:
    """Return the exit code and what was printed."""
    options = ["--project-dir", str(project.path), "--profiles-dir", str(project.profiles)]
    with mock.patch.dict(os.environ, project._variables):
        result = CliRunner().invoke(app, ["verify", *arguments, *options])
    return result.exit_code, click.unstyle(result.output)


def found(project: LandedProject, *arguments: str) -> tuple[int, dict[str, Any]]:
    code, text = verify(project, *arguments, "--json")
    return code, json.loads(text)


def test_equal_rows(project: LandedProject, there: str):
    code, compared = found(project, "public.plain", "--against", there)

    assert (code, compared["here"], compared["there"], compared["equal"]) == (0, 9, 9, 8)
    assert compared["not_compared"] == {
        "columns": [{"column": "more", "why": "the table has no such column"}],
        "changed": 0,
        "unavailable": {"w": 1},
        "unreadable": {},
    }


FAULTS = {
    "row missing here": (
        "insert into {there} select 30, v, n, x, b, day, w, more from {there} where id = 1",
        "missing here",
        "never seen",
    ),
    "row missing there": ("delete from {there} where id = 2", "missing there", "stands"),
    "value changed": ("update {there} set v = 'other' where id = 3", "value", "stands"),
    "row there twice": (
        "insert into {there} select * from {there} where id = 4",
        "count",
        "stands",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_explained(project: LandedProject, there: str, fault: str):
    statement, what, outcome = FAULTS[fault]
    project.sql(statement.replace("{there}", there))
    code, compared = found(project, "public.plain", "--against", there, "--ranges", "4")

    assert (code, compared["different"]) == (1, {what: 1})
    (shown,) = compared["rows"]
    assert (shown["what"], shown["explained"]["outcome"]["what"]) == (what, outcome)
    if what == "value":
        assert shown["differs"] == [{"column": "v", "here": "a", "there": "other"}]
        assert compared["not_compared"]["unavailable"] == {"w": 1}
    assert compared["ranges"]["all"] == 4 and len(compared["ranges"]["looked_at"]) == 2
    _, text = verify(project, "cur_plain", "--against", there)
    assert f": {what}" in text and "  | public.plain (source held), key " in text


def test_a_row_that_changed_during_the_reading(project: LandedProject, there: str):
    """Key 8 has a record of after that moment; what is there is of before."""
    project.sql(f"update {there} set v = 'before' where id = 8")
    at = project.sql("select max(_cdc_timestamp) as at from {schema}.stg_plain where id = 8")[0][
        "at"
    ]
    later = project.sql(
        f"select id from {{schema}}.stg_plain where _cdc_timestamp >= '{at}' - interval 5 seconds"
    )
    code, compared = found(project, "public.plain", "--against", there, "--read-at", str(at))

    assert (code, compared["not_compared"]["changed"]) == (0, len(later))
    code, compared = found(
        project, "public.plain", "--against", there, "--read-at", str(datetime(2100, 1, 1))
    )
    assert (code, compared["different"]) == (1, {"value": 1})
    assert "before the reading began at 2100-01-01 00:00:00" in compared["notes"][0]


def test_rows_without_a_key(project: LandedProject):
    name = project.table("loose_there")
    project.sql(
        f"create or replace table {name} using iceberg as select * from {{schema}}.cur_loose"
    )
    code, compared = found(project, "public.loose", "--against", name)
    assert (code, compared["here"], compared["equal"]) == (0, 3, 3)

    project.sql(f"update {name} set v = 'b'")
    code, compared = found(project, "public.loose", "--against", name)
    assert (code, compared["different"]) == (1, {"missing there": 1, "count": 1})
    shown = {one["what"]: (one["here"], one["there"]) for one in compared["rows"]}
    assert shown == {"missing there": (2, 0), "count": (1, 3)}
    assert [len(one["explained"]["records"]) for one in compared["rows"]] == [2, 1]


def test_types_and_values_that_cannot_be_compared(project: LandedProject, there: str):
    name = project.table("typed")
    project.sql(
        f"create or replace table {name} using iceberg as select id, v, n, x,"
        " cast(base64(b) as string) as b, if(id = 5, 'infinity', cast(day as string)) as day"
        f" from {there}"
    )
    code, compared = found(project, "public.plain", "--against", name)

    assert code == 0
    assert compared["not_compared"]["columns"] == [
        {"column": "b", "why": "binary here, string there"},
        {"column": "w", "why": "there is no such column there"},
    ]
    assert compared["not_compared"]["unreadable"] == {"day": 1}
    assert compared["equal"] == 8


def test_files(project: LandedProject, there: str, tmp_path: Path):
    rows = project.spark.table(there).drop("b")
    rows.coalesce(1).write.parquet(str(tmp_path / "rows.parquet"))
    rows.coalesce(1).write.json(str(tmp_path / "rows.json"))
    rows.coalesce(1).write.csv(str(tmp_path / "rows.csv"), header=True)
    for form in ("parquet", "json", "csv"):
        code, compared = found(project, "public.plain", "--against", str(tmp_path / f"rows.{form}"))
        assert (form, code, compared["equal"]) == (form, 0, 8)


def test_a_database(project: LandedProject, there: str):
    """Derby comes with Spark: one row was changed behind the connector's back."""
    url = "jdbc:derby:memory:held;create=true"
    rows = project.spark.table(there).selectExpr("id as ID", "if(id = 6, 'back', v) as V")
    rows.write.jdbc(url, '"public"."plain"', mode="overwrite", properties={"user": "public"})
    with mock.patch.dict(os.environ, {"DEBEZIUM_SPARK_JDBC_USER": "public"}):
        code, compared = found(project, "public.plain", "--against", url)

    assert (code, [one["row_key"] for one in compared["rows"]]) == (1, ['{"id":6}'])
    assert compared["rows"][0]["differs"] == [{"column": "v", "here": "a", "there": "back"}]
    assert compared["began"] is not None


def test_an_instant(project: LandedProject, there: str):
    code, compared = found(
        project, "public.plain", "--against", there, "--as-of", "2100-01-01 00:00:00"
    )
    assert (code, compared["equal"]) == (0, 8)
    code, compared = found(project, "public.plain", "--against", there, "--as-of", FIRST)
    assert (code, compared["here"], compared["not_compared"]["changed"]) == (0, 0, 9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("public.plane", "--against", "x"), "no table public.plane. Known: public."),
        (("public.plain", "--against", "no.such"), "no.such cannot be read: "),
        (("public.plain", "--against", "gone.csv"), "gone.csv cannot be read: "),
        (("public.plain", "--against", "{there}", "--read-at", "soon"), "no instant: soon."),
        (("public.loose", "--against", "{there}", "--as-of", FIRST), "public.loose has no history"),
        (
            ("public.plain", "--against", "jdbc:none://h/d?user=u&password=secret"),
            "the URL of --against has a password",
        ),
        (("public.plain", "--against", "jdbc:none://h/d"), "Spark has no driver for jdbc:none:"),
    ],
)
def test_what_cannot_be_verified(
    project: LandedProject, there: str, arguments: tuple[str, ...], words: str
):
    code, text = verify(project, *(one.replace("{there}", there) for one in arguments))

    assert code == 2
    assert words in text and "secret" not in text
