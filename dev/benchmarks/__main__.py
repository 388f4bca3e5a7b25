"""`python -m dev.benchmarks`: first load and one batch, ours against bare Spark, as ratios."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

WRITE, WINNERS, VERSIONS = "parse and typed write", "winners", "versions"
SIDES = ("bare", "ours")
LOGS = ("short", "long")


class Bench:
    """One Spark, one table format, and the seconds of each part of the work by side."""

    def __init__(self, folder: Path, target: str) -> None:
        """Start Spark with the settings of the profile, its tables below `folder`."""
        from dbt_debezium_spark.notebook import read_settings
        from dbt_debezium_spark.session import session_for
        from tests.support.paths import PROFILES, REPOSITORY

        self.folder = folder
        self.target = target
        self.spark = session_for(read_settings(REPOSITORY, PROFILES, target)[0])
        self.seconds: dict[tuple[str, str], list[float]] = {}

    def keep(self, part: str, side: str, seconds: float) -> None:
        """Note what a part took."""
        self.seconds.setdefault((part, side), []).append(seconds)
        typer.echo(f"  {part}, {side}: {seconds:.1f} s")

    def bare(self, part: str, sql: str) -> None:
        """Run SQL and note its time for the bare side."""
        started = time.perf_counter()
        self.spark.sql(sql)
        self.keep(part, "bare", time.perf_counter() - started)

    def ours(self, part: str, project: Any) -> None:
        """Run the project and note what dbt says its models took, without dbt's own start."""
        result = project.run("run")
        staged = self.spark.table(f"{project.schema}.stg_bench__customers")
        if damaged := staged.where("_cdc_errors is not null").count():
            raise AssertionError(f"{damaged} of the generated records cannot be read")
        times = {r.node.name: r.execution_time for r in result.raw.result}
        self.keep(f"{part}: {WRITE}", "ours", times["stg_bench__customers"])
        self.keep(f"{part}: {WINNERS}", "ours", times["state_bench__customers"])
        if "versions_bench__customers" in times:
            self.keep(f"{part}: {VERSIONS}", "ours", times["versions_bench__customers"])

    def project(self, name: str, history: bool = False) -> Any:
        """Return a dbt project over the table `<name>.landed`, with its history if wanted."""
        from dev.benchmarks.records import COLUMNS, TOPIC
        from tests.support.project import create_project

        data = self.folder / name / "data"
        data.mkdir(parents=True)
        source: dict[str, Any] = {
            "connector": "postgresql",
            "topic_prefix": "bench",
            "input": {"type": "files", "path": str(data)},
            # otherwise the catalog says whether keys can be made up, and there is none here
            "tables": {"public.customers": {"replica_identity": "default"}},
        }
        columns = json.dumps(COLUMNS)
        names = json.dumps([column["name"] for column in COLUMNS])
        files = {
            "models/raw_bench.sql": (
                "{{ config(materialized='view') }}\n" + f"select * from {name}.landed"
            ),
            "models/stg_bench__customers.sql": (
                "{{ config(materialized='debezium_append') }}\n"
                "{{ debezium_spark.staging(source='bench', raw=ref('raw_bench'),"
                f" topics=['{TOPIC}'], table='public.customers',"
                f" key=[{{'name': 'id', 'type': 'int32'}}], columns={columns}) }}}}"
            ),
            "models/state_bench__customers.sql": (
                "{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}\n"
                "{{ debezium_spark.state(source='bench', table='public.customers',"
                f" staging=ref('stg_bench__customers'), key=['id'], columns={names}) }}}}"
            ),
        }
        if history:
            source["history"] = True
            files["models/versions_bench__customers.sql"] = (
                "{{ config(materialized='debezium_versions') }}\n"
                "{{ debezium_spark.versions(source='bench', table='public.customers',"
                f" staging=ref('stg_bench__customers'), key=['id'], columns={names}) }}}}"
            )
        return create_project(
            self.folder / name,
            schema=name,
            target=self.target,
            spark=self.spark,
            files=files,
            variables={"debezium_sources": {"bench": source}},
        )

    def median(self, part: str, side: str) -> float:
        """Return the median of what a part took."""
        return _median(self.seconds[part, side])

    def table(self) -> Table:
        """Return medians and ratios, the sums of first load and batch included."""
        table = Table(title="seconds (median) and ratio to bare Spark")
        for heading in ("work", "bare", "ours", "ratio"):
            table.add_column(heading, justify="left" if heading == "work" else "right")
        for part in ("first load", "batch"):
            sums = dict.fromkeys(SIDES, 0.0)
            for label in (WRITE, WINNERS):
                times = {s: self.median(f"{part}: {label}", s) for s in SIDES}
                sums = {side: sums[side] + times[side] for side in SIDES}
                table.add_row(f"{part}: {label}", *_cells(times))
            table.add_row(f"[bold]{part}: all", *_cells(sums))
        return table

    def log_table(self) -> Table:
        """Return medians of a batch by the length of the log before it."""
        table = Table(title="a batch on a staged log, and on one ten times as long: seconds")
        for heading in ("work", *LOGS, "ratio"):
            table.add_column(heading, justify="left" if heading == "work" else "right")
        for label in (WRITE, WINNERS):
            short, long = (self.median(f"batch, {one} log: {label}", "ours") for one in LOGS)
            table.add_row(label, f"{short:.1f}", f"{long:.1f}", f"{long / short:.2f}")
        return table


