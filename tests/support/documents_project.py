"""The tables of a MongoDB collection by the models of a dbt project, over records of a test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.support.documents import COLLECTION, TOPIC, Documents, columns_of
from tests.support.landed import landed_project
from tests.support.models import LANDED


class Collection(Documents):
    """The models of one collection, `…_sim__customers`, and the table that stands for raw."""

    def __init__(
        self,
        folder: Path,
        spark: SparkSession,
        *,
        schema: str,
        target: str = "iceberg",
        topics: Sequence[str] = (TOPIC,),
        fields: Sequence[Mapping[str, str]] = (),
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the project and create the table."""
        self._topics = topics
        self._has_views = False
        table = ((options or {}).get("tables") or {}).get(COLLECTION) or {}
        self._has_history = table.get("history") is not None
        self.project = landed_project(
            folder,
            "sim",
            spark,
            models(topics, fields, self._has_history),
            schema=schema,
            target=target,
            options={"connector": "mongodb", "topic_prefix": "content", **(options or {})},
        )

    def name_fields(self, fields: Sequence[Mapping[str, str]]) -> None:
        """Write the models anew, as for a source whose typed fields are others now."""
        self.project.write(models(self._topics, fields, self._has_history))
        self._has_views = False

    def land(self, records: Iterable[KafkaRecord], batch: int) -> None:
        """Land records as one batch."""
        self.project.land(batch, records)

    def run(self, *models: str) -> None:
        """Run these models; by default all, and after the first time those that hold data."""
        chosen = ("stg_*", "state_*") if self._has_views else ("+cur_sim__customers",)
        if self._has_history:
            chosen += ("versions_*",) if self._has_views else ("+hist_sim__customers",)
        self._has_views = self._has_views or not models
        self.project.run("run", "--select", *(models or chosen))

    def rows(self, layer: str) -> list[dict[str, Any]]:
        """Return the rows of `stg`, `state` or `cur`, or with a history of `hist`."""
        frame = self.project.spark.table(self.project.table(f"{layer}_sim__customers"))
        return [row.asDict() for row in frame.collect()]


def models(
    topics: Sequence[str],
    fields: Sequence[Mapping[str, str]],
    has_history: bool = False,
) -> dict[str, str]:
    """Return the models' files, as `generate` would write them."""
    history = {
        "python_models/versions_sim__customers.py": _python("debezium_document_versions", fields),
        "models/hist_sim__customers.sql": (
            "{{ config(materialized='debezium_view') }}\n"
            f"{{{{ debezium_spark.history(source='sim', table='{COLLECTION}',"
            " versions=ref('versions_sim__customers')) }}"
        ),
    }
    return (history if has_history else {}) | {
        "models/raw_sim.sql": ("{{ config(materialized='view') }}\nselect * from " + LANDED),
        "models/stg_sim__customers.sql": (
            "{{ config(materialized='debezium_append') }}\n"
            "{{ debezium_spark.document_staging(source='sim', raw=ref('raw_sim'),"
            f" topics={json.dumps(list(topics))}, table='{COLLECTION}') }}}}"
        ),
        "python_models/state_sim__customers.py": _python("debezium_documents", fields),
        "models/cur_sim__customers.sql": (
            "{{ config(materialized='view') }}\n"
            "{{ debezium_spark.current(state=ref('state_sim__customers'),"
            f" columns={json.dumps(columns_of(fields))}) }}}}"
        ),
    }


def _python(materialized: str, fields: Sequence[Mapping[str, str]]) -> str:
    return (
        "def model(dbt, session):\n"
        "    dbt.config(\n"
        f'        materialized="{materialized}",\n'
        '        source="sim",\n'
        f'        table="{COLLECTION}",\n'
        f"        fields={[dict(one) for one in fields]!r},\n"
        "    )\n"
        '    return dbt.ref("stg_sim__customers")\n'
    )
