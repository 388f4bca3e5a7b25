"""Data tests that passed on the current rows, so that `dbt build` need not scan them again.

The outcome of a test depends on its SQL and on the rows it reads. A table of this package has a
property with its inputs and its snapshot (macros/tables/_up_to_date.sql). While neither
changes, a test that passed would pass again.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dbt_debezium_spark.door.table_metadata import TableMetadata

# Tests whose SQL depends only on rows: dbt's own and those of this package.
_TESTS = {
    None: {"not_null", "unique", "accepted_values", "relationships"},
    "debezium_spark": {
        "accepted_texts",
        "accepted_values_of_lists",
        "current_versions_are_the_rows",
        "never_null",
        "no_placeholder",
        "one_current_version",
        "reports_nothing",
        "unique_key",
        "versions_follow_each_other",
    },
}
_TABLES = {
    "debezium_append",
    "debezium_merge",
    "debezium_versions",
    "debezium_table",
    "debezium_documents",
    "debezium_document_versions",
}
_VIEWS = {"debezium_view"}


class PassedTests:
    """Tests that passed, with a digest of the rows they read, for one command."""

    def __init__(
        self,
        read: Callable[[], dict[str, str]],
        metadata: TableMetadata,
        relation: Callable[[Any], Any],
    ) -> None:
        """Create the record of one command.

        Args:
            read: returns the stored states of earlier commands by the test's unique id. It is
                called at most once, for the first test.
            metadata: reads the properties of tables.
            relation: returns a model's relation, quoted.
        """
        self._read = read
        self._metadata = metadata
        self._relation = relation
        self._stored: dict[str, str] | None = None
        self._reading = threading.Lock()
        self._passed: dict[str, str] = {}

    def passed_before(self, test: Any, state: str) -> bool:
        """Return whether a test passed in this state before."""
        with self._reading:
            if self._stored is None:
                self._stored = self._read()
        return self._stored.get(test.unique_id) == state

    def note(self, test: Any, state: str) -> None:
        """Record that a test passed in this state."""
        self._passed[test.unique_id] = state

    def to_keep(self, known: Iterable[str]) -> dict[str, str] | None:
        """Return the states to store for later commands, None if they are stored already.

        Args:
            known: unique ids of the project's nodes; removed tests are left out.
        """
        stored = self._stored or {}
        nodes = set(known)
        states = {**stored, **self._passed}
        states = {test: state for test, state in states.items() if test in nodes}
        return None if states == stored else states

    def state(self, test: Any, nodes: Mapping[str, Any]) -> str | None:
        """Return a digest of a test and of the rows it reads, None if they are not known.

        Args:
            test: the compiled node of a test.
            nodes: the project's nodes by unique id.

        Raises:
            DbtRuntimeError: the properties of a table cannot be read.
        """
        if not _is_known(test):
            return None
        rows = self._rows_read(test, nodes)
        if rows is None:
            return None
        config = test.config
        text = [test.compiled_code, config.fail_calc, config.warn_if, config.error_if, config.limit]
        return hashlib.md5(json.dumps([text, rows]).encode(), usedforsecurity=False).hexdigest()

    def _rows_read(self, node: Any, nodes: Mapping[str, Any]) -> list[str] | None:
        """Return what the tables and views that a node reads are up to date with."""
        states: list[str] = []
        for unique_id in node.depends_on.nodes:
            other = nodes.get(unique_id)
            kind = other.config.materialized if other is not None else None
            if kind not in _TABLES | _VIEWS:
                return None
            text = self._metadata.up_to_date_with(self._relation(other))
            below = self._rows_read(other, nodes) if kind in _VIEWS else []
            if text is None or below is None:
                return None
            states += [text, *below]
        return states or None


def _is_known(test: Any) -> bool:
    metadata = getattr(test, "test_metadata", None)
    if metadata is None or metadata.name not in _TESTS.get(metadata.namespace, ()):
        return False
    # A user's condition may use the current time. Stored failures must be stored again.
    return not (test.config.where or test.config.store_failures)
