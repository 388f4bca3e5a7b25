"""What generated models say: the arguments with which their texts call the package's macros."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from jinja2 import StrictUndefined, Template, TemplateError, nodes
from jinja2.sandbox import SandboxedEnvironment

_ENVIRONMENT = SandboxedEnvironment(extensions=["jinja2.ext.do"], undefined=StrictUndefined)


class _Package:
    """Stands for the namespace `debezium_spark`; remembers the calls of `staging`."""

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
        former_keys: Sequence[Sequence[str]] = (),
        origins: Sequence[Mapping[str, str]] = (),
        **others: Any,
    ) -> str:
        self.calls.append(
            {
                "topics": list(topics),
                "key": list(key),
                "columns": list(columns),
                "shared_topic": shared_topic,
                "former_keys": [list(one) for one in former_keys],
                "origins": [dict(one) for one in origins],
            }
        )
        return ""


class _Observability:
    """Stands for the namespace `debezium_spark`; remembers the calls of its `obs_` macros."""

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
    """Stands for dbt's `config`, which a model may call and ask."""

    def __call__(self, *positional: Any, **named: Any) -> str:
        return ""

    def get(self, name: str, default: Any = None) -> Any:
        return default


def staging_call(code: str, variable: Callable[..., Any]) -> dict[str, Any] | None:
    """Return what a model's text tells macro `staging`, without running the macro.

    The text is the only place that is always right: a person may have taken the file over.

    Args:
        code: text of the model, as it stands in its file.
        variable: dbt's `var`.

    Returns:
        `topics`, `key`, `columns`, `shared_topic`, `former_keys` and `origins`; None when the text
        does not tell, as where a macro of the project's own makes the call.
    """
    return cast(dict[str, Any] | None, only_call(_Package(), code, variable))


def observability_call(code: str, variable: Callable[..., Any]) -> dict[str, Any] | None:
    """Return what an observability model's text tells its macro, without running it.

    Args:
        code: text of the model, as it stands in its file.
        variable: dbt's `var`.

    Returns:
        `macro`, the name, and `arguments`, in which models stand by their names; None when the text
        does not tell.
    """
    return cast(dict[str, Any] | None, only_call(_Observability(), code, variable))


def is_one_call(code: str) -> bool:
    """Tell whether a model's text is a call of one macro of the package, and nothing else.

    Only then may the macro give another text than SQL. Comments and calls of `config` may stand
    beside it.

    Args:
        code: text of the model, as it stands in its file.
    """
    try:
        body = _ENVIRONMENT.parse(code).body
    except TemplateError:
        return False
    parts = [part for node in body for part in getattr(node, "nodes", [node])]
    texts = "".join(part.data for part in parts if isinstance(part, nodes.TemplateData))
    calls = [part for part in parts if not isinstance(part, nodes.TemplateData)]
    named = [part.node for part in calls if isinstance(part, nodes.Call)]
    ours = [one for one in named if _is_of_package(one)]
    others = [one for one in named if not _is_of_package(one)]
    return (
        len(named) == len(calls)
        and len(ours) == 1
        and all(isinstance(one, nodes.Name) and one.name == "config" for one in others)
        and all(not line.strip() or line.lstrip().startswith("--") for line in texts.splitlines())
    )


def _is_of_package(node: nodes.Node) -> bool:
    return (
        isinstance(node, nodes.Getattr)
        and isinstance(node.node, nodes.Name)
        and node.node.name == "debezium_spark"
    )


def only_call(package: Any, code: str, variable: Callable[..., Any]) -> Any:
    """Return what the one call of a model's text tells, without running the macro.

    Args:
        package: stands for the namespace `debezium_spark`: its methods for macros, and `calls`,
            what they remember.
        code: text of the model, as it stands in its file.
        variable: dbt's `var`.

    Returns:
        The one member of `calls`; None when the text makes none or several, or cannot be read.
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
    """Return a text as a template, which takes a millisecond for two columns to make."""
    return _ENVIRONMENT.from_string(code)
