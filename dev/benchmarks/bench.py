"""One Spark, one table format, and the seconds that models of a project take on landed records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from dev.benchmarks import bare
from dev.benchmarks.frame import BARE, OURS, Seconds, start_spark
from dev.benchmarks.records import COLUMNS, TOPIC

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
