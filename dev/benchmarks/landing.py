"""`python -m dev.benchmarks.landing`: landing, against Spark that only reads and writes.

The same records as JSON lines, as Parquet and in a topic of a Kafka broker of our own. The bare
side declares the columns, reads them, and writes a table of the same layout: it knows no ledger,
looks for no repeated or damaged record, and would land everything again the next time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.frame import BARE, OURS, Seconds
from dev.benchmarks.records import PREFIX, TOPIC, change_records

JSON_LINES, PARQUET, KAFKA = "JSON lines", "Parquet", "Kafka"
FORMS = (JSON_LINES, PARQUET, KAFKA)
LINES = (
    "topic string, `partition` int, `offset` bigint, `timestamp` bigint, timestampType int,"
    " key string, value string, headers array<struct<key: string, value: string>>"
)
BARE_TABLE = "landing_tests.bare"


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
            return lines.withColumn("timestamp", expr("timestamp_millis(`timestamp`)"))
        if form == PARQUET:
            return self.spark.read.parquet(str(self.folder / form))
        stream = self.spark.read.format("kafka").option("kafka.bootstrap.servers", self.brokers)
        return stream.option("subscribe", TOPIC).option("includeHeaders", "true").load().selectExpr(
            "topic", "`partition`", "`offset`", "`timestamp`", "timestampType",
            "cast(key as string) as key", "cast(value as string) as value",
            "transform(headers, h -> struct(h.key as key, cast(h.value as string) as value))"
            " as headers",
        )  # fmt: skip


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
    spark.sql(f"drop table if exists {BARE_TABLE}")
    from dbt_debezium_spark.landing.schemas import RAW_COLUMNS
    from dbt_debezium_spark.spark.local_frames import ddl

    spark.sql(
        f"create table {BARE_TABLE} ({ddl(RAW_COLUMNS)}) using {target} partitioned by (topic)"
    )

    def run() -> int:
        forms.frame(form).selectExpr(
            "*", "cast(1 as bigint) as _cdc_batch_id", "current_timestamp() as _cdc_landed_at"
        ).writeTo(BARE_TABLE).append()
        return spark.table(BARE_TABLE).count()

    return run


def measure(spark: SparkSession, forms: Forms, records: int, repeats: int, target: str) -> Table:
    """Land each form by both sides in turn, and return medians, ratios and records per second."""
    title = f"landing {records:,} records, {target}: seconds (median)"
    table = frame.table(title, "form", BARE, OURS, "ratio", "records per second")
    seconds = Seconds()
    for form in FORMS:
        for number in range(repeats + 1):
            for side, prepare in ((BARE, write_bare), (OURS, land)):
                work = form if number else f"{form}, warm-up"
                landed = seconds.time(work, side, prepare(spark, forms, form, target))
                if landed != records:
                    raise AssertionError(f"{form}, {side}: {landed} of {records} records landed")
        speed = records / seconds.median(form, OURS)
        table.add_row(form, *seconds.sides(form), f"{speed:,.0f}")
    return table


def main(
    records: Annotated[int, typer.Option(help="Records to land.")] = 1_000_000,
    repeats: frame.Repeats = 3,
    target: frame.Target = "iceberg",
) -> None:
    """Measure what landing costs above Spark that reads and writes the same columns."""
    from dbt_debezium_spark.spark.kafka_jars import KAFKA_KEY
    from dev.servers.kafka import Broker

    with frame.new_folder("landing") as folder:
        (folder / "broker").mkdir()
        with Broker(folder / "broker") as broker:
            spark = frame.start_spark(target, **{KAFKA_KEY: "true"})
            forms = Forms(spark, folder, records, broker.address)
            frame.show(measure(spark, forms, records, repeats, target))
            spark.stop()


if __name__ == "__main__":
    typer.run(main)
