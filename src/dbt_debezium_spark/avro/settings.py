"""The block `avro` of a source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

AVRO, TEXT = "avro", "text"
KEYS = ("registry", "key", "options_from_env")
SECRETS = ("basic_auth",)
EXAMPLE = "http://127.0.0.1:8081"


@dataclass(frozen=True)
class AvroSettings:
    """How a source's keys and values are decoded.

    Attributes:
        registry: address of the registry's Confluent-compatible interface, no slash at its end.
        key: `avro`, or `text` when only values are in Avro.
        options_from_env: option to the environment variable that holds its value. The values
            themselves are read when a request is made and kept nowhere.
    """

    registry: str
    key: str = AVRO
    options_from_env: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the block in the form it is configured in."""
        return {
            "registry": self.registry,
            "key": self.key,
            "options_from_env": dict(self.options_from_env),
        }

    def basic_auth(self) -> tuple[str, str] | None:
        """Return user and password from the environment, None when none are configured.

        Raises:
            ConfigError: the variable is not set, or does not hold `user:password`.
        """
        # Configuration imports this module: an import above would go round in a circle.
        from dbt_debezium_spark.config.errors import ConfigError

        name = self.options_from_env.get("basic_auth")
        if name is None:
            return None
        user, colon, password = os.environ.get(name, "").partition(":")
        if not colon or not user:
            wrong = "does not hold `user:password`" if name in os.environ else "is not set"
            raise ConfigError(
                f"the environment variable `{name}`, named by avro.options_from_env.basic_auth, "
                f"{wrong}",
                "Set it to the user and password of the schema registry, with a colon between",
            )
        return user, password


def read_avro(value: Any, where: str) -> AvroSettings:
    """Return the block `avro` of a source.

    Args:
        value: the block; `to_dict` gives it back.
        where: its place, for messages.

    Raises:
        ConfigError: something is missing, unknown, or a secret.
    """
    from dbt_debezium_spark.config.errors import (
        ConfigError,
        expect_known,
        expect_mapping,
        expect_one_of,
        expect_text,
    )

    block = expect_mapping(value, where)
    expect_known(block, KEYS, where)
    registry = expect_text(block.get("registry"), f"{where}.registry", EXAMPLE).strip()
    # Shown before anything else is checked, an address with a password would be in the message.
    if "@" in registry.split("://", 1)[-1].split("/", 1)[0]:
        raise ConfigError(
            f"{where}.registry has a user or password in its address",
            "Put `user:password` into an environment variable and name it: "
            "`options_from_env: {basic_auth: REGISTRY_AUTH}`",
        )
    parts = urlsplit(registry)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(
            f"{where}.registry is `{registry}`, not an http or https address",
            f"Write for example `{EXAMPLE}`, or of Apicurio `http://host:8080/apis/ccompat/v7`",
        )
    if parts.query or parts.fragment:
        raise ConfigError(
            f"{where}.registry is `{registry}`, an address with a query", "Write it without"
        )
    key = expect_one_of(block.get("key", AVRO), (AVRO, TEXT), f"{where}.key")
    names = expect_mapping(block.get("options_from_env", {}), f"{where}.options_from_env")
    expect_known(names, SECRETS, f"{where}.options_from_env")
    variables = {
        option: expect_text(name, f"{where}.options_from_env.{option}", "REGISTRY_AUTH")
        for option, name in names.items()
    }
    return AvroSettings(registry.rstrip("/"), key, variables)
