"""One Spark, one table format, and the seconds that models of a project take on landed records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.functions import lit

from dev.benchmarks import bare
from dev.benchmarks.frame import BARE, OURS, Seconds, start_spark
from dev.benchmarks.records import COLUMNS, TOPIC, change_records

WRITE, WINNERS, VERSIONS = "parse and typed write", "winners", "versions"
_MODEL = """\
{{{{ config({config}) }}}}
{{{{ debezium_spark.{macro}(source='bench', table='public.customers', {arguments}) }}}}
"""


class Bench(Seconds):
    """Projects over tables of landed records, and the same work by hand."""

    def __init__(self, folder: Path, target: str) -> None:
        """Start Spark with the settings of the profile, its tables below `folder`."""
        super().__init__()
        self.folder = folder
        self.target = target
        self.spark = start_spark(target)

    def land(self, schema: str, records: DataFrame) -> None:
        """Write the first records of a schema, into its table `landed`."""
        self.spark.sql(f"create schema if not exists {schema}")
        landed = records.writeTo(f"{schema}.landed").using(self.target)
        landed.partitionedBy("topic").createOrReplace()

    def bare(self, part: str, sql: str) -> None:
        """Run SQL and note its time for the bare side."""
        self.time(part, BARE, lambda: self.spark.sql(sql))

    def bare_events(self, schema: str) -> str:
        """Return SQL that parses the first batch into a new table."""
        parsed = bare.parse(f"{schema}.landed", 1)
        return f"create table {schema}.bare_events using {self.target} as {parsed}"

    def bare_rows(self, name: str, rows: str) -> str:
        """Return SQL that writes rows into a new table that is cheap to merge into."""
        return f"create table {name} using {self.target} {bare.properties(self.target)} as {rows}"

    def ours(self, part: str, project: Any) -> None:
        """Run the project and note what dbt says its models took, without dbt's own start."""
        result = project.run("run")
        staged = self.spark.table(f"{project.schema}.stg_bench__customers")
        if damaged := staged.where("_cdc_errors is not null").count():
            raise AssertionError(f"{damaged} of the generated records cannot be read")
        times = {r.node.name: r.execution_time for r in result.raw.result}
        for layer, work in (("stg", WRITE), ("state", WINNERS), ("versions", VERSIONS)):
            if (name := f"{layer}_bench__customers") in times:
                self.keep(f"{part}: {work}", OURS, times[name])

    def project(self, name: str, history: bool = False) -> Any:
        """Return a dbt project over the table `<name>.landed`, with its history if wanted."""
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
        names = json.dumps([column["name"] for column in COLUMNS])
        rows = f"staging=ref('stg_bench__customers'), key=['id'], columns={names}"
        events = (
            f"raw=ref('raw_bench'), topics=['{TOPIC}'], key=[{{'name': 'id', 'type': 'int32'}}],"
            f" columns={json.dumps(COLUMNS)}"
        )
        models = {
            "stg": ("materialized='debezium_append'", "staging", events),
            "state": ("materialized='debezium_merge', unique_key='_cdc_key'", "state", rows),
        }
        if history:
            source["history"] = True
            models["versions"] = ("materialized='debezium_versions'", "versions", rows)
        files = {
            f"models/{layer}_bench__customers.sql": _MODEL.format(
                config=config, macro=macro, arguments=arguments
            )
            for layer, (config, macro, arguments) in models.items()
        }
        files["models/raw_bench.sql"] = (
            f"{{{{ config(materialized='view') }}}}\nselect * from {name}.landed"
        )
        return create_project(
            self.folder / name,
            schema=name,
            target=self.target,
            spark=self.spark,
            files=files,
            variables={"debezium_sources": {"bench": source}},
        )


class Log:
    """The landed records of one table: batches, each behind the last one in offsets."""

    def __init__(
        self, bench: Bench, schema: str, rows: int, events: int = 0, history: bool = False
    ) -> None:
        """Land a snapshot of `rows` rows and so many events of them; build the models."""
        self.bench, self.schema, self.rows = bench, schema, rows
        self.next, self.batch = 0, 1
        first = self.events(rows, reads=True)
        bench.land(schema, first.union(self.events(events)) if events else first)
        self.project = bench.project(schema, history)
        bench.ours("build", self.project)

    def events(self, count: int, first: int | None = None, reads: bool = False) -> DataFrame:
        """Return new events, or those that begin at `first`."""
        if first is None:
            first, self.next = self.next, self.next + count
        return change_records(self.bench.spark, first, count, self.rows, 1, reads=reads)

    def run(self, part: str, records: DataFrame) -> None:
        """Land records as the next batch, and run the models."""
        self.batch += 1
        landed = records.withColumn("_cdc_batch_id", lit(self.batch).cast("bigint"))
        landed.writeTo(f"{self.schema}.landed").append()
        self.bench.ours(part, self.project)

    def compare(self, count: int, repeats: int, work: str, merge: Callable[[int], str]) -> None:
        """Run batches by both sides, after one that warms up.

        Args:
            count: events of a batch.
            repeats: batches that count.
            work: what the bare side does with what it parsed.
            merge: returns the SQL of that, for the number of a batch.
        """
        for number in range(repeats + 1):
            part = "batch" if number else "warm-up batch"
            self.run(part, self.events(count))
            parsed = bare.parse(f"{self.schema}.landed", self.batch)
            self.bench.bare(f"{part}: {WRITE}", f"insert into {self.schema}.bare_events {parsed}")
            self.bench.bare(f"{part}: {work}", merge(self.batch))
