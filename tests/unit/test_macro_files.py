"""The files of `macros/`: short, calling what exists, in one direction of folders, documented."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import jinja2
import yaml
from dbt.parser.schemas import is_valid_type
from jinja2 import nodes

from dbt_debezium_spark.door import Door
from dbt_debezium_spark.door.decisions import Decisions
from dbt_debezium_spark.door.run import Run
from dbt_debezium_spark.door.table_metadata import TableMetadata
from tests.support.paths import REPOSITORY

MACROS = REPOSITORY / "macros"
# Folders that the core does without: docs/CONTRIBUTING.md, the layout.
EXTENSIONS = ("explain", "history", "lost", "mongodb", "retention", "status", "verify")
# Texts of models of all kinds: the generator's templates.
PRINTS_CALLS = ("model_templates.sql",)
LONGEST_FILE = 400
LONGEST_MACRO = 160
LONGEST_LINE = 100

_COMMENT = re.compile(r"{#.*?#}", re.DOTALL)
_DEFINITION = re.compile(r"{%-?\s*(?:macro|materialization|test)\s+(\w+)")
_BLOCK = re.compile(r"{%-?\s*(macro|materialization|test)\s+(\w+).*?{%-?\s*end\1\b", re.DOTALL)
_SIGNATURE = re.compile(r"{%-?\s*(macro\s+\w+\s*\(.*?\))\s*-?%}", re.DOTALL)
_CALL = re.compile(r"\bdebezium_spark\.(\w+)")
_CALLED = re.compile(r"\bdebezium_spark\.(\w+)\(")
_DOOR = {**vars(Door), "tables": TableMetadata, "decisions": Decisions, "run": Run}
_NAMESPACES = [name for name in _DOOR if not name.startswith("_")]
_REACHED = re.compile(rf"\bdebezium(?:\(\))?\.({'|'.join(_NAMESPACES)})\.(\w+)")


def sql_texts(folder: Path) -> dict[Path, str]:
    """Return the texts of the SQL files below a folder of macros, by path."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.sql"))}


TEXTS = sql_texts(MACROS)
CODE = {path: _COMMENT.sub("", text) for path, text in TEXTS.items()}
PAGES = sorted(MACROS.rglob("*.yml"))
# path of the page, macro
DOCUMENTED = [
    (path, macro)
    for path in PAGES
    for macro in yaml.safe_load(path.read_text(encoding="utf-8"))["macros"]
]


def test_files_and_macros_and_lines_are_short():
    blocks = {
        (path, match[2]): match[0].count("\n") + 1
        for path, text in TEXTS.items()
        for match in _BLOCK.finditer(text)
    }
    defined = {(path, one) for path, text in TEXTS.items() for one in _DEFINITION.findall(text)}

    assert blocks.keys() == defined
    assert {name: lines for name, lines in blocks.items() if lines > LONGEST_MACRO} == {}
    assert [path for path, text in TEXTS.items() if text.count("\n") > LONGEST_FILE] == []
    lines = [(path, line) for path in (*TEXTS, *PAGES) for line in path.read_text().splitlines()]
    assert [one for one in lines if len(one[1]) > LONGEST_LINE] == []


def test_every_macro_and_function_called_exists():
    """Jinja finds out when it is late."""
    defined = {name for text in TEXTS.values() for name in _DEFINITION.findall(text)}
    called = {(path, name) for path, text in CODE.items() for name in _CALLED.findall(text)}
    assert [one for one in called if one[1] not in defined] == []
    reached = {(path, *names) for path, text in CODE.items() for names in _REACHED.findall(text)}
    assert {namespace for _, namespace, _ in reached} == set(_NAMESPACES)
    assert [one for one in reached if not hasattr(_DOOR[one[1]], one[2])] == []


# -- folders --------------------------------------------------------------------------------------


def called_folders(texts: dict[Path, str]) -> dict[str, set[str]]:
    """Return for each folder the other folders whose macros it calls."""
    folder_of = {
        name: path.parent.name for path, text in texts.items() for name in _DEFINITION.findall(text)
    }
    called: dict[str, set[str]] = {path.parent.name: set() for path in texts}
    for path, text in texts.items():
        if path.name in PRINTS_CALLS:
            continue
        own = path.parent.name
        names = _CALL.findall(_COMMENT.sub("", text))
        called[own] |= {folder_of[name] for name in names if name in folder_of} - {own}
    return called


def test_no_folder_calls_back_into_a_folder_that_calls_it():
    called = called_folders(TEXTS)

    assert called["state"] >= {"sequence", "tables", "internal"}
    list(TopologicalSorter(called).static_order())  # raises CycleError with the folders


def core_calls_of_extensions(texts: dict[Path, str]) -> set[tuple[str, str]]:
    """Return the calls from macros of the core to those of an extension: file and macro."""
    top = {path: path.relative_to(MACROS).parts[0] for path in texts}
    home = {name: top[path] for path, text in texts.items() for name in _DEFINITION.findall(text)}
    return {
        (path.name, name)
        for path, text in texts.items()
        if top[path] not in EXTENSIONS and path.name not in PRINTS_CALLS
        for name in _CALL.findall(_COMMENT.sub("", text))
        if home.get(name) in EXTENSIONS
    }


def test_the_core_calls_no_extension():
    planted = MACROS / "state" / "planted.sql"
    call = "{% macro planted() %}{{ debezium_spark.versions_sql() }}{% endmacro %}"

    assert core_calls_of_extensions({**TEXTS, planted: call}) == {("planted.sql", "versions_sql")}
    assert core_calls_of_extensions(TEXTS) == set()


# -- pages ----------------------------------------------------------------------------------------


def defined_arguments(code: str) -> dict[str, list[str]]:
    """Return the names of the arguments of each macro in a file."""
    found = {}
    for signature in _SIGNATURE.findall(code):
        parsed = jinja2.Environment().parse("{% " + signature + " %}{% endmacro %}")
        for macro in parsed.find_all(nodes.Macro):
            found[macro.name] = [argument.name for argument in macro.args]
    return found


def test_documented_arguments_are_those_that_the_macros_take():
    defined = {
        (path.parent, name): arguments
        for path, code in CODE.items()
        for name, arguments in defined_arguments(code).items()
    }
    # a macro lies beside its page
    pages = [(path.parent, macro["name"]) for path, macro in DOCUMENTED]
    assert [one for one in pages if one not in defined] == []
    documented = {
        (path.parent, macro["name"]): [argument["name"] for argument in macro["arguments"]]
        for path, macro in DOCUMENTED
        if macro.get("arguments")
    }

    assert len(documented) > 50
    assert documented == {name: defined[name] for name in documented}


def test_arguments_are_documented_with_types_that_dbt_knows():
    types = [
        (path.name, macro["name"], argument["name"], argument["type"])
        for path, macro in DOCUMENTED
        for argument in macro.get("arguments", [])
        if "type" in argument
    ]
    assert types
    assert [one for one in types if not is_valid_type(one[-1])] == []
