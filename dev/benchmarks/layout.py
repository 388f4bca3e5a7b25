"""`python -m dev.benchmarks.layout`: how tables are laid out, each choice against its alternatives.

Three questions, each answered in one run: should the raw table be partitioned by topic, should
staging be by batch, and how should the MERGE of a state write its updates? Ratios are to the layout
that the materializations choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import typer
from pyspark.sql import SparkSession
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.frame import Seconds

MODES = ("delete", "update", "merge")
ON_READ = ", ".join(f"'write.{mode}.mode' = 'merge-on-read'" for mode in MODES)
ON_WRITE = ", ".join(f"'write.{mode}.mode' = 'copy-on-write'" for mode in MODES)
# The first is what macros/tables choose.
UPDATES = {
    "iceberg": {
        "merge on read, position deletes": f"'format-version' = '2', {ON_READ}",
        "merge on read, deletion vectors": f"'format-version' = '3', {ON_READ}",
        "copy on write": f"'format-version' = '2', {ON_WRITE}",
    },
    "delta": {
        "deletion vectors": "'delta.enableDeletionVectors' = 'true'",
        "copy on write": "'delta.enableDeletionVectors' = 'false'",
    },
}
RECORD = (
    "id as offset, id as _cdc_pos, concat('k', id) as _cdc_key,"
    " repeat(sha2(cast(id as string), 256), 8) as value"
)


class Layouts(Seconds):
    """Seconds of every piece of work, by layout."""

    def __init__(self, spark: SparkSession, target: str, repeats: int) -> None:
        """Take a session of a target; every timed query runs `repeats` times."""
        super().__init__()
        self.spark = spark
        self.target = target
        self.repeats = repeats

    def timed(self, work: str, layout: str, act: Callable[[], object], times: int = 1) -> None:
        """Note the times of some work."""
        for _ in range(times):
            self.time(work, layout, act)

    def query(self, work: str, layout: str, sql: str) -> None:
        """Note the times of a query, warmed up by one run."""
        self.spark.sql(sql).collect()
        self.timed(work, layout, lambda: self.spark.sql(sql).collect(), self.repeats)

    def files(self, table: str) -> int:
        """Return how many files a reader of a table opens."""
        if self.target == "delta":
            return int(self.spark.sql(f"describe detail {table}").collect()[0]["numFiles"])
        return int(self.spark.sql(f"select count(*) from {table}.files").collect()[0][0])

    def table(self) -> Table:
        """Return seconds and their ratio to the first layout of the same work."""
        title = f"{self.target}: seconds (median), ratio to the layout chosen"
        table = frame.table(title, "work", "layout", "seconds", "ratio")
        chosen: dict[str, float] = {}
        for work, layout in self.taken:
            seconds = self.median(work, layout)
            ratio = seconds / chosen.setdefault(work, seconds)
            table.add_row(work, layout, f"{seconds:.2f}", f"{ratio:.2f}")
        return table


def measure_raw(layouts: Layouts, topics: int, batches: int, records: int) -> None:
    """Append batches of many topics; read one topic, all of it and its newest batch."""
    spark = layouts.spark
    for layout, partitioned in (("by topic", "partitioned by (topic)"), ("not partitioned", "")):
        spark.sql("drop table if exists layout.raw")
        spark.sql(
            "create table layout.raw (topic string, offset bigint, _cdc_pos bigint,"
            " _cdc_key string, value string, _cdc_batch_id bigint)"
            f" using {layouts.target} {partitioned}"
        )
        batch = iter(range(1, batches + 1))

        def land(numbers: Iterator[int] = batch) -> None:
            number = next(numbers)
            spark.sql(
                f"select concat('topic', id % {topics}) as topic, {RECORD},"
                f" cast({number} as bigint) as _cdc_batch_id from range({records})"
            ).writeTo("layout.raw").append()

        layouts.timed("raw: append a batch", layout, land, batches)
        typer.echo(f"  {layouts.files('layout.raw')} files")
        read = "select sum(length(value)) from layout.raw where topic = 'topic3'"
        layouts.query("raw: one topic, all of it", layout, read)
        layouts.query(
            "raw: one topic, newest batch", layout, f"{read} and _cdc_batch_id > {batches - 1}"
        )


def measure_staging(layouts: Layouts, batches: int, records: int) -> None:
    """Append batches to a staging table; read the newest, and all of it."""
    spark = layouts.spark
    for layout, partitioned in (
        ("not partitioned", ""),
        ("by batch", "partitioned by (_cdc_batch_id)"),
    ):
        spark.sql("drop table if exists layout.staging")
        for number in range(1, batches + 1):
            rows = (
                f"select {RECORD}, cast({number} as bigint) as _cdc_batch_id from range({records})"
            )
            spark.sql(
                f"create table layout.staging using {layouts.target} {partitioned} as {rows}"
                if number == 1
                else f"insert into layout.staging {rows}"
            )
        read = "select sum(length(value)) from layout.staging"
        layouts.query(
            "staging: newest batch", layout, f"{read} where _cdc_batch_id > {batches - 1}"
        )
        layouts.query("staging: all", layout, read)


def measure_updates(layouts: Layouts, rows: int, batch: int, batches: int) -> None:
    """Merge batches of random keys into a state; read the state after them."""
    spark = layouts.spark
    for layout, properties in UPDATES[layouts.target].items():
        spark.sql("drop table if exists layout.state")
        spark.sql(
            f"create table layout.state using {layouts.target} tblproperties ({properties})"
            f" as select {RECORD} from range({rows})"
        )
        seeds = iter(range(batches))

        def merge(numbers: Iterator[int] = seeds) -> None:
            seed = next(numbers)
            spark.sql(
                "merge into layout.state as t using (select distinct"
                f" concat('k', pmod(hash(id, {seed}), {rows})) as _cdc_key"
                f" from range({batch})) as s on t._cdc_key = s._cdc_key"
                " when matched then update set value = 'changed'"
                " when not matched then insert (_cdc_key, value) values (s._cdc_key, 'new')"
            )

        layouts.timed("state: merge a batch", layout, merge, batches)
        typer.echo(f"  {layouts.files('layout.state')} files")
        layouts.query(
            "state: read it after the merges", layout, "select sum(length(value)) from layout.state"
        )


def main(
    target: frame.Target = "iceberg",
    topics: Annotated[int, typer.Option(help="Topics of the raw table.")] = 20,
    records: Annotated[int, typer.Option(help="Records of a batch.")] = 40_000,
    batches: Annotated[int, typer.Option(help="Batches of raw and staging.")] = 12,
    state_rows: Annotated[int, typer.Option(help="Rows of the state.")] = 500_000,
    batch_keys: Annotated[int, typer.Option(help="Keys in a batch of the state.")] = 10_000,
    merges: Annotated[int, typer.Option(help="Batches merged into the state.")] = 5,
    repeats: Annotated[int, typer.Option(help="Runs of each query; the median counts.")] = 3,
) -> None:
    """Measure layouts of raw, staging and state tables."""
    with frame.new_folder("layout"):
        spark = frame.start_spark(target)
        spark.sql("create schema if not exists layout")
        typer.echo("warm-up, not counted:")
        cold = Layouts(spark, target, 1)
        measure_raw(cold, topics, 2, 1_000)
        measure_staging(cold, 2, 1_000)
        measure_updates(cold, 10_000, 100, 2)
        typer.echo("measured:")
        layouts = Layouts(spark, target, repeats)
        measure_raw(layouts, topics, batches, records)
        measure_staging(layouts, batches, records)
        measure_updates(layouts, state_rows, batch_keys, merges)
        frame.show(layouts.table())
        spark.stop()


if __name__ == "__main__":
    typer.run(main)
