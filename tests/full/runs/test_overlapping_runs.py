"""Two runs on one project at the same time: between processes, and beyond the reach of the lock."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from pyspark.sql import functions as F

from dbt_debezium_spark import raw_append
from tests.support.paths import PROFILES
from tests.support.programs import DBT

pytestmark = pytest.mark.slow

# -- one machine: the lock ------------------------------------------------------------------------

# Runs until the test lets it go on.
WAITING = """
    import os
    import time

    def model(dbt, session):
        dbt.config(materialized="table")
        open("{folder}/started", "a").close()
        while not os.path.exists("{folder}/go on"):
            time.sleep(0.2)
        return session.range(3)
"""
LOG = """
    {{ config(materialized='debezium_append') }}
    select id, {% if debezium_spark.loads_incrementally() %} 2 {% else %} 1 {% endif %} as run
    from {{ ref('waiting') }}
"""
# What the table holds when a run ends: asking afterwards would start Spark once more.
SAY = """
    {% macro say_what_is_held() %}
        {% if execute %}
            {% set sql = 'select count(*), max(run) from ' ~ target.schema ~ '.log' %}
            {% set rows, last = run_query(sql).rows[0] %}
            {{ log('held: ' ~ rows ~ ' rows, last run ' ~ last, info=true) }}
        {% endif %}
    {% endmacro %}
