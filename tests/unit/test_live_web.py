"""The workload and the truth of MariaDB, without a server."""

from __future__ import annotations

from typing import Any

import pytest

from dev.live.web_truth import canonical, column_expression
from dev.live.web_workload import UNSIGNED, WebWorkload


class Connection:
    """Remembers what it was told to run."""

    def __init__(self, log: list[tuple[str, Any]]) -> None:
        self._log = log

    def cursor(self) -> Connection:
        return self

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def execute(self, sql: str, parameters: Any = None) -> None:
        assert sql.count("%(") == len(parameters or ())
        self._log.append((sql, parameters))


def statements(seed: int, transactions: int = 30) -> list[tuple[str, Any]]:
    log: list[tuple[str, Any]] = []
    work = WebWorkload(lambda: Connection(log), seed)
    work.prepare()
    work.traffic(transactions)
    work.drop_and_widen_columns()
    work.traffic(transactions)
    return log


def test_a_seed_decides_every_statement() -> None:
    assert statements(3) == statements(3)
    assert statements(3) != statements(4)


def test_traffic_inserts_changes_moves_and_deletes_in_every_table() -> None:
    texts = [sql for sql, _ in statements(5, transactions=60)]
    for beginning in (
        "insert into visitors", "update visitors set name", "update visitors set note",
        "update visitors set id", "delete from visitors", "insert into visits", "update visits",
        "delete from visits", "insert into hits", "update hits", "delete from hits",
        "insert into carts", "update carts", "delete from carts",
    ):  # fmt: skip
        assert any(text.startswith(beginning) for text in texts), beginning


def test_some_keys_are_beyond_a_signed_number() -> None:
    keys = [p["id"] for sql, p in statements(5) if sql.startswith("insert into visitors")]
    assert any(key >= UNSIGNED for key in keys)
    assert any(key < UNSIGNED for key in keys)


@pytest.mark.parametrize(
    ("kind", "expression"),
    [
        ("bigint(20) unsigned", "`c`"),
        ("float", "`c`"),
        ("year(4)", "`c`"),
        ("bit(1)", "lpad(bin(`c`), 1, '0')"),
        ("bit(12)", "lpad(bin(`c`), 12, '0')"),
        ("varbinary(40)", "lower(hex(`c`))"),
        ("decimal(12,2)", "cast(`c` as char)"),
        ("datetime(6)", "cast(`c` as char)"),
        ("enum('a','b')", "cast(`c` as char)"),
    ],
)
def test_a_column_is_read_so_that_nothing_is_lost(kind: str, expression: str) -> None:
    assert column_expression("c", kind) == expression


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (None, "datetime(6)", None),
        ("1600-01-01 00:00:00.000001", "datetime(6)", "1600-01-01T00:00:00.000001"),
        ("2026-02-03 04:05:06.789", "timestamp(3)", "2026-02-03T04:05:06.789Z"),
        ("1", "bit(1)", True),
        ("100000000001", "bit(12)", "100000000001"),
        (2**64 - 1, "bigint(20) unsigned", 2**64 - 1),
        ("-838:59:58.000", "time(3)", "-838:59:58.000"),
    ],
)
def test_values_have_the_forms_that_the_comparison_reads(
    value: Any, kind: str, expected: Any
) -> None:
    assert canonical(value, kind) == expected
