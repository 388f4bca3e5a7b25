"""Which tests are known to pass again: those whose SQL and rows are the same."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from dbt_debezium_spark.door.table_metadata import UP_TO_DATE, TableMetadata
from dbt_debezium_spark.passed_tests import PassedTests

STATE = {UP_TO_DATE: "rows columns 7", "current-snapshot-id": "7"}
VIEW = {UP_TO_DATE: "text columns -"}


def node(kind: str, *reads: str) -> Any:
    return SimpleNamespace(
        config=SimpleNamespace(materialized=kind), depends_on=SimpleNamespace(nodes=list(reads))
    )


def data_test(*reads: str, name: str = "unique", namespace: str | None = None, **other: Any) -> Any:
    config = {
        "where": None,
        "store_failures": None,
        "fail_calc": "count(*)",
        "warn_if": "!= 0",
        "error_if": "!= 0",
        "limit": None,
    }
    return SimpleNamespace(
        unique_id="test.one",
        compiled_code=other.pop("code", "select 1"),
        config=SimpleNamespace(**{**config, **other}),
        depends_on=SimpleNamespace(nodes=list(reads)),
        test_metadata=SimpleNamespace(name=name, namespace=namespace),
    )


NODES = {
    "state": node("debezium_merge", "staging"),
    "view": node("debezium_view", "state"),
    "own": node("table", "state"),
    "own view": node("view", "state"),
    "view of own": node("debezium_view", "own"),
}


class Passed(PassedTests):
    """What passed, over tables with the given properties."""

    def __init__(self, kept: dict[str, str] | None = None, **tables: dict[str, str]) -> None:
        properties = {"state": STATE, "view": VIEW, **tables}
        seen = TableMetadata(lambda sql: list(properties[sql.split(".")[-1]].items()))
        names = {id(one): name for name, one in NODES.items()}

        def relation(one: Any) -> Any:
            return _Relation(names[id(one)])

        super().__init__(lambda: dict(kept or {}), seen, relation)


class _Relation:
    schema = "s"

    def __init__(self, identifier: str) -> None:
        self.identifier = identifier

    def render(self) -> str:
        return f"{self.schema}.{self.identifier}"


def test_a_test_is_known_while_its_text_and_the_rows_of_its_table_are_the_same() -> None:
    state = Passed().state(data_test("state"), NODES)
    assert state is not None
    assert Passed().state(data_test("state"), NODES) == state
    assert Passed({"test.one": state}).passed_before(data_test("state"), state)
    assert not Passed().passed_before(data_test("state"), state)


def test_threads_read_the_stored_states_once() -> None:
    reads: list[str] = []

    def read() -> dict[str, str]:
        reads.append("once")
        time.sleep(0.05)
        return {"test.one": "state"}

    passed = PassedTests(read, TableMetadata(lambda sql: []), lambda one: None)
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda _: passed.passed_before(data_test("state"), "state"), range(4))
        )

    assert answers == [True] * 4
    assert reads == ["once"]


@pytest.mark.parametrize(
    "other",
    [
        {"code": "select 2"},
        {"fail_calc": "sum(n)"},
        {"error_if": "> 10"},
        {"warn_if": "> 10"},
        {"limit": 5},
    ],
)
def test_another_text_or_measure_is_another_state(other: dict[str, Any]) -> None:
    passed = Passed()
    assert passed.state(data_test("state", **other), NODES) != passed.state(
        data_test("state"), NODES
    )


def test_a_view_stands_for_the_rows_of_the_tables_that_it_reads() -> None:
    before = Passed().state(data_test("view"), NODES)
    assert before is not None
    written = {UP_TO_DATE: "rows2 columns 8", "current-snapshot-id": "8"}
    assert Passed(state=written).state(data_test("view"), NODES) not in (None, before)
    changed = {UP_TO_DATE: "text2 columns -"}
    assert Passed(view=changed).state(data_test("view"), NODES) not in (None, before)


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"current-snapshot-id": "7"},
        {**STATE, "current-snapshot-id": "8"},
        {**STATE, "version": "9"},
    ],
)
def test_a_table_that_was_written_since_is_not_known(table: dict[str, str]) -> None:
    assert Passed(state=table).state(data_test("state"), NODES) is None
    assert Passed(state=table).state(data_test("view"), NODES) is None


@pytest.mark.parametrize(
    "test",
    [
        data_test("own"),
        data_test("own view"),
        data_test("view of own"),
        data_test("state", "own"),
        data_test("source"),
        data_test(),
        data_test("state", where="day > current_date() - 1"),
        data_test("state", store_failures=True),
        data_test("state", name="is_recent"),
        data_test("state", namespace="other"),
        data_test("state", name="unique", namespace="debezium_spark"),
    ],
)
def test_what_reads_other_rows_or_may_ask_for_the_time_is_not_known(test: Any) -> None:
    tables = {"own": STATE, "own view": VIEW, "view of own": VIEW, "source": STATE}
    assert Passed(None, **tables).state(test, NODES) is None


def test_a_singular_test_is_not_known() -> None:
    test = data_test("state")
    del test.test_metadata
    assert Passed().state(test, NODES) is None


def test_what_passed_is_kept_beside_what_did_not_run_and_without_what_is_gone() -> None:
    passed = Passed({"test.other": "a", "test.gone": "b"})
    test = data_test("state")
    assert not passed.passed_before(test, "now")
    passed.note(test, "now")
    nodes = ["test.one", "test.other", "model"]
    assert passed.to_keep(nodes) == {"test.other": "a", "test.one": "now"}
    again = Passed({"test.other": "a", "test.one": "now"})
    again.passed_before(test, "now")
    again.note(test, "now")
    assert again.to_keep(nodes) is None


# -- what the properties of a table tell ----------------------------------------------------------


HISTORY = [(7, "2026-01-01")]


class Named(SimpleNamespace):
    def render(self) -> str:
        return "t"


@pytest.mark.parametrize(
    ("properties", "format_"),
    [
        ({"delta.minReaderVersion": "3"}, "delta"),
        ({"format": "iceberg/parquet", "current-snapshot-id": "none"}, "iceberg"),
        ({"owner": "me"}, None),
        ({}, None),
    ],
)
def test_a_tables_properties_tell_its_format(properties, format_):
    rows = {"show tblproperties t": list(properties.items())}
    metadata = TableMetadata(lambda sql: rows.get(sql, HISTORY))

    assert metadata.format(Named(schema="s", identifier="t")) == format_
