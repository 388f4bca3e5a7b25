"""What a staging model says of its table: the arguments with which it calls macro `staging`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import StrictUndefined, TemplateError
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
        **others: Any,
    ) -> str:
        self.calls.append(
            {
                "topics": list(topics),
                "key": list(key),
                "columns": list(columns),
                "shared_topic": shared_topic,
                "former_keys": [list(one) for one in former_keys],
            }
        )
        return ""


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
        `topics`, `key`, `columns`, `shared_topic` and `former_keys`; None when the text does not
        tell, as where a macro of the project's own makes the call.
    """
    package = _Package()
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
        _ENVIRONMENT.from_string(code).render(names)
    except (TemplateError, TypeError):
        return None
    return package.calls[0] if len(package.calls) == 1 else None
