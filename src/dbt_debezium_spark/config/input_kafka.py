"""Kafka topics as a source's input."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_mapping,
    expect_text,
)

KEYS = (
    "type",
    "brokers",
    "topic_pattern",
    "options",
    "options_from_env",
    "max_records_per_run",
)
# What says which records a run reads is ours to say; Spark spells options without case.
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


@dataclass(frozen=True)
class KafkaInput:
    """Topics of a broker, read by Spark's Kafka source.

    Attributes:
        brokers: `kafka.bootstrap.servers`.
        topic_pattern: regular expression of Java that a topic's whole name matches; None for the
            source's topic prefix, alone or followed by a dot and anything.
        options: further options of Spark's Kafka source, as texts.
        options_from_env: option -> environment variable that holds its value. Secrets stand
            nowhere else: vars, manifest and logs show the variable's name.
        max_records_per_run: offsets that one run reads at most; None for all there are.
    """

    brokers: str
    topic_pattern: str | None
    options: Mapping[str, str]
    options_from_env: Mapping[str, str]
    max_records_per_run: int | None
    type: ClassVar[str] = "kafka"

    def to_dict(self) -> dict[str, Any]:
        """Return the input in the form it is configured in."""
        return {
            "type": self.type,
            "brokers": self.brokers,
            "topic_pattern": self.topic_pattern,
            "options": dict(self.options),
            "options_from_env": dict(self.options_from_env),
            "max_records_per_run": self.max_records_per_run,
        }

    def check(self, where: str, project_dir: str) -> None:
        """Check that the environment holds what it is to hold.

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

    def pattern(self, topic_prefix: str) -> str:
        """Return the regular expression of the topics."""
        return self.topic_pattern or re.escape(topic_prefix) + r"(\..*)?"

    def secrets(self) -> dict[str, str]:
        """Return the options whose values stand in the environment."""
        return {name: os.environ.get(var, "") for name, var in self.options_from_env.items()}


def read_kafka_input(options: Mapping[str, Any], where: str) -> KafkaInput:
    """Return the configured topics.

    Raises:
        ConfigError: an unknown option, no brokers, a pattern that is none, an option that is ours
            to set, a secret in plain sight.
    """
    expect_known(options, KEYS, where)
    pattern = options.get("topic_pattern")
    if pattern is not None:
        pattern = expect_text(pattern, f"{where}.topic_pattern", "dbserver1[.].*")
    return KafkaInput(
        brokers=expect_text(
            options.get("brokers"), f"{where}.brokers", "broker1:9092,broker2:9092"
        ),
        topic_pattern=pattern,
        options=_plain_options(options.get("options"), f"{where}.options"),
        options_from_env=_environment(options.get("options_from_env"), f"{where}.options_from_env"),
        max_records_per_run=_limit(options.get("max_records_per_run"), where),
    )


def _plain_options(value: Any, where: str) -> dict[str, str]:
    options = expect_mapping(value or {}, where)
    for name, setting in options.items():
        _refuse_own(name, where)
        if SECRET.search(name):
            raise ConfigError(
                f"{where}.{name} holds a secret in plain sight",
                f"Put it into an environment variable and write options_from_env: {{{name}: NAME}}",
            )
        if not isinstance(setting, str | int | float | bool):
            raise ConfigError(
                f"{where}.{name} is {setting!r}", "Write a text, a number, true or false"
            )
    return {
        name: str(setting).lower() if isinstance(setting, bool) else str(setting)
        for name, setting in options.items()
    }


def _environment(value: Any, where: str) -> dict[str, str]:
    options = expect_mapping(value or {}, where)
    for name, variable in options.items():
        _refuse_own(name, where)
        if not isinstance(variable, str) or not ENVIRONMENT_NAME.fullmatch(variable):
            # The value may be the secret itself: it is not repeated.
            raise ConfigError(
                f"{where}.{name} is not the name of an environment variable",
                "Write the variable's name, like KAFKA_JAAS_CONFIG; its value is not for this file",
            )
    return dict(options)


def _refuse_own(name: str, where: str) -> None:
    if name.lower() in OWN_OPTIONS:
        own = "brokers" if name.lower() == "kafka.bootstrap.servers" else "topic_pattern"
        raise ConfigError(
            f"{where}.{name} says which records to read, which landing itself does",
            f"Remove it; use `{own}` and `max_records_per_run`",
        )


def _limit(value: Any, where: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(
            f"{where}.max_records_per_run is {value!r}", "Write a number above 0, or leave it out"
        )
    return value
