"""Macros call only macros and adapter methods that exist: Jinja finds out when it is late."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from dbt.parser.schemas import is_valid_type

from dbt_debezium_spark.adapter import SparkAdapter
from tests.support.paths import REPOSITORY

MACROS = REPOSITORY / "macros"
TEXTS = {path: path.read_text(encoding="utf-8") for path in sorted(MACROS.rglob("*.sql"))}
DEFINED = {
    name
    for text in TEXTS.values()
    for name in re.findall(r"{%-?\s*(?:macro|materialization|test)\s+(\w+)", text)
}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_macro_and_method_called_exists(path: Path) -> None:
    without_comments = re.sub(r"{#.*?#}", "", TEXTS[path], flags=re.DOTALL)

    called = set(re.findall(r"\bdebezium_spark\.(\w+)\(", without_comments))
    assert called <= DEFINED
    methods = set(re.findall(r"\badapter\.(debezium_\w+)\(", without_comments))
    assert {name for name in methods if not hasattr(SparkAdapter, name)} == set()


def test_arguments_are_documented_with_types_that_dbt_knows() -> None:
    documented = [
        (path.name, macro["name"], argument["name"], argument["type"])
        for path in sorted(MACROS.rglob("*.yml"))
        for macro in yaml.safe_load(path.read_text(encoding="utf-8"))["macros"]
        for argument in macro.get("arguments", [])
        if "type" in argument
    ]
    assert documented
    assert [one for one in documented if not is_valid_type(one[-1])] == []
