"""Where a source's records come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.input_files import FilesInput
from dbt_debezium_spark.config.input_kafka import KafkaInput
from dbt_debezium_spark.config.input_table import TableInput
from dbt_debezium_spark.config.values import as_mapping, as_one_of

if TYPE_CHECKING:
    from dbt_debezium_spark.config.sources import SourceConfig

KINDS: dict[str, type[FilesInput | KafkaInput | TableInput]] = {
    "files": FilesInput,
    "kafka": KafkaInput,
    "table": TableInput,
}


def _by_type(value: Any) -> Input:
    """Return the input of its type.

    Raises:
        PydanticCustomError: there is none, or an unknown type.
        ValidationError: options that its type does not take.
    """
    if value is None:
        raise problem(" is missing", 'Write `input: {type: files, path: "data/*.jsonl"}`')
    options = as_mapping(value)
    return KINDS[as_one_of(options.get("type"), tuple(KINDS), ".type")].model_validate(options)


# Checked by `_by_type` alone: pydantic would put the type's name into the place of an error.
Input = Annotated[FilesInput | KafkaInput | TableInput, BeforeValidator(_by_type)]


def check_input(source: SourceConfig, project_dir: str) -> None:
    """Check what can be known of a source's input before Spark is asked.

    Args:
        source: the source.
        project_dir: folder of the dbt project, from which relative paths count.

    Raises:
        ConfigError: files are missing or unreadable, or an environment variable is not set.
    """
    source.input.check(f"debezium_sources.{source.name}.input", project_dir)
