"""Record files as a source's input."""

from __future__ import annotations

import os
import re
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, model_validator

from dbt_debezium_spark.config import sink_layouts as sinks
from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import ConfigError, problem
from dbt_debezium_spark.config.input_table import ColumnNames
from dbt_debezium_spark.config.nested import NestedConfig
from dbt_debezium_spark.config.values import flag, one_of, text, whole_number
from dbt_debezium_spark.input_walk import static_parent

MAX_LINE_BYTES = 32 * 1024 * 1024
# Java counts the bytes of a line in 32 bits, and needs some for itself.
HIGHEST_MAX_LINE_BYTES = 512 * 1024 * 1024
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_LIMIT = whole_number(
    f"Write a number from 1 to {HIGHEST_MAX_LINE_BYTES}, or leave it out ({MAX_LINE_BYTES})",
    1,
    HIGHEST_MAX_LINE_BYTES,
)


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

    unset = {
        "max_line_bytes": MAX_LINE_BYTES,
        "columns": {},
        "nested": NestedConfig(),
        "layout": sinks.RECORDS,
        **sinks.AIVEN_UNSET,
    }

    type: Literal["files"] = "files"
    path: Annotated[str, text("data/inventory/*.jsonl")]
    max_line_bytes: Annotated[int, BeforeValidator(_LIMIT)] = MAX_LINE_BYTES
    columns: ColumnNames = {}
    nested: NestedConfig = NestedConfig()
    layout: Annotated[str, one_of(sinks.LAYOUTS)] = sinks.RECORDS
    format: Annotated[str, one_of(sinks.FORMATS)] = sinks.CSV
    fields: Annotated[tuple[str, ...], BeforeValidator(sinks.sink_fields)] = ("value",)
    value_encoding: Annotated[str, one_of(sinks.ENCODINGS)] = sinks.BASE64
    envelope: Annotated[bool, flag("Use true or false")] = True
    file_name: Annotated[str, BeforeValidator(sinks.file_name)] = sinks.FILE_NAME

    @model_validator(mode="after")
    def _fits_the_layout(self) -> Self:
        if self.layout != sinks.RECORDS and self.columns:
            raise problem(
                f".columns is set for the layout `{self.layout}`",
                "Remove it: names of files or the sink's envelope tell topic, partition and offset",
            )
        is_parquet = self.layout != sinks.AIVEN or self.format == sinks.PARQUET
        if self.nested != NestedConfig() and not is_parquet:
            raise problem(
                f".nested is set for the format `{self.format}`",
                "Remove it: only Parquet has nested columns",
            )
        if self.layout != sinks.AIVEN:
            for option, default in sinks.AIVEN_UNSET.items():
                if getattr(self, option) != default:
                    raise problem(
                        f".{option} is set for the layout `{self.layout}`",
                        "Remove it: only files of Aiven's sinks have it (`layout: aiven`)",
                    )
            return self
        for option in ("fields", "value_encoding"):
            if self.format != sinks.CSV and getattr(self, option) != self.unset[option]:
                raise problem(
                    f".{option} is set for the format `{self.format}`",
                    "Remove it: only CSV has no names of fields",
                )
        if self.format == sinks.CSV and not self.envelope:
            raise problem(".envelope is false for the format `csv`", "Remove it: CSV has none")
        return self

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
        location = input_location(self.path, project_dir)
        path = local_path(location)
        if path is None:
            return
        location = path
        value = f"{where}.path is `{self.path}`"
        static = static_parent(location)
        if not os.path.exists(static):
            what = (
                f"but `{static}` does not exist" if static != location else "which does not exist"
            )
            raise ConfigError(
                f"{value}, {what}",
                f"Create it, or correct the path (it is relative to {project_dir})",
            )
        if static != location and not os.path.isdir(static):
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
