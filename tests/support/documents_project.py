"""Models of a MongoDB collection over records that a test puts into a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from tests.reference import KafkaRecord
from tests.support.project import DbtProject, create_project
from tests.support.raw import RAW_TYPE, raw_row

COLLECTION = "inventory.customers"


class Collection:
    """The models of one collection, `…_sim__customers`, and the table that stands for raw."""

    def __init__(
        self,
        folder: Path,
        spark: SparkSession,
        *,
        schema: str,
        target: str = "iceberg",
        topics: Sequence[str] = ("content.inventory.customers",),
        fields: Sequence[Mapping[str, str]] = (),
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the project and create the table."""
        data = folder / "data"
        data.mkdir(parents=True)
        self._spark = spark
        self._landed = f"`{schema}`.landed"
        block = {
            "connector": "mongodb",
            "topic_prefix": "content",
            "input": {"type": "files", "path": str(data)},
            **(options or {}),
        }
        self.project: DbtProject = create_project(
            folder,
            schema=schema,
            target=target,
            spark=spark,
            files=models(self._landed, topics, fields),
            variables={"debezium_sources": {"sim": block}},
        )
        spark.sql(f"create schema if not exists `{schema}`")
        spark.createDataFrame([], RAW_TYPE).writeTo(self._landed).createOrReplace()

    def land(self, records: Iterable[KafkaRecord], batch: int) -> None:
        """Land records as one batch."""
        rows = [raw_row(record, batch) for record in records]
        if rows:
            frame = self._spark.createDataFrame(rows, RAW_TYPE).coalesce(1)
            frame.writeTo(self._landed).append()

    def run(self, *models: str) -> None:
        """Run the models, by default those that hold data."""
        self.project.run("run", "--select", *(models or ("stg_*", "state_*")))

    def documents(self) -> dict[str, str]:
        """Return the live documents by `_id`."""
        found = self.project.rows("cur_sim__customers", ["_id", "document"])
        assert len(dict(found)) == len(found), "cur_ has an _id twice"
        return dict(found)

    def incomplete(self) -> set[str]:
        """Return the ids of live documents whose base is missing."""
        rows = self.project.sql(
            "select _cdc_key from {schema}.state_sim__customers"
            " where array_contains(_cdc_unavailable, 'document')"
        )
        return {row[0] for row in rows}

    def replays(self) -> dict[str, tuple[int, int]]:
        """Return replays and unexplained ones, by key, of keys that have any."""
        rows = self.project.sql(
            "select _cdc_key, _cdc_fold_replays, _cdc_fold_unexplained"
            " from {schema}.state_sim__customers where _cdc_fold_replays > 0"
        )
        return {row[0]: (row[1], row[2]) for row in rows}


def models(
    landed: str, topics: Sequence[str], fields: Sequence[Mapping[str, str]]
) -> dict[str, str]:
    """Return the models' files, as `generate` would write them."""
    columns = ["_id", "document", *(field["name"] for field in fields)]
    return {
        "models/raw_sim.sql": ("{{ config(materialized='view') }}\nselect * from " + landed),
        "models/stg_sim__customers.sql": (
            "{{ config(materialized='debezium_append') }}\n"
            "{{ debezium_spark.document_staging(source='sim', raw=ref('raw_sim'),"
            f" topics={json.dumps(list(topics))}, table='{COLLECTION}') }}}}"
        ),
        "python_models/state_sim__customers.py": (
            "def model(dbt, session):\n"
            "    dbt.config(\n"
            '        materialized="debezium_documents",\n'
            '        source="sim",\n'
            f'        table="{COLLECTION}",\n'
            f"        fields={[dict(one) for one in fields]!r},\n"
            "    )\n"
            '    return dbt.ref("stg_sim__customers")\n'
        ),
        "models/cur_sim__customers.sql": (
            "{{ config(materialized='view') }}\n"
            "{{ debezium_spark.current(state=ref('state_sim__customers'),"
            f" columns={json.dumps(columns)}) }}}}"
        ),
    }
