"""What a command has seen of tables, so that each is looked at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError

logger = AdapterLogger("debezium_spark")

Rows = list[tuple[Any, ...]]
UP_TO_DATE = "debezium_spark.up_to_date"
_MISSING = ("TABLE_OR_VIEW_NOT_FOUND", "NoSuchTableException", "NoSuchViewException")


class TableMetadata:
    """Properties of tables and views, and the batches of raw tables, of one command."""

    def __init__(self, query: Callable[[str], Rows]) -> None:
        """Begin without any.

        Args:
            query: executes SQL and returns its rows; raises DbtRuntimeError.
        """
        self._query = query
        self._lock = threading.Lock()
        self._properties: dict[str, dict[str, str]] = {}
        self._batches: dict[str, dict[str, int]] = {}
        self._looks: dict[str, threading.Lock] = {}

    def properties(self, relation: Any) -> dict[str, str]:
        """Return the properties of a table or view, none of one that is not there.

        Those of a table of Delta have its `version`, too, as those of one of Iceberg have its
        `current-snapshot-id`.

        Raises:
            DbtRuntimeError: the statement failed for another reason.
        """
        name = _name(relation)
        held = self._properties.get(name)
        if held is None:
            try:
                rows = self._query(f"show tblproperties {relation}")
            except DbtRuntimeError as error:
                if not any(text in str(error) for text in _MISSING):
                    raise
                rows = []
            held = {row[0]: row[1] for row in rows}
            if any(key.startswith("delta.") for key in held):
                held["version"] = str(self._query(f"describe history {relation} limit 1")[0][0])
            self._properties[name] = held
        return held

    def up_to_date_with(self, relation: Any) -> str | None:
        """Return what a table or view is up to date with, none when it does not say so.

        A table that was written since it said so, or rolled back, is not up to date.

        Raises:
            DbtRuntimeError: the table cannot be looked at.
        """
        held = self.properties(relation)
        text = held.get(UP_TO_DATE)
        if text is None:
            return None
        place = held.get("version", held.get("current-snapshot-id", "-"))
        return text if text.rpartition(" ")[2] == place else None

    def forget(self, relation: Any) -> None:
        """Look at a table anew when it is asked for: it was written, or its properties were."""
        self._properties.pop(_name(relation), None)

    def remember(self, relation: Any, name: str, value: str) -> None:
        """Take note of a property that was set, so that the table is not looked at for it.

        Setting it is a commit of a table of Delta, and none of one of Iceberg.
        """
        held = self._properties.get(_name(relation))
        if held is None:
            return
        changed = {**held, name: value}
        if "version" in held:
            changed["version"] = str(int(held["version"]) + 1)
        self._properties[_name(relation)] = changed

    def batches(self, relation: Any, in_metadata: bool) -> dict[str, int]:
        """Return the highest batch of each topic in a raw table, as it was when first asked.

        A later landing is not seen, so who notes these batches never notes too many.

        Args:
            relation: raw table, or a view of one.
            in_metadata: the table may be asked for its data files, as those of Iceberg can: the
                topic is their partition, the batch one of their bounds. No record is read then.

        Raises:
            DbtRuntimeError: the query failed.
        """
        name = _name(relation)
        with self._lock:
            look = self._looks.setdefault(name, threading.Lock())
        with look:
            if name not in self._batches:
                found = self._batches_of_files(relation) if in_metadata else None
                if found is None:
                    found = self._query(
                        f"select topic, max(_cdc_batch_id) from {relation} group by topic"
                    )
                self._batches[name] = {row[0]: int(row[1]) for row in found}
        return self._batches[name]

    def _batches_of_files(self, relation: Any) -> Rows | None:
        """Return topic and highest batch of each; None where the files do not say."""
        try:
            found = self._query(
                "select partition.topic, max(readable_metrics._cdc_batch_id.upper_bound),"
                " count_if(readable_metrics._cdc_batch_id.upper_bound is null)"
                f" from {relation}.files group by partition.topic"
            )
        except DbtRuntimeError as error:
            # a table that is partitioned otherwise, or none of Iceberg
            logger.debug(f"debezium_spark: {relation} is read for its batches: {error}")
            return None
        return None if any(row[0] is None or row[2] for row in found) else found


def _name(relation: Any) -> str:
    return f"{relation.schema}.{relation.identifier}".lower()
