"""The configuration of a source, as macros read it; what is wrong in it is dbt's error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dbt_common.exceptions import CompilationError


def load_source(name: str, sources: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the validated configuration of one source, with every default filled in.

    It runs while dbt parses, so a wrong configuration fails before any SQL.

    Args:
        name: name of the source.
        sources: value of the var `debezium_sources`.

    Raises:
        CompilationError: the configuration is wrong; the text names the value and the remedy.
    """
    from dbt_debezium_spark import config
    from dbt_debezium_spark.config.sink_layouts import KEY_SWITCHES
    from dbt_debezium_spark.decode.placeholder import placeholder_forms

    try:
        source = config.describe_source(name, sources or {})
        forms = placeholder_forms(source["unavailable_value_placeholder"])
    except ValueError as error:
        raise CompilationError(str(error)) from error
    derived: dict[str, Any] = {"unavailable_value_forms": forms}
    key_switch = KEY_SWITCHES.get(source["input"].get("layout", ""))
    if key_switch is not None:
        derived["key_switch"] = key_switch
    return {**source, **derived}


@contextmanager
def as_compilation_error() -> Iterator[None]:
    """Raise configuration errors as dbt's, so that dbt names the model or hook beside them."""
    from dbt_debezium_spark.config import ConfigError

    try:
        yield
    except ConfigError as error:
        raise CompilationError(str(error)) from error


def utc_text(moment: Any) -> str:
    """Return a moment, such as the var `debezium_as_of`, in UTC: see `config.block`.

    Raises:
        CompilationError: the value is no timestamp with a time zone.
    """
    from pydantic_core import PydanticCustomError

    from dbt_debezium_spark.config import block

    try:
        return block.utc_text(moment)
    except PydanticCustomError as error:
        parts = error.context or {}
        raise CompilationError(
            f"debezium_spark: the var `debezium_as_of`{parts['what']}. {parts['remedy']}."
        ) from error
