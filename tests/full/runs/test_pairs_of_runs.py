"""Pairs of dbt runs that overlap, each a process that is stopped and resumed, or killed.

Whatever one of them ends with, nothing is in a table twice, and one more run makes the tables those
of runs one after another. Iceberg: each process has its own Spark, and the catalog is one file of
SQLite. Delta: both are clients of one server. `PAIRS` in the environment sets how many.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dbt_debezium_spark.notebook import read_settings
from dev.demo.server import Kind
from dev.simulator.landing import to_jsonl
from tests.cases.log import Log
from tests.support.models import history_models, table_models
from tests.support.paths import PROFILES, REPOSITORY
from tests.support.processes import ProjectOfProcesses, signalled
from tests.support.spark_server import spark_server

pytestmark = pytest.mark.slow

PAIRS = int(os.environ.get("PAIRS", "3"))
COLUMNS = [{"name": "id", "type": "int32"}, {"name": "v", "type": "string"}]
SOURCE = {
    "connector": "postgresql",
    "topic_prefix": "runs",
    "input": {"type": "files", "path": "data/*.jsonl"},
    "history": True,
    "tables": {
        "public.goods": {"replica_identity": "default"},
        "public.visits": {"replica_identity": "full"},
    },
}
MODELS = {
    **table_models("goods", source="runs", columns=COLUMNS, landed=None),
    **history_models("goods", source="runs", columns=COLUMNS),
    **table_models("visits", source="runs", columns=COLUMNS, key=[], landed=None),
    "models/raw_runs.py": (
        "from dbt_debezium_spark import landing\n\n\n"
        "def model(dbt, session):\n"
        "    dbt.config(materialized='debezium_raw')\n"
        "    return landing.land(dbt, session, source='runs')\n"
    ),
}
QUERY = """
{% macro counts() %}
    {% set sql %}
        select 'raw', count(*), count(distinct topic, partition, offset) from {s}.raw_runs
        union all
        select 'stg', count(*), count(distinct _cdc_event_id) from {s}.stg_goods
        union all
        select 'stg', count(*), count(distinct _cdc_event_id) from {s}.stg_visits
        union all
        select 'versions', count(*), count(distinct _cdc_scd_id) from {s}.hist_goods
        union all
        select 'cur', count(*), sum(hash(id, v)) from {s}.cur_goods
        union all
        select 'visits', count(*), sum(hash(id, v)) from {s}.cur_visits
    {% endset %}
    {% for row in run_query(sql).rows %}
        {% do log('counted: ' ~ row.values() | join(' '), info=true) %}
    {% endfor %}
{% endmacro %}
""".replace("{s}", "{{ target.schema }}")


class Project(ProjectOfProcesses):
    """A project whose runs are processes; records land as files of a few rows."""

    def __init__(self, folder: Path, target: str, environment: dict[str, str]) -> None:
        super().__init__(folder, target, environment)
        files = {
            name: text.replace("ref('raw_goods')", "ref('raw_runs')").replace(
                "ref('raw_visits')", "ref('raw_runs')"
            )
            for name, text in MODELS.items()
        }
        self.write(
            files | {"macros/counts.sql": QUERY}, {"vars": {"debezium_sources": {"runs": SOURCE}}}
        )
        self.log, self.files = Log(), 0

    def land(self, rows: int) -> None:
        """Write a file with the inserts and updates of some rows, of both tables."""
        held = len(self.log.records)
        for _ in range(rows):
            number = len(self.log.records) + 1
            self.log.c(number, 10 * number, f"v{number}")
        new = self.log.records[held:]
        (self.folder / "data").mkdir(exist_ok=True)
        text = "".join(
            to_jsonl([replace(record, topic=f"runs.public.{table}") for record in new])
            for table in ("goods", "visits")
        )
        self.files += 1
        (self.folder / "data" / f"{self.files}.jsonl").write_text(text)

    def counts(self) -> list[list[str]]:
        """Return what the tables hold: what, how many rows, and how many of them differ."""
        text = self.run("counts", "run-operation", "counts")
        return [
            line.split("counted: ")[1].split() for line in text.splitlines() if "counted" in line
        ]


@pytest.fixture
def project(target: str, tmp_path: Path) -> Iterator[Project]:
    dropped = ("DEBEZIUM_SPARK_STATE", "DEBEZIUM_SPARK_SCHEMA")
    environment = {name: text for name, text in os.environ.items() if name not in dropped} | {
        "DEBEZIUM_SPARK_MASTER": "local[1]",
        "DEBEZIUM_SPARK_DRIVER_MEMORY": "1g",
    }
    if target == "iceberg":
        yield Project(tmp_path / "runs", target, environment)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEBEZIUM_SPARK_STATE", str(tmp_path / "server"))
        settings = read_settings(REPOSITORY, PROFILES, target)[0]
    with spark_server(Kind.CONNECT, settings) as port:
        remote = {"SPARK_REMOTE": f"sc://127.0.0.1:{port}"}
        yield Project(tmp_path / "runs", target, environment | remote)


@pytest.mark.parametrize("seed", range(PAIRS))
def test_nothing_is_twice(project: Project, seed: int) -> None:
    rng = random.Random(seed)
    project.land(20)
    if seed % 3:
        project.run("before", "run")
        project.land(20)
    first = project.start("first", "run")
    second = None
    try:
        # a start takes about ten seconds, the rest of a run as long
        time.sleep(rng.uniform(0, 12))
        second = project.start("second", "run")
        time.sleep(rng.uniform(2, 15))
        signalled(first, signal.SIGSTOP)
        project.land(10)
        if seed % 3 == 2:
            signalled(second, signal.SIGKILL)
        assert second.wait(600) is not None
        signalled(first, signal.SIGCONT)
        assert first.wait(600) is not None
    finally:
        for process in (first, second):
            if process is not None:
                signalled(process, signal.SIGKILL)
                process.wait()
    for name, process in (("first", first), ("second", second)):
        if process.returncode > 0:
            assert "another run wrote" in project.output(name), project.output(name)

    project.run("after", "run")
    raw, goods, visits, versions, cur, counted = project.counts()
    rows = len(project.log.records)
    assert raw[1:] == [str(2 * rows)] * 2
    assert goods[1:] == visits[1:] == versions[1:] == [str(rows)] * 2
    assert cur[1] == counted[1] == str(rows)
    assert cur[2] == counted[2]
