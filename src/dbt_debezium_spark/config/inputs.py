"""Where a source's records come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.config.errors import ConfigError, expect_mapping, expect_one_of
from dbt_debezium_spark.config.input_files import FilesInput, read_files_input
from dbt_debezium_spark.config.input_kafka import KafkaInput, read_kafka_input
from dbt_debezium_spark.config.input_table import TableInput, read_table_input

if TYPE_CHECKING:
    from dbt_debezium_spark.config.sources import SourceConfig

Input = FilesInput | KafkaInput | TableInput
READERS: dict[str, Callable[[Mapping[str, Any], str], Input]] = {
    "files": read_files_input,
    "kafka": read_kafka_input,
    "table": read_table_input,
}


def read_input(value: Any, where: str) -> Input:
    """Return the configured input.

    Raises:
        ConfigError: an unknown type, or options that its type does not take.
    """
    if value is None:
        raise ConfigError(
            f"{where} is missing", 'Write `input: {type: files, path: "data/*.jsonl"}`'
        )
    options = expect_mapping(value, where)
    kind = expect_one_of(options.get("type"), tuple(READERS), f"{where}.type")
    return READERS[kind](options, where)


def check_input(source: SourceConfig, project_dir: str) -> None:
    """Check what can be known of a source's input before Spark is asked.

    Args:
        source: the source.
        project_dir: folder of the dbt project, from which relative paths count.

    Raises:
        ConfigError: files are missing or unreadable, or an environment variable is not set.
    """
    source.input.check(f"debezium_sources.{source.name}.input", project_dir)
