"""Who is shown the skeleton of a model: sqlfluff, and no command of dbt."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import pytest
from sqlfluff_templater_dbt.templater import DbtConfigArgs

from dbt_debezium_spark.door.lint import shows_skeletons


@pytest.mark.parametrize(
    ("arguments", "variable", "shown"),
    [
        (DbtConfigArgs(), None, True),
        (DbtConfigArgs(), "skeleton", True),
        (DbtConfigArgs(), "macros", False),
        (Namespace(which="compile"), None, False),
        (Namespace(which="compile"), "skeleton", False),
    ],
)
def test_only_sqlfluff_is_shown_skeletons(
    arguments: Any, variable: str | None, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEBEZIUM_SPARK_LINT", raising=False)
    if variable is not None:
        monkeypatch.setenv("DEBEZIUM_SPARK_LINT", variable)

    assert shows_skeletons(arguments) is shown


def test_another_word_is_refused_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBEZIUM_SPARK_LINT", "all")

    with pytest.raises(ValueError, match="'all'. Set it to one of: skeleton, macros"):
        shows_skeletons(DbtConfigArgs())
