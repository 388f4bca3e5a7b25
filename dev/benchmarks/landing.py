"""`python -m dev.benchmarks.landing`: landing, against Spark that only reads and writes.

The same records as JSON lines, as Parquet and in a topic of a Kafka broker of our own. The bare
side declares the columns, reads them, and writes a table of the same layout: it knows no ledger,
looks for no repeated or damaged record, and would land everything again the next time.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

from dev.benchmarks.records import PREFIX, TOPIC, change_records

JSON_LINES, PARQUET, KAFKA = "JSON lines", "Parquet", "Kafka"
FORMS = (JSON_LINES, PARQUET, KAFKA)
SIDES = ("bare", "ours")
COLUMNS = "topic, `partition`, `offset`, `timestamp`, timestampType, key, value, headers"
LINES = (
    "topic string, `partition` int, `offset` bigint, `timestamp` bigint, timestampType int,"
    " key string, value string, headers array<struct<key: string, value: string>>"
)
BARE = "landing_tests.bare"


class Forms:
    """The same records in each form, below one folder."""

    def __init__(self, spark: SparkSession, folder: Path, records: int, brokers: str) -> None:
        """Write them: `records` change records of one table."""
        self.spark = spark
        self.folder = folder
        self.brokers = brokers
        made = change_records(spark, 0, records, max(records // 10, 1), 1).selectExpr(
            "topic", "partition", "cast(offset as bigint) as offset", "timestamp", "timestampType",
            "key", "value", "headers",
        )  # fmt: skip
        made.write.parquet(str(folder / "made"))
        kept = spark.read.parquet(str(folder / "made"))
        kept.write.parquet(str(folder / PARQUET))
        kept.selectExpr(
            "topic", "`partition`", "`offset`", "unix_millis(`timestamp`) as `timestamp`",
            "timestampType", "key", "value", "headers",
        ).write.option("ignoreNullFields", "false").json(str(folder / JSON_LINES))  # fmt: skip
        kept.selectExpr("topic", "`partition`", "key", "value").write.format("kafka").option(
            "kafka.bootstrap.servers", brokers
        ).save()

    def input(self, form: str) -> dict[str, str]:
        """Return the `input` of a source that reads a form."""
        if form == KAFKA:
            return {"type": "kafka", "brokers": self.brokers}
        return {"type": "files", "path": str(self.folder / form)}

    def frame(self, form: str) -> DataFrame:
        """Return what bare Spark reads of a form, in the columns of the raw contract."""
        if form == JSON_LINES:
            lines = self.spark.read.schema(LINES).json(str(self.folder / form))
            return lines.selectExpr(
                *_replaced("timestamp", "timestamp_millis(`timestamp`) as `timestamp`")
            )
        if form == PARQUET:
            return self.spark.read.parquet(str(self.folder / form)).selectExpr(*_replaced())
        stream = self.spark.read.format("kafka").option("kafka.bootstrap.servers", self.brokers)
        return stream.option("subscribe", TOPIC).option("includeHeaders", "true").load().selectExpr(
            "topic", "`partition`", "`offset`", "`timestamp`", "timestampType",
            "cast(key as string) as key", "cast(value as string) as value",
            "transform(headers, h -> struct(h.key as key, cast(h.value as string) as value))"
            " as headers",
        )  # fmt: skip


def _replaced(name: str | None = None, sql: str = "") -> list[str]:
    """Return SQL for the columns of a record, one of them by other SQL."""
    columns = [column.strip() for column in COLUMNS.split(",")]
    return [sql if column.strip("`") == name else column for column in columns]


def land(spark: SparkSession, forms: Forms, form: str, target: str) -> Callable[[], int]:
    """Return what lands a form into a new raw table; called, it returns how many records landed."""
    from tests.support.landing_lake import Lake

    lake = Lake(spark, Path(tempfile.mkdtemp(dir=forms.folder)), target)
    lake.topic_prefix, lake.input = PREFIX, forms.input(form)

    def run() -> int:
        lake.run()
        return spark.table(lake.raw).count()

    return run


def write_bare(spark: SparkSession, forms: Forms, form: str, target: str) -> Callable[[], int]:
    """Return what writes a form into a new table as it is; called, it returns its rows."""
    spark.sql(f"drop table if exists {BARE}")
    from dbt_debezium_spark.landing.schemas import RAW_COLUMNS
    from dbt_debezium_spark.local_frames import ddl

    spark.sql(f"create table {BARE} ({ddl(RAW_COLUMNS)}) using {target} partitioned by (topic)")

    def run() -> int:
        forms.frame(form).selectExpr(
            "*", "cast(1 as bigint) as _cdc_batch_id", "current_timestamp() as _cdc_landed_at"
        ).writeTo(BARE).append()
        return spark.table(BARE).count()

    return run


def measure(spark: SparkSession, forms: Forms, records: int, repeats: int, target: str) -> Table:
    """Land each form by both sides in turn, and return medians, ratios and records per second."""
    table = Table(title=f"landing {records:,} records, {target}: seconds (median)")
    for heading in ("form", *SIDES, "ratio", "records per second"):
        table.add_column(heading, justify="left" if heading == "form" else "right")
    prepare = {"bare": write_bare, "ours": land}
    for form in FORMS:
        seconds: dict[str, list[float]] = {side: [] for side in SIDES}
        for number in range(repeats + 1):
            for side in SIDES:
                run = prepare[side](spark, forms, form, target)
                started = time.perf_counter()
                landed = run()
                took = time.perf_counter() - started
                if landed != records:
                    raise AssertionError(f"{form}, {side}: {landed} of {records} records landed")
                typer.echo(f"  {form}, {side}: {took:.1f} s{'' if number else ' (warm-up)'}")
                if number:
                    seconds[side].append(took)
        bare, ours = (sorted(seconds[side])[repeats // 2] for side in SIDES)
        table.add_row(
            form, f"{bare:.1f}", f"{ours:.1f}", f"{ours / bare:.2f}", f"{records / ours:,.0f}"
        )
    return table


@contextmanager
def started(folder: Path, target: str) -> Iterator[tuple[SparkSession, str]]:
    """Start Spark with its Kafka source, and a broker; gives the session and its address."""
    os.environ["DEBEZIUM_SPARK_STATE"] = str(folder / "state")
    os.environ.setdefault("DEBEZIUM_SPARK_DRIVER_MEMORY", "4g")
    from dbt_debezium_spark.kafka_jars import KAFKA_KEY
    from dbt_debezium_spark.notebook import read_settings
    from dbt_debezium_spark.session import session_for
    from dev.servers.kafka import Broker
    from tests.support.paths import PROFILES, REPOSITORY

    settings: dict[str, Any] = {**read_settings(REPOSITORY, PROFILES, target)[0], KAFKA_KEY: "true"}
    (folder / "broker").mkdir()
    with Broker(folder / "broker") as broker:
        spark = session_for(settings)
        try:
            yield spark, broker.address
        finally:
            spark.stop()


def main(
    records: Annotated[int, typer.Option(help="Records to land.")] = 1_000_000,
    repeats: Annotated[int, typer.Option(help="Rounds of each; the median counts.")] = 3,
    target: Annotated[str, typer.Option(help="Table format: iceberg or delta.")] = "iceberg",
) -> None:
    """Measure what landing costs above Spark that reads and writes the same columns."""
    folder = Path(tempfile.mkdtemp(prefix="debezium-spark-landing-"))
    try:
        with started(folder, target) as (spark, brokers):
            forms = Forms(spark, folder, records, brokers)
            Console(width=100).print(measure(spark, forms, records, repeats, target))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    typer.run(main)
