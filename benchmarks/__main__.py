"""`python -m benchmarks`: first load and one batch, ours against bare Spark, as ratios."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def main(
    events: Annotated[int, typer.Option(help="Events of the first load.")] = 400_000,
    keys: Annotated[int, typer.Option(help="Keys of the first load.")] = 50_000,
    state_rows: Annotated[int, typer.Option(help="Rows of the state a batch meets.")] = 1_000_000,
    batch: Annotated[int, typer.Option(help="Events of the batch.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Batches to measure; the median counts.")] = 3,
    target: Annotated[str, typer.Option(help="Table format: iceberg or delta.")] = "iceberg",
) -> None:
    """Measure what the models cost above parsing, typing and merging by hand, in one run."""
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-benchmark-"))
    os.environ["DEBEZIUM_SPARK_STATE"] = str(folder / "state")
    os.environ.setdefault("DEBEZIUM_SPARK_DRIVER_MEMORY", "4g")
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

    from benchmarks import bare
    from benchmarks.records import COLUMNS, TOPIC, change_records
    from dbt_debezium_spark.notebook import read_settings
    from dbt_debezium_spark.session import session_for
    from tests.project_harness import PROFILES, REPOSITORY, create_project

    spark = session_for(read_settings(REPOSITORY, PROFILES, target)[0])
    properties = bare.MERGE_ON_READ if target == "iceberg" else ""
    measured: dict[tuple[str, str], list[float]] = {}

    def measure(part: str, side: str, work: Callable[[], float | None]) -> None:
        started = time.perf_counter()
        own = work()
        seconds = time.perf_counter() - started if own is None else own
        measured.setdefault((part, side), []).append(seconds)
        typer.echo(f"  {part}, {side}: {seconds:.1f} s")

    def scenario(
        name: str, first_count: int, first_keys: int, reads: bool
    ) -> tuple[object, Callable[[int], None]]:
        spark.sql(f"create schema if not exists {name}")
        raw = change_records(spark, 0, first_count, first_keys, 1, reads=reads)
        raw.writeTo(f"{name}.landed").using(target).partitionedBy("topic").createOrReplace()
        data = folder / name / "data"
        data.mkdir(parents=True)
        source = {
            "connector": "postgresql",
            "topic_prefix": "bench",
            "input": {"type": "files", "path": str(data)},
        }
        columns = json.dumps(COLUMNS)
        names = json.dumps([column["name"] for column in COLUMNS])
        files = {
            "models/raw_bench.sql": "{{ config(materialized='view') }}\nselect * from "
            + f"{name}.landed",
            "models/stg_bench__customers.sql": (
                "{{ config(materialized='debezium_append') }}\n"
                f"{{{{ debezium_spark.staging(source='bench', raw=ref('raw_bench'), topics=['{TOPIC}'],"
                f" table='public.customers', key=[{{'name': 'id', 'type': 'int32'}}],"
                f" columns={columns}) }}}}"
            ),
            "models/state_bench__customers.sql": (
                "{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}\n"
                "{{ debezium_spark.state(source='bench', table='public.customers',"
                f" staging=ref('stg_bench__customers'), key=['id'], columns={names}) }}}}"
            ),
        }
        project = create_project(
            folder / name, schema=name, target=target, spark=spark, files=files,
            variables={"debezium_sources": {"bench": source}},
        )  # fmt: skip

        def run(part: str) -> None:
            result = project.run("run")
            for model, label in (
                ("stg_bench__customers", "parse and typed write"),
                ("state_bench__customers", "winners"),
            ):
                seconds = next(r.execution_time for r in result.raw.result if r.node.name == model)
                measure(f"{part}: {label}", "ours", lambda seconds=seconds: seconds)

        return project, run

    typer.echo(f"first load: {events:,} events, {keys:,} keys")
    _, run = scenario("load", events, keys, False)
    run("warm-up")
    for _round in range(max(1, repeats - 1)):
        spark.sql("drop table if exists load.stg_bench__customers")
        spark.sql("drop table if exists load.state_bench__customers")
        run("first load")
        spark.sql("drop table if exists load.bare_events")
        spark.sql("drop table if exists load.bare_current")
        measure(
            "first load: parse and typed write",
            "bare",
            lambda: (
                spark.sql(
                    f"create table load.bare_events using {target} as {bare.parse('load.landed', 1)}"
                )
                and None
            ),
        )
        measure(
            "first load: winners",
            "bare",
            lambda: (
                spark.sql(
                    f"create table load.bare_current using {target} {properties} as {bare.winners('load.bare_events', 1)}"
                )
                and None
            ),
        )

    typer.echo(f"batches of {batch:,} events on {state_rows:,} rows")
    _, run = scenario("batch", state_rows, state_rows, True)
    run("build")
    spark.sql(f"create table batch.bare_events using {target} as {bare.parse('batch.landed', 1)}")
    spark.sql(
        f"create table batch.bare_current using {target} {properties} as {bare.winners('batch.bare_events', 1)}"
    )
    for number in range(repeats + 1):
        batch_id = number + 2
        first = state_rows + number * batch
        change_records(spark, first, batch, state_rows, batch_id).writeTo("batch.landed").append()
        part = "batch" if number else "warm-up batch"
        run(part)
        measure(
            f"{part}: parse and typed write",
            "bare",
            lambda b=batch_id: (
                spark.sql(f"insert into batch.bare_events {bare.parse('batch.landed', b)}") and None
            ),
        )
        measure(
            f"{part}: winners",
            "bare",
            lambda b=batch_id: (
                spark.sql(bare.merge("batch.bare_current", "batch.bare_events", b)) and None
            ),
        )

    table = Table(title="seconds (median) and ratio to bare Spark")
    for heading in ("work", "bare", "ours", "ratio"):
        table.add_column(heading, justify="left" if heading == "work" else "right")
    for part in ("first load", "batch"):
        sums = {"bare": 0.0, "ours": 0.0}
        for label in ("parse and typed write", "winners"):
            times = {side: _median(measured[(f"{part}: {label}", side)]) for side in sums}
            for side in sums:
                sums[side] += times[side]
            table.add_row(f"{part}: {label}", *_cells(times))
        table.add_row(f"[bold]{part}: all", *_cells(sums))
    Console(width=100).print(table)
    shutil.rmtree(folder, ignore_errors=True)


def _median(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def _cells(times: dict[str, float]) -> list[str]:
    return [f"{times['bare']:.1f}", f"{times['ours']:.1f}", f"{times['ours'] / times['bare']:.2f}"]


if __name__ == "__main__":
    typer.run(main)
