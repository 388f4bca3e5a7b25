"""The block `flattened` of a source: the transform that unwraps its envelopes."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import as_text

PREFIX = "__"
EXAMPLE = "op,table,source.ts_ms"
# `op`, `source.lsn`, `source.lsn:LSN`, as in the connector
_FIELD = re.compile(r"(?P<path>[A-Za-z_]+(?:[.][A-Za-z_]+)?)(?::(?P<name>[^:,\s]+))?")


def _fields(value: Any) -> str:
    text = as_text(value, EXAMPLE)
    for field in split_fields(text):
        if not _FIELD.fullmatch(field):
            raise problem(
                f" has the field `{field}`",
                f"Copy the line from the connector, for example `{EXAMPLE}`",
            )
    return ",".join(split_fields(text))


def _prefix(value: Any) -> str:
    if not isinstance(value, str):
        raise problem(f" is {value!r}, not text", f"Write for example `{PREFIX}`")
    return value


def _optional_fields(value: Any) -> str | None:
    return None if value is None or value == "" else _fields(value)


class FlattenedSettings(Block):
    """Options of Debezium's ExtractNewRecordState, with `_` in place of `.`.

    Attributes:
        add_fields: the transform's `add.fields`; None: any field under its default name.
        add_fields_prefix: its `add.fields.prefix`.
        add_headers: its `add.headers`; None: headers are not read.
        add_headers_prefix: its `add.headers.prefix`.
    """

    add_fields: Annotated[str | None, BeforeValidator(_optional_fields)] = None
    add_fields_prefix: Annotated[str, BeforeValidator(_prefix)] = PREFIX
    add_headers: Annotated[str | None, BeforeValidator(_optional_fields)] = None
    add_headers_prefix: Annotated[str, BeforeValidator(_prefix)] = PREFIX

    @classmethod
    def prepare(cls, options: dict[str, Any], name: str, context: Any) -> dict[str, Any]:
        """Refuse an empty prefix that leaves open which members are columns."""
        if options.get("add_fields_prefix") == "" and not options.get("add_fields"):
            raise problem(
                ".add_fields_prefix is empty, so any column may be an added field",
                "Copy the connector's `add.fields` to `add_fields`",
            )
        return options


def split_fields(text: str) -> list[str]:
    """Return the fields of `add.fields` or `add.headers`."""
    return [field.strip() for field in text.split(",") if field.strip()]


def path_and_name(field: str) -> tuple[str, str | None]:
    """Return the path of a field, and the name that the transform gives it, if configured."""
    found = _FIELD.fullmatch(field)
    assert found is not None, field
    return found["path"], found["name"]


def switch(value: Any) -> Any:
    """Return the block as a mapping: `true` and an empty one have every default."""
    if value is True:
        return {}
    return None if value is False else value
