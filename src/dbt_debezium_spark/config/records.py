"""How a source's records are written: the connector, its converter and its transforms."""

from __future__ import annotations

import os
import re
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, model_validator

from dbt_debezium_spark.config.block import Block, as_mapping, as_text, one_of, refuse_unknown
from dbt_debezium_spark.config.errors import ConfigError, problem
from dbt_debezium_spark.decode.connectors import CONNECTORS

UNAVAILABLE_VALUE_PLACEHOLDER = "__debezium_unavailable_value"

# Allowed values by option that changes the form of values; the first one is Debezium's default.
MODES: dict[str, tuple[str, ...]] = {
    "decimal_handling_mode": ("precise", "double", "string"),
    "time_precision_mode": (
        "adaptive",
        "adaptive_time_microseconds",
        "connect",
        "microseconds",
        "nanoseconds",
        "isostring",
    ),
    "binary_handling_mode": ("bytes", "base64", "base64-url-safe", "hex"),
    "interval_handling_mode": ("numeric", "string"),
    "hstore_handling_mode": ("json", "map"),
    "bigint_unsigned_handling_mode": ("long", "precise"),
    "decimal_format": ("base64", "numeric"),
}


def default_of(option: str, connector: str) -> str:
    """Return the value that Debezium uses if the connector does not set `option`."""
    if option == "time_precision_mode":
        return CONNECTORS[connector].time_precision_mode
    return MODES[option][0]


# -- Avro, and JSON Schema of a registry -----------------------------------------------------------

AVRO, TEXT = "avro", "text"
SECRETS = ("basic_auth",)
REGISTRY = "http://127.0.0.1:8081"


def _registry(value: Any) -> str:
    registry = as_text(value, REGISTRY).strip()
    # This check comes first, because later messages contain the address.
    if "@" in registry.split("://", 1)[-1].split("/", 1)[0]:
        raise problem(
            " has a user or password in its address",
            "Put `user:password` into an environment variable and name it: "
            "`options_from_env: {basic_auth: REGISTRY_AUTH}`",
        )
    parts = urlsplit(registry)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise problem(
            f" is `{registry}`, not an http or https address",
            f"Write for example `{REGISTRY}`, or of Apicurio `http://host:8080/apis/ccompat/v7`",
        )
    if parts.query or parts.fragment:
        raise problem(f" is `{registry}`, an address with a query", "Write it without")
    return registry.rstrip("/")


def _variables(value: Any) -> dict[str, str]:
    names = as_mapping(value)
    refuse_unknown(names, SECRETS)
    return {option: as_text(name, "REGISTRY_AUTH", f".{option}") for option, name in names.items()}


class AvroSettings(Block):
    """The block `avro`: how keys and values of a source are decoded.

    Attributes:
        registry: address of the Confluent-compatible interface, without a slash at its end.
        key: `avro`, or `text` if only values are in Avro.
        options_from_env: by option the name of an environment variable with its value. The values
            are read for each request and never stored.
    """

    shown = None

    registry: Annotated[str, BeforeValidator(_registry)]
    key: Annotated[str, one_of((AVRO, TEXT))] = AVRO
    options_from_env: Annotated[dict[str, str], BeforeValidator(_variables)] = {}

    def basic_auth(self) -> tuple[str, str] | None:
        """Return user and password from the environment, None if they are not configured.

        Raises:
            ConfigError: the variable is not set, or is not `user:password`.
        """
        name = self.options_from_env.get("basic_auth")
        if name is None:
            return None
        user, colon, password = os.environ.get(name, "").partition(":")
        if not colon or not user:
            wrong = "is not `user:password`" if name in os.environ else "is not set"
            raise ConfigError(
                f"the environment variable `{name}`, named by avro.options_from_env.basic_auth, "
                f"{wrong}",
                "Set it to the user and password of the schema registry, with a colon between",
            )
        return user, password


# -- flattened records -----------------------------------------------------------------------------

PREFIX = "__"
_ADDED_FIELDS = "op,table,source.ts_ms"
# `op`, `source.lsn`, `source.lsn:LSN`, as in the connector
_FIELD = re.compile(r"(?P<path>[A-Za-z_]+(?:[.][A-Za-z_]+)?)(?::(?P<name>[^:,\s]+))?")


def _added_fields(value: Any) -> str | None:
    if value is None or value == "":
        return None
    fields = split_fields(as_text(value, _ADDED_FIELDS))
    for field in fields:
        if not _FIELD.fullmatch(field):
            raise problem(
                f" has the field `{field}`",
                f"Copy the line from the connector, for example `{_ADDED_FIELDS}`",
            )
    return ",".join(fields)


def _prefix(value: Any) -> str:
    if not isinstance(value, str):
        raise problem(f" is {value!r}, not text", f"Write for example `{PREFIX}`")
    return value


class FlattenedSettings(Block):
    """The block `flattened`: Debezium's ExtractNewRecordState, with `_` in place of `.`.

    Attributes:
        add_fields: the transform's `add.fields`; None: any field under its default name.
        add_fields_prefix: its `add.fields.prefix`.
        add_headers: its `add.headers`; None: headers are not read.
        add_headers_prefix: its `add.headers.prefix`.
    """

    shown = None

    add_fields: Annotated[str | None, BeforeValidator(_added_fields)] = None
    add_fields_prefix: Annotated[str, BeforeValidator(_prefix)] = PREFIX
    add_headers: Annotated[str | None, BeforeValidator(_added_fields)] = None
    add_headers_prefix: Annotated[str, BeforeValidator(_prefix)] = PREFIX

    @model_validator(mode="after")
    def _tells_columns_from_added_fields(self) -> Self:
        if self.add_fields_prefix == "" and not self.add_fields:
            raise problem(
                ".add_fields_prefix is empty, so any column may be an added field",
                "Copy the connector's `add.fields` to `add_fields`",
            )
        return self


def split_fields(text: str) -> list[str]:
    """Return the fields of `add.fields` or `add.headers`."""
    return [field.strip() for field in text.split(",") if field.strip()]


def path_and_name(field: str) -> tuple[str, str | None]:
    """Return the path of a field, and the name that the transform gives it, if configured."""
    found = _FIELD.fullmatch(field)
    assert found is not None, field
    return found["path"], found["name"]


def _flattened(value: Any) -> Any:
    """Return the block as a mapping: `true` and an empty one have every default."""
    if value is True:
        return {}
    return None if value is False else value


Avro = Annotated[AvroSettings | None, BeforeValidator(lambda value: value or None)]
Flattened = Annotated[FlattenedSettings | None, BeforeValidator(_flattened)]
