"""Metadata of tables, which a command reads once per table."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, cast

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.spark.connection import is_missing

logger = AdapterLogger("debezium_spark")

Rows = list[tuple[Any, ...]]
UP_TO_DATE = "debezium_spark.up_to_date"


class TableMetadata:
    """Properties of tables, batches of raw tables and layouts of records, for one command."""

    def __init__(
        self,
        query: Callable[[str], Rows],
        from_catalog: Callable[[Any], dict[str, str] | None] = lambda relation: None,
    ) -> None:
        """Create an empty cache.

        Args:
            query: executes SQL and returns its rows; raises DbtRuntimeError.
            from_catalog: returns the properties of a table or view without a statement, an empty
                dict if it does not exist; None if a statement must tell.
        """
        self._query = query
        self._from_catalog = from_catalog
        self._lock = threading.Lock()
        self._properties: dict[str, dict[str, str]] = {}
        self._answers: dict[tuple[str, str], Any] = {}
        self._answer_locks: dict[tuple[str, str], threading.Lock] = {}

    def properties(self, relation: Any) -> dict[str, str]:
        """Return the properties of a table or view, an empty dict if it does not exist.

        Iceberg's tables have the property `current-snapshot-id`; for Delta's, `version` is added.

        Raises:
            DbtRuntimeError: the statement failed for another reason.
        """
        name = _name(relation)
        properties = self._properties.get(name)
        if properties is None:
            properties = self._from_catalog(relation)
            if properties is None:
                properties = self._shown_properties(relation)
            self._properties[name] = properties
        return properties

    def _shown_properties(self, relation: Any) -> dict[str, str]:
        try:
            # with `--empty`, the text of a relation is a SELECT
            rows = self._query(f"show tblproperties {relation.render()}")
        except DbtRuntimeError as error:
            if not is_missing(error):
                raise
            rows = []
        properties = {row[0]: row[1] for row in rows}
        if any(key.startswith("delta.") for key in properties):
            version = self._query(f"describe history {relation.render()} limit 1")[0][0]
            properties["version"] = str(version)
        return properties

    def format(self, relation: Any) -> str | None:
        """Return the format of a table by its properties: `delta`, `iceberg` or None.

        Raises:
            DbtRuntimeError: the properties cannot be read.
        """
        properties = self.properties(relation)
        if "version" in properties:
            return "delta"
        return "iceberg" if "current-snapshot-id" in properties else None

    def up_to_date_with(self, relation: Any) -> str | None:
        """Return the inputs with which a table or view is up to date, None if it has no such mark.

        A table that was written or rolled back after it was marked is not up to date.

        Raises:
            DbtRuntimeError: the properties cannot be read.
        """
        properties = self.properties(relation)
        text = properties.get(UP_TO_DATE)
        if text is None:
            return None
        snapshot = properties.get("version", properties.get("current-snapshot-id", "-"))
        return text if text.rpartition(" ")[2] == snapshot else None

    def forget(self, relation: Any) -> None:
        """Drop the cached properties of a table that was written or altered."""
        self._properties.pop(_name(relation), None)

    def remember(self, relation: Any, name: str, value: str) -> None:
        """Cache a property that was set, so that the table is not read again.

        Setting a property is a commit in Delta, but not in Iceberg.
        """
        properties = self._properties.get(_name(relation))
        if properties is None:
            return
        changed = {**properties, name: value}
        if "version" in properties:
            changed["version"] = str(int(properties["version"]) + 1)
        self._properties[_name(relation)] = changed

    def batches(self, relation: Any, in_metadata: bool) -> dict[str, int]:
        """Return the highest batch of each topic in a raw table, as of the first call.

        Later calls do not see a later landing, so a caller never records too many batches.

        Args:
            relation: raw table, or a view of one.
            in_metadata: whether to query the metadata of data files first, as Iceberg allows. The
                topic is their partition, the batch one of their bounds; no record is read.

        Raises:
            DbtRuntimeError: the query failed.
        """

        def ask() -> dict[str, int]:
            rows = self._batches_of_files(relation) if in_metadata else None
            if rows is None:
                rows = self._query(
                    f"select topic, max(_cdc_batch_id) from {relation} group by topic"
                )
            return {row[0]: int(row[1]) for row in rows}

        return cast("dict[str, int]", self._once(("batches", _name(relation)), ask))

    def layouts(self, catalog: Any, sql: str) -> list[dict[str, Any]]:
        """Return what a catalog of schemas knows of all topics, as of the first call.

        Args:
            catalog: relation with the schemas of a source.
            sql: query of JSON objects about it: see the macro `record_layouts`.

        Raises:
            DbtRuntimeError: the query failed.
        """

        def ask() -> list[dict[str, Any]]:
            return [json.loads(row[0]) for row in self._query(sql)]

        return cast("list[dict[str, Any]]", self._once(("layouts", _name(catalog)), ask))

    def _once(self, question: tuple[str, str], ask: Callable[[], Any]) -> Any:
        """Return what is asked once; threads that ask at the same time wait for the first."""
        with self._lock:
            lock = self._answer_locks.setdefault(question, threading.Lock())
        with lock:
            if question not in self._answers:
                self._answers[question] = ask()
            return self._answers[question]

    def _batches_of_files(self, relation: Any) -> Rows | None:
        """Return each topic and its highest batch, None if file metadata do not contain them."""
        try:
            rows = self._query(
                "select partition.topic, max(readable_metrics._cdc_batch_id.upper_bound),"
                " count_if(readable_metrics._cdc_batch_id.upper_bound is null)"
                f" from {relation}.files group by partition.topic"
            )
        except DbtRuntimeError as error:
            # the table has other partitions, or is not Iceberg's
            logger.debug(f"debezium_spark: {relation} is read for its batches: {error}")
            return None
        return None if any(row[0] is None or row[2] for row in rows) else rows


def _name(relation: Any) -> str:
    return f"{relation.schema}.{relation.identifier}".lower()
