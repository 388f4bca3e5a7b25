"""Kafka topics as a source's input."""

from __future__ import annotations

import os
import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import ConfigError, problem
from dbt_debezium_spark.config.values import as_mapping, as_text, text, unless_none, whole_number

# Options that landing itself sets; option names are case-insensitive in Spark.
OWN_OPTIONS = (
    "kafka.bootstrap.servers",
    "subscribe",
    "subscribepattern",
    "assign",
    "startingoffsets",
    "startingoffsetsbytimestamp",
    "startingtimestamp",
    "endingoffsets",
    "endingoffsetsbytimestamp",
    "endingtimestamp",
    "failondataloss",
    "includeheaders",
    "maxoffsetspertrigger",
    "minoffsetspertrigger",
)
SECRET = re.compile(
    r"(password|secret|jaas\.config|keystore\.key|private\.key|user\.info)$", re.IGNORECASE
)
ENVIRONMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _plain_options(value: Any) -> dict[str, str]:
    options = as_mapping(value or {})
    for name, setting in options.items():
        _refuse_own(name)
        if SECRET.search(name):
            raise problem(
                f".{name} contains a secret in plain text",
                f"Put it into an environment variable and write options_from_env: {{{name}: NAME}}",
            )
        if not isinstance(setting, str | int | float | bool):
            raise problem(f".{name} is {setting!r}", "Write a text, a number, true or false")
    return {
        name: str(setting).lower() if isinstance(setting, bool) else str(setting)
        for name, setting in options.items()
    }


def _environment(value: Any) -> dict[str, str]:
    options = as_mapping(value or {})
    for name, variable in options.items():
        _refuse_own(name)
        if not isinstance(variable, str) or not ENVIRONMENT_NAME.fullmatch(variable):
            # The value may be the secret itself, so the message does not contain it.
            raise problem(
                f".{name} is not the name of an environment variable",
                "Write the variable's name, like KAFKA_JAAS_CONFIG; its value is not for this file",
            )
    return options


def _refuse_own(name: str) -> None:
    if name.lower() in OWN_OPTIONS:
        own = "brokers" if name.lower() == "kafka.bootstrap.servers" else "topic_pattern"
        raise problem(
            f".{name} selects records, which landing itself does",
            f"Remove it; use `{own}` and `max_records_per_run`",
        )


_PATTERN = unless_none(lambda value: as_text(value, "dbserver1[.].*"))
_LIMIT = whole_number("Write a number above 0, or leave it out", 1)


class KafkaInput(Block):
    """Topics of a broker, read by Spark's Kafka source.

    Attributes:
        brokers: `kafka.bootstrap.servers`.
        topic_pattern: Java regular expression for the whole name of a topic; None for the source's
            topic prefix, alone or followed by a dot and any text, and its topic of heartbeats.
        options: further options of Spark's Kafka source, as texts.
        options_from_env: by option the name of an environment variable with its value. Secrets
            occur nowhere else: vars, manifest and logs contain the variable's name.
        max_records_per_run: maximal number of offsets that one run reads; None for no limit.
    """

    type: Literal["kafka"] = "kafka"
    brokers: Annotated[str, text("broker1:9092,broker2:9092")]
    topic_pattern: Annotated[str | None, _PATTERN] = None
    options: Annotated[dict[str, str], BeforeValidator(_plain_options)] = {}
    options_from_env: Annotated[dict[str, str], BeforeValidator(_environment)] = {}
    max_records_per_run: Annotated[int | None, unless_none(_LIMIT)] = None

    def check(self, where: str, project_dir: str) -> None:
        """Check that the configured environment variables are set.

        Raises:
            ConfigError: a variable is not set.
        """
        for option, variable in self.options_from_env.items():
            if not os.environ.get(variable):
                raise ConfigError(
                    f"{where}.options_from_env.{option} names the environment variable"
                    f" `{variable}`, which is not set",
                    "Set it in the environment that runs dbt",
                )

    def pattern(self, topic_prefix: str, heartbeat_topic: str) -> str:
        """Return the regular expression of the topics."""
        default = re.escape(topic_prefix) + r"(\..*)?|" + re.escape(heartbeat_topic)
        return self.topic_pattern or default

    def secrets(self) -> dict[str, str]:
        """Return the options with their values from the environment."""
        return {name: os.environ.get(var, "") for name, var in self.options_from_env.items()}
