"""The types of input of a source."""

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
    """Return the input with the class of its type.

    Raises:
        PydanticCustomError: the input is missing, or its type is unknown.
        ValidationError: an option is invalid for the type.
    """
    if value is None:
        raise problem(" is missing", 'Write `input: {type: files, path: "data/*.jsonl"}`')
    options = as_mapping(value)
    return KINDS[as_one_of(options.get("type"), tuple(KINDS), ".type")].model_validate(options)


# Only `_by_type` validates: pydantic would add the name of the class to the place of an error.
Input = Annotated[FilesInput | KafkaInput | TableInput, BeforeValidator(_by_type)]


def check_input(source: SourceConfig, project_dir: str) -> None:
    """Check a source's input without Spark.

    Args:
        source: the source.
        project_dir: folder of the dbt project, at which relative paths start.

    Raises:
        ConfigError: files are missing or unreadable, or an environment variable is not set.
    """
    source.input.check(f"debezium_sources.{source.name}.input", project_dir)
