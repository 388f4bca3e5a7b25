"""`python -m dev.benchmarks.documents`: what the walk of a collection holds in memory.

Two collections, the second several times as large as the first, through the same models with the
same small driver: a walk that held a collection, or a partition of it, would grow with it.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pyspark.sql import DataFrame, SparkSession

from dev.benchmarks import frame
from dev.benchmarks.records import raw_columns

TOPIC = "content.inventory.customers"
MEBIBYTE = 1024 * 1024
SAMPLE_SECONDS = 0.1


@contextmanager
def peak_memory() -> Iterator[list[int]]:
    """Keep in a list of one the most memory that a Python worker of our Spark has at once."""
    largest, ended = [0], threading.Event()

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            largest[0] = max([largest[0], *_workers()])

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield largest
    finally:
        ended.set()
        thread.join()


def _workers() -> list[int]:
    """Return the resident bytes of the Python workers below this process."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,rss,args"], capture_output=True, text=True)
    rows = [line.split(maxsplit=3) for line in listed.stdout.splitlines()[1:]]
    parents = {row[0]: row[1] for row in rows}
    return [
        int(kibibytes) * 1024
        for process, _, kibibytes, *command in rows
        if "pyspark.daemon" in "".join(command) and _is_below(process, str(os.getpid()), parents)
    ]


def _is_below(process: str, ancestor: str, parents: dict[str, str]) -> bool:
    while process in parents and process != ancestor:
        process = parents[process]
    return process == ancestor


def update_records(spark: SparkSession, events: int, keys: int, size: int) -> DataFrame:
    """Return raw records of change streams without lookups: documents of `size` bytes, updated.

    The first event of a key is its insert, all others set two fields.
    """
    document = (
        """concat('{"_id": "', k, '","n": ', n, ',"text": "',"""
        f""" repeat(sha2(cast(n as string), 256), {max(size // 64, 1)}), '"}}')"""
    )
    updated = """concat('{"n": ', n, ',"last": "', n, '"}')"""
    told = (
        """',"updateDescription":{"removedFields":null,"truncatedArrays":null,"updatedFields":',"""
        f""" {_as_text(updated)}, '}}'"""
    )
    source = (
        '"source":{"version":"3.6.3.Final","connector":"mongodb","name":"content",'
        '"snapshot":"false","db":"inventory","collection":"customers","ord":'
    )
    value = (
        f"""concat('{{"before":null,"after":', case when n = k then {_as_text(document)}"""
        f""" else concat('null', {told}) end, ',{source}', n, ',"ts_ms":', 1700000000000 + n,"""
        """ '},"op":"', case when n = k then 'c' else 'u' end, '","ts_ms":',"""
        """ 1700000000100 + n, '}')"""
    )
    return (
        spark.range(events, numPartitions=2)
        .selectExpr("id as n", f"id % {keys} as k")
        .selectExpr(*raw_columns(TOPIC, """concat('{"id":"\\\\"', k, '\\\\""}')""", value, 1))
    )


def _as_text(json_text: str) -> str:
    """Return SQL for the JSON text of a string that holds JSON, as Debezium sends documents."""
    return f"""concat('"', replace({json_text}, '"', '\\\\"'), '"')"""


def measure(spark: SparkSession, folder: Path, events: int, keys: int, size: int) -> list[str]:
    """Fold one collection; returns a row of the table."""
    from tests.support.documents_project import Collection

    schema = f"documents_{events}"
    collection = Collection(folder / schema, spark, schema=schema)
    update_records(spark, events, keys, size).writeTo(f"`{schema}`.landed").append()
    collection.run("raw_*", "stg_*")
    started = time.perf_counter()
    with peak_memory() as peak:
        collection.run("state_*")
    seconds = time.perf_counter() - started
    collection.run("cur_*")
    live, held, last = spark.sql(
        f"select count(*), sum(length(document)), max(get_json_object(document, '$.n'))"
        f" from `{schema}`.cur_sim__customers"
    ).collect()[0]
    if live != keys or not last:
        raise AssertionError(f"{live} documents, {keys} were expected")
    return [
        f"{events:,}",
        f"{keys:,}",
        f"{held / MEBIBYTE:,.0f} MiB",
        f"{seconds:.0f} s",
        f"{peak[0] / MEBIBYTE:,.0f} MiB",
    ]


def main(
    events: Annotated[int, typer.Option(help="Events of the smaller collection.")] = 50_000,
    keys: Annotated[int, typer.Option(help="Documents of the smaller collection.")] = 25_000,
    size: Annotated[int, typer.Option(help="Bytes of a document.")] = 8_000,
    factor: Annotated[int, typer.Option(help="How many times larger the other one is.")] = 4,
    driver_memory: Annotated[str, typer.Option(help="Heap of Spark.")] = "1g",
) -> None:
    """Measure the memory of the Python workers that walk documents."""
    os.environ["DEBEZIUM_SPARK_DRIVER_MEMORY"] = driver_memory
    title = f"documents, Spark's heap {driver_memory}"
    table = frame.table(
        title, "events", "documents", "text of them", "walk", "largest Python worker"
    )
    with frame.new_folder("documents") as folder:
        spark = frame.start_spark("iceberg")
        for times in (1, factor):
            table.add_row(*measure(spark, folder, events * times, keys * times, size))
        frame.show(table)
        spark.stop()


if __name__ == "__main__":
    typer.run(main)
