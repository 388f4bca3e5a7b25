"""The block `avro` of a source."""

from __future__ import annotations

import os
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import ConfigError, problem
from dbt_debezium_spark.config.values import as_mapping, as_text, one_of, refuse_unknown

AVRO, TEXT = "avro", "text"
SECRETS = ("basic_auth",)
EXAMPLE = "http://127.0.0.1:8081"


def _registry(value: Any) -> str:
    registry = as_text(value, EXAMPLE).strip()
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
            f"Write for example `{EXAMPLE}`, or of Apicurio `http://host:8080/apis/ccompat/v7`",
        )
    if parts.query or parts.fragment:
        raise problem(f" is `{registry}`, an address with a query", "Write it without")
    return registry.rstrip("/")


def _variables(value: Any) -> dict[str, str]:
    names = as_mapping(value)
    refuse_unknown(names, SECRETS)
    return {option: as_text(name, "REGISTRY_AUTH", f".{option}") for option, name in names.items()}


class AvroSettings(Block):
    """How keys and values of a source are decoded.

    Attributes:
        registry: address of the Confluent-compatible interface, without a slash at its end.
        key: `avro`, or `text` if only values are in Avro.
        options_from_env: by option the name of an environment variable with its value. The values
            are read for each request and never stored.
    """

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


def read_avro(value: Any, where: str) -> AvroSettings:
    """Return the block `avro` of a source.

    Args:
        value: the block, or its `to_dict`.
        where: its place in the configuration, for messages.

    Raises:
        ConfigError: an option is missing, unknown, or a secret.
    """
    return AvroSettings.read(value, where)
