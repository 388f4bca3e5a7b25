"""What `benchmarks.project` needs a Spark for: records, and the comparison of rows.

A process of its own, so that none is running while commands are measured.
"""

from __future__ import annotations

import time
from pathlib import Path

import typer

from dev.benchmarks.bare import parse, winners
from dev.benchmarks.frame import start_spark
from dev.benchmarks.records import change_records, topic_of

app = typer.Typer()
LINES = (
    "topic string, `partition` int, `offset` bigint, `timestamp` bigint, key string, value string"
)


@app.command()
def land(
    folder: Path, target: str, name: str, tables: str, first: int, count: int, keys: int
) -> None:
    """Write events `first` to `first + count - 1` of each table as JSON lines."""
    spark = start_spark(target)
    with (folder / "records" / f"{name}.jsonl").open("w", encoding="utf-8") as file:
        for table in tables.split(","):
            frame = change_records(spark, first, count, keys, 1, table=table).selectExpr(
                "to_json(struct(topic, partition, offset, unix_millis(timestamp) as timestamp, key,"
                " value), map('ignoreNullFields', 'false')) as line"
            )
            file.writelines(row["line"] + "\n" for row in frame.toLocalIterator())


@app.command()
def bare(folder: Path, target: str, tables: str, events: int) -> None:
    """Load all tables by statements, one after another, and print the seconds without the start."""
    spark = start_spark(target)
    spark.sql("create schema if not exists bare")
    started = time.perf_counter()
    lines = spark.read.schema(LINES).json(str(folder / "records"))
    lines.selectExpr(
        "topic", "`partition`", "`offset`", "timestamp_millis(`timestamp`) as `timestamp`",
        "key", "value", "1 as _cdc_batch_id",
    ).writeTo("bare.bronze").using(target).partitionedBy("topic").create()  # fmt: skip
    for table in tables.split(","):
        parsed = parse("bare.bronze", 1, topic_of(table))
        spark.sql(f"create table bare.stg_{table} using {target} as {parsed}")
        newest = winners(f"bare.stg_{table}", 1)
        spark.sql(f"create table bare.cur_{table} using {target} as {newest}")
    seconds = time.perf_counter() - started
    found = spark.table(f"bare.stg_{tables.split(',')[0]}").count()
    if found != events:
        raise AssertionError(f"{found} of {events} events were staged")
    typer.echo(f"{seconds:.2f}")


@app.command()
def compare(folder: Path, target: str, tables: str) -> None:
    """Count the rows that only one side has; ends with 1 when there is one, or no row at all."""
    spark = start_spark(target)
    rows = different = 0
    for table in tables.split(","):
        ours = spark.table(f"ours.cur_bench__{table}")
        columns = [name for name in ours.columns if not name.startswith("_cdc_")]
        by_hand = spark.table(f"by_hand.cur_{table}").where("op <> 'd'")
        sides = [
            frame.selectExpr(*(f"cast({c} as string)" for c in columns))
            for frame in (ours, by_hand)
        ]
        rows += sides[0].count()
        different += sides[0].exceptAll(sides[1]).count() + sides[1].exceptAll(sides[0]).count()
    typer.echo(f"{rows} rows compared, {different} differ")
    if different or not rows:
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