def measure_first_load(bench: Bench, events: int, keys: int, repeats: int) -> None:
    """Measure staging and state of a table that does not exist yet."""
    from dev.benchmarks import bare
    from dev.benchmarks.records import change_records

    spark, target = bench.spark, bench.target
    spark.sql("create schema if not exists load")
    landed = change_records(spark, 0, events, keys, 1)
    landed.writeTo("load.landed").using(target).partitionedBy("topic").createOrReplace()
    project = bench.project("load")
    bench.ours("warm-up", project)
    for _round in range(repeats):
        for name in ("stg_bench__customers", "state_bench__customers", "bare_events", "bare_rows"):
            spark.sql(f"drop table if exists load.{name}")
        bench.ours("first load", project)
        parsed, winners = bare.parse("load.landed", 1), bare.winners("load.bare_events", 1)
        bench.bare(
            f"first load: {WRITE}", f"create table load.bare_events using {target} as {parsed}"
        )
        bench.bare(
            f"first load: {WINNERS}",
            f"create table load.bare_rows using {target} {bare.properties(target)} as {winners}",
        )


def measure_long_log(bench: Bench, rows: int, batch: int, repeats: int) -> None:
    """Measure a batch on a staged log, and on one ten times as long, with the same rows."""
    from dev.benchmarks.records import change_records

    spark, target = bench.spark, bench.target
    spark.sql("create schema if not exists log")
    landed = change_records(spark, 0, rows, rows, 1, reads=True)
    landed.writeTo("log.landed").using(target).partitionedBy("topic").createOrReplace()
    project = bench.project("log")
    bench.ours("build", project)
    staged, number = rows, 1

    def add(count: int, part: str) -> None:
        nonlocal staged, number
        number += 1
        change_records(spark, staged, count, rows, number).writeTo("log.landed").append()
        staged += count
        bench.ours(part, project)

    add(batch, "warm-up batch")
    for _round in range(repeats):
        add(batch, "batch, short log")
    add(rows * 9, "growth")
    for _round in range(repeats):
        add(batch, "batch, long log")


def measure_batch(bench: Bench, rows: int, batch: int, repeats: int) -> None:
    """Measure a small batch on a large state."""
    from dev.benchmarks import bare
    from dev.benchmarks.records import change_records

    spark, target = bench.spark, bench.target
    spark.sql("create schema if not exists batch")
    landed = change_records(spark, 0, rows, rows, 1, reads=True)
    landed.writeTo("batch.landed").using(target).partitionedBy("topic").createOrReplace()
    project = bench.project("batch")
    bench.ours("build", project)
    parsed, winners = bare.parse("batch.landed", 1), bare.winners("batch.bare_events", 1)
    spark.sql(f"create table batch.bare_events using {target} as {parsed}")
    spark.sql(f"create table batch.bare_rows using {target} {bare.properties(target)} as {winners}")
    for number in range(repeats + 1):
        batch_id = number + 2
        landed = change_records(spark, rows + number * batch, batch, rows, batch_id)
        landed.writeTo("batch.landed").append()
        part = "batch" if number else "warm-up batch"
        bench.ours(part, project)
        parsed = bare.parse("batch.landed", batch_id)
        bench.bare(f"{part}: {WRITE}", f"insert into batch.bare_events {parsed}")
        bench.bare(
            f"{part}: {WINNERS}", bare.merge("batch.bare_rows", "batch.bare_events", batch_id)
        )


def main(
    events: Annotated[int, typer.Option(help="Events of the first load.")] = 400_000,
    keys: Annotated[int, typer.Option(help="Keys of the first load.")] = 50_000,
    state_rows: Annotated[int, typer.Option(help="Rows of the state a batch meets.")] = 1_000_000,
    batch: Annotated[int, typer.Option(help="Events of the batch.")] = 10_000,
    log_rows: Annotated[
        int, typer.Option(help="Rows of the table whose log grows to ten times their number.")
    ] = 100_000,
    repeats: Annotated[int, typer.Option(help="Rounds of each; the median counts.")] = 3,
    target: Annotated[str, typer.Option(help="Table format: iceberg or delta.")] = "iceberg",
) -> None:
    """Measure what the models cost above parsing, typing and merging by hand, in one run."""
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-benchmark-"))
    os.environ["DEBEZIUM_SPARK_STATE"] = str(folder / "state")
    os.environ.setdefault("DEBEZIUM_SPARK_DRIVER_MEMORY", "4g")
    bench = Bench(folder, target)
    typer.echo(f"first load: {events:,} events, {keys:,} keys")
    measure_first_load(bench, events, keys, repeats)
    typer.echo(f"batches of {batch:,} events on {state_rows:,} rows")
    measure_batch(bench, state_rows, batch, repeats)
    typer.echo(f"batches of {batch:,} events on a log of {log_rows:,}, and of ten times as many")
    measure_long_log(bench, log_rows, batch, repeats)
    Console(width=100).print(bench.table(), bench.log_table())
    shutil.rmtree(folder, ignore_errors=True)


def _median(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def _cells(times: dict[str, float]) -> list[str]:
    return [f"{times['bare']:.1f}", f"{times['ours']:.1f}", f"{times['ours'] / times['bare']:.2f}"]


if __name__ == "__main__":
    typer.run(main)
