"""The rows of all connectors."""

from __future__ import annotations

from tests.type_cases import TypeCase, mysql, oracle, postgresql, sqlserver

CASES: dict[str, list[TypeCase]] = {
    "sqlserver": sqlserver.CASES,
    "postgresql": postgresql.CASES,
    "oracle": oracle.CASES,
    "mysql": mysql.CASES,
    "mariadb": mysql.MARIADB_CASES,
}
EVERY = [case for cases in CASES.values() for case in cases]
