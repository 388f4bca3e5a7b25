"""`debezium-spark maintain` that is killed at a random moment, on both formats.

A retention and the compaction of what is left, of two tables and of raw. Each time the next
`maintain` makes up for it, no row and no count changes, and the next batch makes the rows that a
project without any retention has. Records are delivered again within the retention, so that there
is something to count. `KILLS` in the environment sets how often.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dev.benchmarks.records import PREFIX
from dev.benchmarks.retention_records import COLUMNS, Life
from tests.support.models import table_models
from tests.support.paths import PROFILES
from tests.support.processes import ProjectOfProcesses, signalled
from tests.support.programs import DBT

pytestmark = pytest.mark.slow

COMMAND = DBT.with_name("debezium-spark")
# of a retention
FIRST_STATEMENT = "unix_micros("
# of each table its name, rows, their sum, replays, unexplained events, staged and raw records
Counts = list[list[str]]

KILLS = int(os.environ.get("KILLS", "3"))
TABLES = ("customers", "orders")
DAYS_OF_A_BATCH = 3
# Delta keeps the files of a week unless a project says that no reader needs them
SETTING = "debezium_spark.format: delta"
KEEPS_NO_FILES = 'spark.databricks.delta.retentionDurationCheck.enabled: "false"'
COUNTS = """
{% macro counts() %}
    {% set state = api.Relation.create(schema=target.schema, identifier='state_orders') %}
    {% if execute and load_relation(state) is not none %}
        {% for table in ['customers', 'orders'] %}
            {% set sql %}
                select '{{ table }}', count(*), sum(hash(id, name, note, amount)),
                    (select sum(_cdc_fold_replays) from {s}.state_{{ table }}),
                    (select sum(_cdc_fold_unexplained) from {s}.state_{{ table }}),
                    (select count(*) from {s}.stg_{{ table }}),
                    (select count(*) from {s}.raw_bench where topic like '%{{ table }}')
                from {s}.cur_{{ table }}
            {% endset %}
            {% do log('counted: ' ~ run_query(sql).rows[0].values() | join(' '), info=true) %}
        {% endfor %}
    {% endif %}
{% endmacro %}
""".replace("{s}", "{{ target.schema }}")


class Project(ProjectOfProcesses):
    """A project that says before and after each run what its tables hold."""

    def __init__(self, folder: Path, target: str, retention: dict[str, str]) -> None:
        dropped = ("DEBEZIUM_SPARK_STATE", "DEBEZIUM_SPARK_SCHEMA")
        environment = {name: text for name, text in os.environ.items() if name not in dropped} | {
            "DEBEZIUM_SPARK_MASTER": "local[2]",
            "DEBEZIUM_SPARK_DRIVER_MEMORY": "1g",
        }
        super().__init__(folder, target, environment)
        source = {
            "connector": "postgresql",
            "topic_prefix": PREFIX,
            "input": {"type": "files", "path": str(folder.parent / "data")},
            "retention": retention,
        }
        files = {
            "macros/counts.sql": COUNTS,
            "profiles.yml": (PROFILES / "profiles.yml")
            .read_text(encoding="utf-8")
            .replace(SETTING, f"{SETTING}\n        {KEEPS_NO_FILES}"),
            "models/raw_bench.py": (
                "from dbt_debezium_spark import landing\n\n\n"
                "def model(dbt, session):\n"
                "    dbt.config(materialized='debezium_raw')\n"
                "    return landing.land(dbt, session, source='bench')\n"
            ),
        }
        for table in TABLES:
            about = {"debezium_spark": {"source": PREFIX, "table": f"public.{table}"}}
            models = table_models(table, source=PREFIX, columns=COLUMNS, landed=None)
            files |= {
                name: f"{{{{ config(meta={about}) }}}}\n"
                + text.replace(f"ref('raw_{table}')", "ref('raw_bench')")
                for name, text in models.items()
            }
        hook = "{{ counts() }}"
        self.write(
            files,
            {
                "vars": {"debezium_sources": {PREFIX: source}},
                "on-run-start": [hook],
                "on-run-end": [hook],
            },
        )

    def counts_of_run(self) -> tuple[Counts, Counts]:
        """Run the models; return what the tables held before, and what they hold now."""
        lines = self.run("run", "run", profiles=self.folder).splitlines()
        counted = [line.split("counted: ")[1].split() for line in lines if "counted: " in line]
        return counted[: -len(TABLES)], counted[-len(TABLES) :]

    def maintain(self, killed_after: float | None = None) -> float:
        """Run `debezium-spark maintain`, and return the seconds behind its start.

        `killed_after`: kill it after so many of them.
        """
        log = self.folder / "logs_maintain" / "dbt.log"
        log.unlink(missing_ok=True)
        process = self.start(
            *("maintain", "maintain", "--older-than-days", "0"),
            profiles=self.folder,
            program=COMMAND,
        )
        try:
            while not log.exists() or FIRST_STATEMENT not in log.read_text(encoding="utf-8"):
                assert process.poll() is None, self.output("maintain")
                time.sleep(0.1)
            started = time.monotonic()
            with suppress(subprocess.TimeoutExpired):
                process.wait(600 if killed_after is None else killed_after)
        finally:
            signalled(process)
            process.wait()
        if killed_after is None:
            assert process.returncode == 0, self.output("maintain")
        return time.monotonic() - started


class Days:
    """The records of both tables, in a folder that all projects read."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.next = folder, 0
        self.lives = [Life(table, keys=30) for table in TABLES]
        folder.mkdir()

    @staticmethod
    def _backwards(life: Life, records: list[Any]) -> dict[str, Any]:
        """Return a change behind later ones of its key that no delivery had before."""
        changes = Counter(record["key"] for record in records if record["value"])
        key = changes.most_common(1)[0][0]
        first = next(one for one in records if one["key"] == key and one["value"])
        value = json.loads(first["value"])
        lsn = value["source"]["lsn"] + 1
        value["source"] |= {"lsn": lsn, "sequence": json.dumps([str(lsn), str(lsn)])}
        life.offset += 1
        moment = records[-1]["timestamp"]
        new = {"offset": life.offset, "timestamp": moment, "value": json.dumps(value)}
        return first | new

    def land(self, days: int) -> None:
        """Write a file of some days, and what the connector delivers again at their end."""
        lines = []
        for life in self.lives:
            records = [
                record
                for day in range(self.next, self.next + days)
                for record in life.records(day, 40)
            ]
            again = [dict(record) for record in records[-12:]]
            for record in again:
                life.offset += 1
                record |= {"offset": life.offset, "timestamp": records[-1]["timestamp"]}
            lines += [*records, *again, self._backwards(life, records)]
        self.next += days
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.folder / f"day-{self.next:04}.jsonl").write_text(text, encoding="utf-8")


