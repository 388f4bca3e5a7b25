"""Verdicts: the page, the walk of rows and the walk of documents have the same names."""

from __future__ import annotations

import re

from dbt_debezium_spark.verdicts import PAGE, VERDICTS
from tests.support.paths import REPOSITORY

_LAST_CELL = re.compile(r"\[`([^`]+)`\]\(\.\./macros/state/walk\.sql#L\d+\) \|$")


def test_each_verdict_names_its_line_of_the_page():
    lines = (REPOSITORY / PAGE).read_text(encoding="utf-8").splitlines()
    found = {
        match[1]: number
        for number, line in enumerate(lines, 1)
        if (match := _LAST_CELL.search(line))
    }
    assert found == {name: verdict.line for name, verdict in VERDICTS.items()}


def test_the_walk_of_rows_gives_these_verdicts():
    text = (REPOSITORY / "macros" / "state" / "walk.sql").read_text(encoding="utf-8")
    (given,) = re.findall(r"macro verdict\(\).*?endmacro", text, re.DOTALL)
    assert set(re.findall(r"(?:then|else) '([^']+)'", given)) == set(VERDICTS)
    (ignored,) = re.findall(r"verdict not in \(([^)]*)\)", text)
    applied = {name for name, verdict in VERDICTS.items() if verdict.is_applied}
    assert set(re.findall("'([^']+)'", ignored)) == set(VERDICTS) - applied
