"""Macros call only macros and adapter methods that exist: Jinja finds out when it is late."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from dbt.parser.schemas import is_valid_type
from jinja2 import Environment
from jinja2.nodes import Macro

from dbt_debezium_spark.adapter import Extension
from tests.support.paths import REPOSITORY

MACROS = REPOSITORY / "macros"
TEXTS = {path: path.read_text(encoding="utf-8") for path in sorted(MACROS.rglob("*.sql"))}
DEFINED = {
    name
    for text in TEXTS.values()
    for name in re.findall(r"{%-?\s*(?:macro|materialization|test)\s+(\w+)", text)
}
_SIGNATURE = re.compile(r"{%-?\s*macro\s+\w+\(.*?\)\s*-?%}", re.DOTALL)


def arguments() -> dict[str, set[str]]:
    """Return the names of the arguments of every macro."""
    headers = [match[0] for text in TEXTS.values() for match in _SIGNATURE.finditer(text)]
    parsed = [Environment().parse(header + "{% endmacro %}").find(Macro) for header in headers]
    return {macro.name: {argument.name for argument in macro.args} for macro in parsed if macro}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_macro_and_method_called_exists(path: Path) -> None:
    without_comments = re.sub(r"{#.*?#}", "", TEXTS[path], flags=re.DOTALL)

    called = set(re.findall(r"\bdebezium_spark\.(\w+)\(", without_comments))
    assert called <= DEFINED
    methods = set(re.findall(r"\badapter\.(debezium_\w+)\(", without_comments))
    assert {name for name in methods if not hasattr(Extension, name)} == set()


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


def test_documented_macros_lie_beside_their_page_and_have_the_documented_arguments() -> None:
    known = arguments()
    folders = {
        name: path.parent
        for path, text in TEXTS.items()
        for name in re.findall(r"{%-?\s*macro\s+(\w+)", text)
    }

    for path in sorted(MACROS.rglob("*.yml")):
        for macro in yaml.safe_load(path.read_text(encoding="utf-8"))["macros"]:
            name = macro["name"]
            documented = {argument["name"] for argument in macro.get("arguments", [])}
            assert folders[name] == path.parent, name
            assert documented <= known[name], name
