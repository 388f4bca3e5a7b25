"""`python -m dev.benchmarks`: first load and one batch, ours against bare Spark, as ratios."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from dev.benchmarks import bare, frame
from dev.benchmarks.bench import WINNERS, WRITE, Bench, Log
from dev.benchmarks.frame import OURS
from dev.benchmarks.records import change_records

LOGS = ("short", "long")


def ratios(bench: Bench) -> Table:
    """Return medians and ratios, the sums of first load and batch included."""
    title = "seconds (median) and ratio to bare Spark"
    table = frame.table(title, "work", "bare", "ours", "ratio")
    for part in ("first load", "batch"):
        for label in (WRITE, WINNERS):
            table.add_row(f"{part}: {label}", *bench.sides(f"{part}: {label}"))
        both = bench.sides(f"{part}: {WRITE}", f"{part}: {WINNERS}")
        table.add_row(f"[bold]{part}: all", *both)
    return table


def log_table(bench: Bench) -> Table:
    """Return medians of a batch by the length of the log before it."""
    title = "a batch on a staged log, and on one ten times as long: seconds"
    table = frame.table(title, "work", *LOGS, "ratio")
    for label in (WRITE, WINNERS):
        short, long = (bench.median(f"batch, {one} log: {label}", OURS) for one in LOGS)
        table.add_row(label, f"{short:.1f}", f"{long:.1f}", f"{long / short:.2f}")
    return table


def measure_first_load(bench: Bench, events: int, keys: int, repeats: int) -> None:
    """Measure staging and state of a table that does not exist yet."""
    bench.land("load", change_records(bench.spark, 0, events, keys, 1))
    project = bench.project("load")
    bench.ours("warm-up", project)
    for _round in range(repeats):
        for name in ("stg_bench__customers", "state_bench__customers", "bare_events", "bare_rows"):
            bench.spark.sql(f"drop table if exists load.{name}")
        bench.ours("first load", project)
        bench.bare(f"first load: {WRITE}", bench.bare_events("load"))
        rows = bench.bare_rows("load.bare_rows", bare.winners("load.bare_events", 1))
        bench.bare(f"first load: {WINNERS}", rows)


def measure_long_log(bench: Bench, rows: int, batch: int, repeats: int) -> None:
    """Measure a batch on a staged log, and on one ten times as long, with the same rows."""
    log = Log(bench, "log", rows)
    log.run("warm-up batch", log.events(batch))
    for _round in range(repeats):
        log.run("batch, short log", log.events(batch))
    log.run("growth", log.events(rows * 9))
    for _round in range(repeats):
        log.run("batch, long log", log.events(batch))


def measure_batch(bench: Bench, rows: int, batch: int, repeats: int) -> None:
    """Measure a small batch on a large state."""
    log = Log(bench, "batch", rows)
    bench.spark.sql(bench.bare_events("batch"))
    bench.spark.sql(bench.bare_rows("batch.bare_rows", bare.winners("batch.bare_events", 1)))
    log.compare(
        batch,
        repeats,
        WINNERS,
        lambda number: bare.merge("batch.bare_rows", "batch.bare_events", number),
    )


def main(
    events: Annotated[int, typer.Option(help="Events of the first load.")] = 400_000,
    keys: Annotated[int, typer.Option(help="Keys of the first load.")] = 50_000,
    state_rows: Annotated[int, typer.Option(help="Rows of the state a batch meets.")] = 1_000_000,
    batch: Annotated[int, typer.Option(help="Events of the batch.")] = 10_000,
    log_rows: Annotated[
        int, typer.Option(help="Rows of the table whose log grows to ten times their number.")
    ] = 100_000,
    repeats: frame.Repeats = 3,
    target: frame.Target = "iceberg",
) -> None:
    """Measure what the models cost above parsing, typing and merging by hand, in one run."""
    with frame.new_folder("benchmark") as folder:
        bench = Bench(folder, target)
        typer.echo(f"first load: {events:,} events, {keys:,} keys")
        measure_first_load(bench, events, keys, repeats)
        typer.echo(f"batches of {batch:,} events on {state_rows:,} rows")
        measure_batch(bench, state_rows, batch, repeats)
        typer.echo(
            f"batches of {batch:,} events on a log of {log_rows:,}, and of ten times as many"
        )
        measure_long_log(bench, log_rows, batch, repeats)
        frame.show(ratios(bench), log_table(bench))


if __name__ == "__main__":
    typer.run(main)
