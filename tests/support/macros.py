"""The package's macros in bare Jinja."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from jinja2 import Environment, Template
from jinja2.runtime import Macro

from dbt_debezium_spark.catalog.column_export.rows import read_export
from dbt_debezium_spark.door import Door
from dbt_debezium_spark.door.run import Run
from dbt_debezium_spark.door.table_metadata import TableMetadata
from tests.support.blocks import source_options
from tests.support.paths import REPOSITORY

_EXPORTED = "dbt_macro__"
# Blocks that only dbt knows.
_OF_DBT = re.compile(r"{%-?\s*(materialization|test)\s")
_MACRO = re.compile(r"({%-?\s*macro\s+)")
_ENVIRONMENT = Environment(extensions=["jinja2.ext.do"])


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class CompilerError(Exception):
    """What a macro raised on purpose."""


class Macros:
    """The macros as dbt would call them, with a fake context; `macros.name(...)`.

    Args:
        sources: the var `debezium_sources`.
        queries: what queries return: rows by a word of the query.
        models: nodes of the graph.
        this: the model's own relation.
        watermarks: highest batch id by relation; a relation that is missing does not exist.
        variables: other vars of the project.
        running: whether dbt is about to execute the model.
    """

    def __init__(
        self,
        sources: Mapping[str, Any] | None = None,
        queries: Mapping[str, list[tuple[Any, ...]]] | None = None,
        models: Iterable[Mapping[str, Any]] = (),
        this: str | None = None,
        watermarks: Mapping[str, int] | None = None,
        variables: Mapping[str, Any] | None = None,
        running: bool = False,
    ) -> None:
        self.events: list[str] = []
        self.printed: list[str] = []
        self.decisions: dict[str, Any] = {}
        self._macros: dict[str, Any] = {}
        self._queries = dict(queries or {})
        nodes = {str(number): _node(model) for number, model in enumerate(models)}
        settings = {"debezium_sources": dict(sources or {}), **(variables or {})}
        run = SimpleNamespace(
            texts=self._texts,
            evidence=self._texts,
            exists=lambda relation: True,
            column_export=_column_export,
            create_temporary_view=self._create_view,
            hold=lambda sql: f"({sql})",
            let_go=lambda held: None,
            work_on_few_rows=lambda is_few: None,
            lints=lambda: False,
        )
        tables = TableMetadata(lambda sql: [])
        # catalogs grow from batch to batch, and nothing is asked once
        texts = run.texts
        tables.layouts = lambda catalog, sql: list(map(json.loads, texts(sql)))  # type: ignore[method-assign]
        self.door = door = Door(tables, cast("Run", run))
        context: dict[str, Any] = {
            "debezium_spark": self,
            "adapter": SimpleNamespace(
                dispatch=lambda name, package: self._macros[f"default__{name}"],
                debezium=lambda: door,
            ),
            "api": SimpleNamespace(Relation=SimpleNamespace(create=lambda **parts: parts)),
            "exceptions": SimpleNamespace(raise_compiler_error=_raise),
            "execute": True,
            "flags": SimpleNamespace(WHICH="run-operation"),
            "fromjson": json.loads,
            "graph": SimpleNamespace(nodes=nodes),
            "load_cached_relation": lambda relation: None,
            "load_relation": lambda relation: relation,
            "local_md5": lambda text: hashlib.md5(text.encode()).hexdigest(),
            "log": lambda text, info=False: self.events.append(text),
            "modules": SimpleNamespace(re=re),
            "print": self.printed.append,
            "return": _return,
            "run_query": self._run_query,
            "should_full_refresh": lambda: False,
            "this": this,
            "tojson": json.dumps,
            "var": lambda name, default=None: settings.get(name, default),
        }
        context = {**_ENVIRONMENT.globals, **context}
        template = Template.from_code(_ENVIRONMENT, _compiled_files(), context)
        for name, member in vars(template.module).items():
            if isinstance(member, Macro):
                self._macros[name.removeprefix(_EXPORTED)] = _returning(member)
        self._macros["batch_watermark"] = dict(watermarks or {}).get
        self._macros["is_running"] = lambda: running
        self._macros["decide"] = self.decisions.update
        # what is up to date, tests of dbt see: here every model is rendered
        self._macros["landed_batches"] = lambda raw, topics=None: None
        self._macros["up_to_date_with"] = lambda relation: None
        self._macros["view_inputs"] = lambda *relations, **more: None

    def __getattr__(self, name: str) -> Any:
        try:
            return self._macros[name]
        except KeyError:
            raise AttributeError(name) from None

    def _create_view(self, view: str, query: str) -> list[Any]:
        raise AssertionError(f"unexpected view: {view}")

    def _run_query(self, query: str) -> Any:
        for word, rows in self._queries.items():
            if word in query:
                return SimpleNamespace(rows=rows)
        raise AssertionError(f"unexpected query: {query}")

    def _texts(self, sql: str) -> list[str]:
        return [row[0] for row in self._run_query(sql).rows]


def _column_export(source: Mapping[str, Any]) -> Any:
    """Return an export in a CSV file; there is no Spark for others."""
    if source.get("columns_from") is None:
        return None
    return read_export(source["columns_from"], str(REPOSITORY), lambda sql: [])


def macros_of(connector: str, options: Mapping[str, Any]) -> Macros:
    """Return the macros with one source `s` of that connector."""
    return Macros({"s": source_options(connector, **options)})


@cache
def _compiled_files() -> Any:
    """Return all macros as one template: each made module of a file would cost as much."""
    files = sorted((REPOSITORY / "macros").rglob("*.sql"))
    # Jinja does not export names that begin with `_`; dbt prefixes them all likewise.
    texts = [_MACRO.sub(rf"\1{_EXPORTED}", file.read_text(encoding="utf-8")) for file in files]
    texts = [text for text in texts if not _OF_DBT.search(text)]
    return _ENVIRONMENT.compile("".join(texts))


def _returning(macro: Any) -> Any:
    def call(*positional: Any, **named: Any) -> Any:
        try:
            return macro(*positional, **named)
        except _Return as result:
            return result.value

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in macro.arguments]
    )
    return call


def _return(value: Any = None) -> Any:
    raise _Return(value)


def _raise(message: str) -> None:
    raise CompilerError(message)


def _node(model: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "resource_type": "model",
        "name": model["name"],
        "alias": model["name"],
        "schema": "lake",
        "database": None,
        "config": {"meta": model.get("meta", {}), "fields": model.get("fields")},
        "language": model.get("language", "sql"),
        "raw_code": model.get("raw_code", ""),
        "original_file_path": model.get("path", ""),
        "patch_path": None,
    }
