"""The files of `macros/` stay short, and folders call each other in one direction."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import jinja2
import pytest
import yaml
from jinja2 import nodes

from tests.support.paths import REPOSITORY

MACROS = REPOSITORY / "macros"
LONGEST_FILE = 200
LONGEST_MACRO = 120
LONGEST_LINE = 100

_COMMENT = re.compile(r"{#.*?#}", re.DOTALL)
_DEFINITION = re.compile(r"{%-?\s*(?:macro|materialization|test)\s+(\w+)")
_BLOCK = re.compile(r"{%-?\s*(macro|materialization|test)\s+(\w+).*?{%-?\s*end\1\b", re.DOTALL)
_SIGNATURE = re.compile(r"{%-?\s*(macro\s+\w+\s*\(.*?\))\s*-?%}", re.DOTALL)
_CALL = re.compile(r"\bdebezium_spark\.(\w+)")


def sql_texts(folder: Path) -> dict[Path, str]:
    """Return the texts of the SQL files below a folder of macros, by path."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.sql"))}


def called_folders(texts: dict[Path, str]) -> dict[str, set[str]]:
    """Return for each folder the other folders whose macros it calls."""
    folder_of = {
        name: path.parent.name for path, text in texts.items() for name in _DEFINITION.findall(text)
    }
    called: dict[str, set[str]] = {path.parent.name: set() for path in texts}
    for path, text in texts.items():
        own = path.parent.name
        names = _CALL.findall(_COMMENT.sub("", text))
        called[own] |= {folder_of[name] for name in names if name in folder_of} - {own}
    return called


TEXTS = sql_texts(MACROS)


def test_no_folder_calls_back_into_a_folder_that_calls_it():
    called = called_folders(TEXTS)

    assert called["state"] >= {"sequence", "tables", "internal"}
    list(TopologicalSorter(called).static_order())  # raises CycleError with the folders


def test_a_cycle_of_folders_is_found(tmp_path):
    for folder, callee in (("a", "of_b"), ("b", "of_c"), ("c", "of_a")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.sql").write_text(
            "{%- macro of_" + folder + "() -%}{# debezium_spark.of_a #}"
            "{{ debezium_spark." + callee + "() }}{%- endmacro -%}\n",
            encoding="utf-8",
        )

    with pytest.raises(CycleError):
        list(TopologicalSorter(called_folders(sql_texts(tmp_path))).static_order())


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_files_and_macros_are_short(path):
    text = TEXTS[path]
    blocks = {match[2]: match[0].count("\n") + 1 for match in _BLOCK.finditer(text)}

    assert blocks.keys() == set(_DEFINITION.findall(text))
    assert {name: lines for name, lines in blocks.items() if lines > LONGEST_MACRO} == {}
    assert text.count("\n") <= LONGEST_FILE


@pytest.mark.parametrize(
    "path", [*TEXTS, *sorted(MACROS.rglob("*.yml"))], ids=lambda path: path.stem
)
def test_lines_are_short(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


def defined_arguments(text: str) -> dict[str, list[str]]:
    """Return the names of the arguments of each macro in a file."""
    found = {}
    for signature in _SIGNATURE.findall(_COMMENT.sub("", text)):
        parsed = jinja2.Environment().parse("{% " + signature + " %}{% endmacro %}")
        for macro in parsed.find_all(nodes.Macro):
            found[macro.name] = [argument.name for argument in macro.args]
    return found


def test_documented_arguments_are_those_that_the_macros_take():
    defined = {
        name: arguments
        for text in TEXTS.values()
        for name, arguments in defined_arguments(text).items()
    }
    documented = {
        macro["name"]: [argument["name"] for argument in macro["arguments"]]
        for path in sorted(MACROS.rglob("*.yml"))
        for macro in yaml.safe_load(path.read_text(encoding="utf-8"))["macros"]
        if macro.get("arguments")
    }

    assert len(documented) > 50
    assert documented == {name: defined.get(name) for name in documented}
