"""The configuration of sources: only this package reads, validates and completes it.

It imports no pyspark, because dbt imports it in every command. Jinja and Python models receive
`SourceConfig.to_dict()`: plain JSON types with every default filled in.
"""

from __future__ import annotations

from dbt_debezium_spark.config.columns import ColumnConfig
from dbt_debezium_spark.config.epochs import EpochConfig
from dbt_debezium_spark.config.errors import ConfigError
from dbt_debezium_spark.config.input_files import FilesInput, input_location
from dbt_debezium_spark.config.input_kafka import KafkaInput
from dbt_debezium_spark.config.input_table import TableInput
from dbt_debezium_spark.config.inputs import Input, check_input
from dbt_debezium_spark.config.options import CONNECTORS
from dbt_debezium_spark.config.sources import (
    SourceConfig,
    describe_source,
    load_source,
    load_sources,
    read_source,
)
from dbt_debezium_spark.config.tables import TableConfig

__all__ = [
    "CONNECTORS",
    "ColumnConfig",
    "ConfigError",
    "EpochConfig",
    "FilesInput",
    "Input",
    "KafkaInput",
    "SourceConfig",
    "TableConfig",
    "TableInput",
    "check_input",
    "describe_source",
    "input_location",
    "load_source",
    "load_sources",
    "read_source",
]
