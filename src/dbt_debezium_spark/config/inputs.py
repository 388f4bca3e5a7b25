"""Where a source's records come from: files, Kafka's topics, or tables that somebody else fills."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from dbt_debezium_spark.config import sink_layouts as sinks
from dbt_debezium_spark.config.block import (
    Block,
    Flag,
    as_mapping,
    as_one_of,
    one_of,
    otherwise,
    text,
)
from dbt_debezium_spark.config.errors import ConfigError, problem
from dbt_debezium_spark.config.input_walk import static_parent
from dbt_debezium_spark.config.table_input import ColumnNames, NestedConfig, TableInput

# -- files -----------------------------------------------------------------------------------------

MAX_LINE_BYTES = 32 * 1024 * 1024
# Java counts the bytes of a line in 32 bits, and needs some for itself.
HIGHEST_MAX_LINE_BYTES = 512 * 1024 * 1024
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_LINE_REMEDY = f"Write a number from 1 to {HIGHEST_MAX_LINE_BYTES}, or leave it out"


class FilesInput(Block):
    """A folder or glob of record files; relative paths start at the dbt project.

    Attributes:
        path: folder or glob.
        max_line_bytes: longer lines are rejected, because reading one takes several times its size.
        columns: of Parquet files: maps Kafka's columns to those of the files, not with a `layout`.
        nested: of Parquet files: how nested columns are read.
        layout: `records`, or the sink of Kafka Connect that wrote the files.
        format: what Aiven's sinks wrote.
        fields: fields of a CSV line, in the order of the sink's `format.output.fields`.
        value_encoding: of the value in CSV.
        envelope: whether a line is an object of fields, and not the value alone.
        file_name: the sink's `file.name.template`.
    """

    shown = ("type",)

    type: Literal["files"] = "files"
    path: Annotated[str, text("data/inventory/*.jsonl")]
    max_line_bytes: Annotated[
        int,
        Field(strict=True, ge=1, le=HIGHEST_MAX_LINE_BYTES),
        otherwise(f"{_LINE_REMEDY} ({MAX_LINE_BYTES})"),
    ] = MAX_LINE_BYTES
    columns: ColumnNames = {}
    nested: NestedConfig = NestedConfig()
    layout: Annotated[str, one_of(sinks.LAYOUTS)] = sinks.RECORDS
    format: Annotated[str, one_of(sinks.FORMATS)] = sinks.CSV
    fields: sinks.SinkFields = ("value",)
    value_encoding: Annotated[str, one_of(sinks.ENCODINGS)] = sinks.BASE64
    envelope: Flag = True
    file_name: sinks.FileName = sinks.FILE_NAME

    @model_validator(mode="after")
    def _fits_the_layout(self) -> Self:
        is_aivens = self.layout == sinks.AIVEN
        if self.layout != sinks.RECORDS and self.columns:
            raise problem(
                f".columns is set for the layout `{self.layout}`",
                "Remove it: names of files or the sink's envelope tell topic, partition and offset",
            )
        if self.nested != NestedConfig() and is_aivens and self.format != sinks.PARQUET:
            raise problem(
                f".nested is set for the format `{self.format}`",
                "Remove it: only Parquet has nested columns",
            )
        for option in sinks.OPTIONS_OF_AIVEN:
            if not is_aivens and self._is_changed(option):
                raise problem(
                    f".{option} is set for the layout `{self.layout}`",
                    "Remove it: only files of Aiven's sinks have it (`layout: aiven`)",
                )
        for option in ("fields", "value_encoding"):
            if self.format != sinks.CSV and self._is_changed(option):
                raise problem(
                    f".{option} is set for the format `{self.format}`",
                    "Remove it: only CSV has no names of fields",
                )
        if is_aivens and self.format == sinks.CSV and not self.envelope:
            raise problem(".envelope is false for the format `csv`", "Remove it: CSV has none")
        return self

    def _is_changed(self, option: str) -> bool:
        return bool(getattr(self, option) != type(self).model_fields[option].default)

    def check(self, where: str, project_dir: str) -> None:
        """Check that this machine can read the files.

        A folder without files, and a glob without matches, are valid. Paths with another scheme
        (`s3a:`, `hdfs:`) are visible only to Spark and not checked.

        Args:
            where: name of the option, for messages.
            project_dir: folder of the dbt project, at which relative paths start.

        Raises:
            ConfigError: the path, or the folder of the glob, is missing or unreadable.
        """
        path = local_path(input_location(self.path, project_dir))
        if path is None:
            return
        value = f"{where}.path is `{self.path}`"
        static = static_parent(path)
        if not os.path.exists(static):
            what = f"but `{static}` does not exist" if static != path else "which does not exist"
            raise ConfigError(
                f"{value}, {what}",
                f"Create it, or correct the path (it is relative to {project_dir})",
            )
        if static != path and not os.path.isdir(static):
            raise ConfigError(f"{value}, but `{static}` is not a folder", "Correct the path")
        needed = os.R_OK | os.X_OK if os.path.isdir(static) else os.R_OK
        if not os.access(static, needed):
            raise ConfigError(
                f"{value}, but `{static}` cannot be read", "Give this user permission to read it"
            )


def input_location(path: str, project_dir: str) -> str:
    """Return a configured path for Spark: absolute, or with its own scheme."""
    if SCHEME.match(path):
        return path
    return os.path.normpath(os.path.join(project_dir, path))


def local_path(location: str) -> str | None:
    """Return a location (see `input_location`) as a local path, None for another file system."""
    if location.startswith("file:"):
        return re.sub(r"^file:/*", "/", location)
    return None if SCHEME.match(location) else location


# -- Kafka -----------------------------------------------------------------------------------------

# Options that landing itself sets; option names are case-insensitive in Spark.
OWN_OPTIONS = (
    "kafka.bootstrap.servers",
    *("subscribe", "subscribepattern", "assign", "failondataloss", "includeheaders"),
    *("startingoffsets", "startingoffsetsbytimestamp", "startingtimestamp"),
    *("endingoffsets", "endingoffsetsbytimestamp", "endingtimestamp"),
    *("maxoffsetspertrigger", "minoffsetspertrigger"),
)
SECRET = re.compile(
    r"(password|secret|jaas\.config|keystore\.key|private\.key|user\.info)$", re.IGNORECASE
)
ENVIRONMENT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _plain_options(value: Any) -> dict[str, str]:
    options = _without_own_options(value)
    for name, setting in options.items():
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
    options = _without_own_options(value)
    for name, variable in options.items():
        if not isinstance(variable, str) or not ENVIRONMENT_NAME.fullmatch(variable):
            # The value may be the secret itself, so the message does not contain it.
            raise problem(
                f".{name} is not the name of an environment variable",
                "Write the variable's name, like KAFKA_JAAS_CONFIG; its value is not for this file",
            )
    return options


def _without_own_options(value: Any) -> dict[str, Any]:
    options = as_mapping(value or {})
    for name in options:
        if name.lower() in OWN_OPTIONS:
            own = "brokers" if name.lower() == "kafka.bootstrap.servers" else "topic_pattern"
            raise problem(
                f".{name} selects records, which landing itself does",
                f"Remove it; use `{own}` and `max_records_per_run`",
            )
    return options


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

    shown = None

    type: Literal["kafka"] = "kafka"
    brokers: Annotated[str, text("broker1:9092,broker2:9092")]
    topic_pattern: Annotated[str, text("dbserver1[.].*")] | None = None
    options: Annotated[dict[str, str], BeforeValidator(_plain_options)] = {}
    options_from_env: Annotated[dict[str, str], BeforeValidator(_environment)] = {}
    max_records_per_run: (
        Annotated[
            int, Field(strict=True, ge=1), otherwise("Write a number above 0, or leave it out")
        ]
        | None
    ) = None

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


# -- one of them -----------------------------------------------------------------------------------

_TYPES: Mapping[str, type[FilesInput | KafkaInput | TableInput]] = {
    "files": FilesInput,
    "kafka": KafkaInput,
    "table": TableInput,
}


def _by_type(value: Any) -> Input:
    """Return the input with the class of its type."""
    if value is None:
        raise problem(" is missing", 'Write `input: {type: files, path: "data/*.jsonl"}`')
    options = as_mapping(value)
    return _TYPES[as_one_of(options.get("type"), tuple(_TYPES), ".type")].model_validate(options)


# Only `_by_type` validates: pydantic would add the name of the class to the place of an error.
Input = Annotated[FilesInput | KafkaInput | TableInput, BeforeValidator(_by_type)]
