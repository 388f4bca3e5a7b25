"""Tests that passed on the rows that are there: `dbt build` need not scan for them again.

A test's outcome is a function of its SQL and of the rows it reads. A table of this package says
what it is up to date with and at which snapshot (macros/tables/_up_to_date.sql), so while
neither changes, a test that passed would pass again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dbt_debezium_spark.tables_seen import TablesSeen

# Tests whose SQL depends on nothing but rows: dbt's own and those of this package.
_TESTS = {
    None: {"not_null", "unique", "accepted_values", "relationships"},
    "debezium_spark": {
        "accepted_texts",
        "accepted_values_of_lists",
        "never_null",
        "no_placeholder",
        "reports_nothing",
        "unique_key",
    },
}
_TABLES = {"debezium_append", "debezium_merge", "debezium_table", "debezium_documents"}
_VIEWS = {"debezium_view"}


class PassedTests:
    """What is known of tests that passed, of one command: by the test's unique id, on what."""

    def __init__(
        self, read: Callable[[], dict[str, str]], seen: TablesSeen, relation: Callable[[Any], Any]
    ) -> None:
        """Begin with what earlier commands kept.

        Args:
            read: returns what they kept; called once, and only when a test asks.
            seen: looks at tables.
            relation: returns a model's relation, quoted.
        """
        self._read = read
        self._seen = seen
        self._relation = relation
        self._kept: dict[str, str] | None = None
        self._passed: dict[str, str] = {}

    def passed_before(self, test: Any, state: str) -> bool:
        """Tell whether a test passed in this state."""
        if self._kept is None:
            self._kept = self._read()
        return self._kept.get(test.unique_id) == state

    def note(self, test: Any, state: str) -> None:
        """Note that a test passed in this state."""
        self._passed[test.unique_id] = state

    def to_keep(self, known: Iterable[str]) -> dict[str, str] | None:
        """Return what later commands should know, none when they know it already.

        Args:
            known: unique ids of the project's nodes; tests that are gone are left out.
        """
        kept = self._kept or {}
        nodes = set(known)
        found = {name: state for name, state in {**kept, **self._passed}.items() if name in nodes}
        return None if found == kept else found

    def state(self, test: Any, nodes: Mapping[str, Any]) -> str | None:
        """Return a digest of a test and of the rows it reads, none where they are not known.

        Args:
            test: the node of a test, compiled.
            nodes: those of the project, by unique id.

        Raises:
            DbtRuntimeError: a table cannot be looked at.
        """
        if not _is_known(test):
            return None
        rows = self._rows_read(test, nodes)
        if rows is None:
            return None
        config = test.config
        told = [test.compiled_code, config.fail_calc, config.warn_if, config.error_if, config.limit]
        return hashlib.md5(json.dumps([told, rows]).encode(), usedforsecurity=False).hexdigest()

    def _rows_read(self, node: Any, nodes: Mapping[str, Any]) -> list[str] | None:
        """Return what the tables say that a test or view reads, and the views between."""
        found: list[str] = []
        for unique_id in node.depends_on.nodes:
            other = nodes.get(unique_id)
            kind = other.config.materialized if other is not None else None
            if kind not in _TABLES | _VIEWS:
                return None
            text = self._seen.up_to_date_with(self._relation(other))
            below = self._rows_read(other, nodes) if kind in _VIEWS else []
            if text is None or below is None:
                return None
            found += [text, *below]
        return found or None


def _is_known(test: Any) -> bool:
    metadata = getattr(test, "test_metadata", None)
    if metadata is None or metadata.name not in _TESTS.get(metadata.namespace, ()):
        return False
    # a condition of the user's may ask for the time; failures that are stored must be stored
    return not (test.config.where or test.config.store_failures)