"""


class Project:
    """A project whose runs wait for a file, called by processes of their own."""

    def __init__(self, folder: Path, target: str) -> None:
        self.folder, self.target = folder, target
        files = {
            "dbt_project.yml": "{name: shop, version: 0.1.0, profile: debezium_spark,"
            " model-paths: [models], config-version: 2, vars: {debezium_sources: {}},"
            " on-run-end: '{{ say_what_is_held() }}',"
            ' models: {+file_format: "{{ target.name }}"}}\n',
            "models/waiting.py": WAITING.format(folder=folder).replace("\n    ", "\n").lstrip(),
            "models/log.sql": LOG,
            "macros/say_what_is_held.sql": SAY,
        }
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start dbt with artifacts and output of its own: `<name>.out`."""
        dropped = ("DEBEZIUM_SPARK_STATE", "DEBEZIUM_SPARK_SCHEMA")
        environment = {k: v for k, v in os.environ.items() if k not in dropped} | {
            "DEBEZIUM_SPARK_MASTER": "local[2]",
            "DEBEZIUM_SPARK_DRIVER_MEMORY": "1g",
            "DBT_TARGET_PATH": str(self.folder / f"target_{name}"),
            "DBT_LOG_PATH": str(self.folder / f"logs_{name}"),
        }
        with self.output(name).open("wb") as output:
            return subprocess.Popen(
                [DBT, "--no-use-colors", *arguments, "--profiles-dir", PROFILES]
                + ["--target", self.target],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def output(self, name: str) -> Path:
        return self.folder / f"{name}.out"

    def said(self, name: str) -> str:
        return self.output(name).read_text()


def wait_for(condition, said, seconds=300):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, said()
        time.sleep(0.2)


def test_a_second_run_waits_and_a_hurried_one_fails_with_exit_code_2(tmp_path, target):
    project = Project(tmp_path / "shop", target)
    processes = []
    try:
        first = project.start("first", "run")
        processes.append(first)
        wait_for(
            lambda: (project.folder / "started").exists() or first.poll() is not None,
            lambda: project.said("first"),
        )
        assert first.poll() is None, project.said("first")

        hurried = project.start("hurried", "run", "--vars", "debezium_lock_timeout_seconds: 0")
        listing = project.start("listing", "ls")
        second = project.start("second", "run")
        processes += [hurried, listing, second]
        assert hurried.wait(300) == 2
        assert f"`dbt run`, process {first.pid} on " in project.said("hurried")
        assert "debezium_lock_timeout_seconds (now 0)" in project.said("hurried")
        assert listing.wait(300) == 0, project.said("listing")
        wait_for(
            lambda: (
                "waiting for another run" in project.said("second") or second.poll() is not None
            ),
            lambda: project.said("second"),
        )
        assert f"process {first.pid} on " in project.said("second")
        assert first.poll() is None

        (project.folder / "go on").touch()
        assert first.wait(300) == 0, project.said("first")
        assert second.wait(300) == 0, project.said("second")
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()
    # the second began when the first had ended: it added to the table
    assert "OK created python table model" in project.said("second")
    assert "held: 3 rows, last run 1" in project.said("first")
    assert "held: 6 rows, last run 2" in project.said("second")


# -- several machines: the table ------------------------------------------------------------------

RAW = """
    import os

    def frame_of(session, batch, *offsets):
        return session.createDataFrame(
            [(one, str(batch)) for one in offsets], "offset bigint, value string"
        ).selectExpr(
            "'t' as topic", "0 as partition", "offset",
            "timestamp'2026-01-01 00:00:00' as timestamp", "0 as timestampType",
            "cast(null as string) as key", "value",
            "cast(null as array<struct<key: string, value: string>>) as headers",
            f"cast({batch} as bigint) as _cdc_batch_id",
            "timestamp'2026-01-01 00:00:00' as _cdc_landed_at",
        )

    class Landed:
        def __init__(self, frame):
            self.frame = frame

        def commit(self):
            pass

    def model(dbt, session):
        dbt.config(materialized="debezium_raw")
        name = f"`{dbt.this.schema}`.`{dbt.this.identifier}`"
        held = session.table(name).selectExpr("max(_cdc_batch_id)").first()[0] or 0
        if os.path.exists(dbt.project_dir + "/overlaps"):
            frame_of(session, held + 1, 2, 3).writeTo(name).append()
        return Landed(frame_of(session, held + 1, held + 1))
"""
SOURCES = {
    "debezium_sources": {
        "shop": {
            "connector": "postgresql",
            "topic_prefix": "dbserver1",
            "input": {"type": "files", "path": "data/*.jsonl"},
        }
    }
}


def test_what_another_run_landed_meanwhile_is_not_landed_twice(dbt_project_factory, target):
    files = {"python_models/raw_shop.py": RAW, "data/one.jsonl": "{}\n"}
    project = dbt_project_factory(files, vars=SOURCES, target=target)
    project.run("run")
    project.write({"overlaps": ""})

    result = project.invoke("run")

    assert not result.success
    assert "another run landed records into" in result.text
    assert "so this run appended nothing" in result.text
    columns = ["offset", "_cdc_batch_id"]
    assert project.rows("raw_shop", columns) == [(1, 1), (2, 2), (3, 2)]

    (project.path / "overlaps").unlink()
    project.run("run")
    assert project.rows("raw_shop", columns) == [(1, 1), (2, 2), (3, 2), (3, 3)]


@pytest.fixture
def raw_table(spark_by_target, target):
    """An empty table with the columns of interest, and its session."""
    session = spark_by_target[target]
    session.sql("create schema if not exists overlaps")
    session.sql("drop table if exists overlaps.raw_shop")
    session.sql(
        f"create table overlaps.raw_shop (offset bigint, _cdc_batch_id bigint) using {target}"
    )
    return session, "`overlaps`.`raw_shop`", target


def records(session, batch, *offsets):
    return session.createDataFrame(
        [(one, batch) for one in offsets], "offset int, _cdc_batch_id int"
    )


@pytest.mark.parametrize("held", [0, 1])
def test_the_table_refuses_an_append_that_the_look_before_could_not_see(
    raw_table, held, monkeypatch
):
    session, table, file_format = raw_table
    for batch in range(1, held + 1):
        raw_append.append(
            session, records(session, batch, 1), raw_append.raw_state(session, table, file_format)
        )
    ours = raw_append.raw_state(session, table, file_format)
    theirs = raw_append.raw_state(session, table, file_format)
    assert ours.batch == held
    raw_append.append(session, records(session, held + 1, 7, 8), theirs)

    # as if the other run committed after the last look and before the append
    monkeypatch.setattr(raw_append, "raw_state", lambda *_: ours)
    with pytest.raises(raw_append.OverlappingRunError, match="another run landed"):
        raw_append.append(session, records(session, held + 1, 8, 9), ours)

    landed = session.table(table).where(F.col("_cdc_batch_id") > held).select("offset").collect()
    assert sorted(row[0] for row in landed) == [7, 8]


def test_an_append_leaves_earlier_rows_and_survives_a_compaction(raw_table):
    session, table, file_format = raw_table
    for batch in (1, 2, 3):
        before = raw_append.raw_state(session, table, file_format)
        if batch == 3:
            compaction = {
                "iceberg": "call system.rewrite_data_files(table => 'overlaps.raw_shop',"
                " options => map('rewrite-all', 'true'))",
                "delta": f"optimize {table}",
            }
            session.sql(compaction[file_format]).collect()
        raw_append.append(session, records(session, batch, batch, batch + 10), before)
    rows = session.table(table).orderBy("offset").collect()
    assert [tuple(row) for row in rows] == [(1, 1), (2, 2), (3, 3), (11, 1), (12, 2), (13, 3)]
