"""The arguments with which the texts of generated models call the package's macros."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from jinja2 import StrictUndefined, Template, TemplateError, nodes
from jinja2.sandbox import SandboxedEnvironment

_ENVIRONMENT = SandboxedEnvironment(extensions=["jinja2.ext.do"], undefined=StrictUndefined)


class _StagingCalls:
    """Replaces the namespace `debezium_spark` and records the calls of its staging macros."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def staging(
        self,
        source: str,
        raw: Any,
        topics: Sequence[str],
        table: str,
        key: Sequence[Mapping[str, Any]],
        columns: Sequence[Mapping[str, Any]],
        shared_topic: bool = False,
        schemas: Any = None,
        former_keys: Sequence[Sequence[str]] = (),
        origins: Sequence[Mapping[str, str]] = (),
        **others: Any,
    ) -> str:
        self.document_staging(source, raw, topics, table, shared_topic, schemas, origins)
        self.calls[-1] |= {
            "key": list(key),
            "columns": with_values(columns),
            "image_columns": list(columns),
            "former_keys": [list(names) for names in former_keys],
        }
        return ""

    def document_staging(
        self,
        source: str,
        raw: Any,
        topics: Sequence[str],
        table: str,
        shared_topic: bool = False,
        schemas: Any = None,
        origins: Sequence[Mapping[str, str]] = (),
    ) -> str:
        self.calls.append(
            {
                "topics": list(topics),
                "shared_topic": shared_topic,
                "origins": [dict(origin) for origin in origins],
            }
        )
        return ""


class _ObservabilityCalls:
    """Replaces the namespace `debezium_spark` and records the calls of its `obs_` macros."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Callable[..., str]:
        if not name.startswith("obs_"):
            raise AttributeError(name)

        def call(**arguments: Any) -> str:
            self.calls.append({"macro": name, "arguments": arguments})
            return ""

        return call


class _Config:
    """Replaces dbt's `config`, which a model may call and read."""

    def __call__(self, *positional: Any, **named: Any) -> str:
        return ""

    def get(self, name: str, default: Any = None) -> Any:
        return default


def staging_call(code: str, variable: Callable[..., Any]) -> dict[str, Any] | None:
    """Return the arguments with which a model calls macro `staging`, without running the macro.

    Only the text is always right, because a person may have taken over the file.

    Args:
        code: text of the model's file.
        variable: dbt's `var`.

    Returns:
        `topics`, `key`, `columns`, `image_columns` (also those that the model leaves out),
        `shared_topic`, `former_keys` and `origins`; None if the text does not contain the call, for
        example if a macro of the project makes it.
    """
    call: dict[str, Any] | None = only_call(_StagingCalls(), code, variable)
    return call if call and "columns" in call else None


def records_read(code: str, variable: Callable[..., Any]) -> dict[str, Any] | None:
    """Return which records a staging model of a table or of a collection reads.

    Args:
        code: text of the model's file.
        variable: dbt's `var`.

    Returns:
        `topics`, `shared_topic` and `origins`; None if the text does not contain the call.
    """
    call: dict[str, Any] | None = only_call(_StagingCalls(), code, variable)
    return call and {name: call[name] for name in ("topics", "shared_topic", "origins")}


def observability_call(code: str, variable: Callable[..., Any]) -> dict[str, Any] | None:
    """Return the arguments with which an observability model calls its macro, without running it.

    Args:
        code: text of the model's file.
        variable: dbt's `var`.

    Returns:
        `macro`, the name, and `arguments`, in which models are given by name; None if the text does
        not contain the call.
    """
    return cast(dict[str, Any] | None, only_call(_ObservabilityCalls(), code, variable))


def with_values(columns: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the columns of a call of macro `staging` less those that it leaves out."""
    return [column for column in columns if "excluded" not in column]


def is_one_call(code: str) -> bool:
    """Return whether a model's text is only a call of one macro of the package.

    Only then may the macro return something other than SQL. Comments and calls of `config` are
    allowed as well.

    Args:
        code: text of the model's file.
    """
    try:
        body = _ENVIRONMENT.parse(code).body
    except TemplateError:
        return False
    parts = [part for node in body for part in getattr(node, "nodes", [node])]
    texts = "".join(part.data for part in parts if isinstance(part, nodes.TemplateData))
    calls = [part for part in parts if not isinstance(part, nodes.TemplateData)]
    functions = [part.node for part in calls if isinstance(part, nodes.Call)]
    ours = [function for function in functions if _is_of_package(function)]
    others = [function for function in functions if not _is_of_package(function)]
    return (
        len(functions) == len(calls)
        and len(ours) == 1
        and all(isinstance(other, nodes.Name) and other.name == "config" for other in others)
        and all(not line.strip() or line.lstrip().startswith("--") for line in texts.splitlines())
    )


def _is_of_package(node: nodes.Node) -> bool:
    return (
        isinstance(node, nodes.Getattr)
        and isinstance(node.node, nodes.Name)
        and node.node.name == "debezium_spark"
    )


def only_call(package: Any, code: str, variable: Callable[..., Any]) -> Any:
    """Return the arguments of the only call in a model's text, without running the macro.

    Args:
        package: replaces the namespace `debezium_spark`. Its methods replace macros and add their
            arguments to `calls`.
        code: text of the model's file.
        variable: dbt's `var`.

    Returns:
        The only member of `calls`; None if the text contains no or several calls, or is no Jinja.
    """
    names = {
        "config": _Config(),
        "debezium_spark": package,
        "env_var": lambda name, default="": os.environ.get(name, default),
        "execute": True,
        "ref": lambda *parts, **named: ".".join(parts),
        "source": lambda *parts: ".".join(parts),
        "var": variable,
    }
    try:
        _template(code).render(names)
    except (TemplateError, TypeError):
        return None
    return package.calls[0] if len(package.calls) == 1 else None


@lru_cache(maxsize=1024)
def _template(code: str) -> Template:
    """Return a text as a template; compiling takes a millisecond for two columns."""
    return _ENVIRONMENT.from_string(code)