def test_a_killed_maintenance_is_made_up_for(tmp_path: Path, target: str) -> None:
    rng = random.Random(KILLS)
    days = Days(tmp_path / "data")
    project = Project(tmp_path / "kept", target, {"raw": "24 hours", "staging": "24 hours"})
    twin = Project(tmp_path / "twin", target, {})
    held = run_both(days, project, twin, None)
    seconds = project.maintain()
    for _ in range(KILLS):
        held = run_both(days, project, twin, held)
        project.maintain(killed_after=rng.uniform(0, seconds))
        project.maintain()
    run_both(days, project, twin, held)


def run_both(days: Days, project: Project, twin: Project, held: Counts | None) -> Counts:
    """Run a batch with both, and return what the first one's tables hold.

    `held` is what they held behind the batch before, since when there was a maintenance.
    """
    days.land(DAYS_OF_A_BATCH)
    before, after = project.counts_of_run()
    _, of_twin = twin.counts_of_run()
    print("maintained:", before, "after the batch:", after, "twin:", of_twin, sep="\n  ")
    assert rows_and_counts(after) == rows_and_counts(of_twin)
    assert all(int(replays) and int(unexplained) for *_, replays, unexplained, _, _ in after)
    if held is not None:
        assert rows_and_counts(before) == rows_and_counts(held)
        for now, then in zip(before, held, strict=True):
            assert int(now[-2]) < int(then[-2]) and int(now[-1]) < int(then[-1])
    return after


def rows_and_counts(counts: Counts) -> Counts:
    """Leave out the numbers of staged and raw records."""
    return [table[:-2] for table in counts]
