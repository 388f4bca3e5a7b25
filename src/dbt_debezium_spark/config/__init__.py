"""The configuration of sources: only this package reads, validates and completes it.

* `sources`: the source, and how the var `debezium_sources` is read;
* `inputs` with `table_input` and `sink_layouts`: where its records come from;
* `records`: how they are written;
* `tables` with `columns`: what the records of a table cannot contain;
* `block` and `errors`: what all blocks have in common, and their messages.

It imports no pyspark, because dbt imports it in every command. Jinja and Python models receive
`SourceConfig.to_dict()`: plain JSON types with every default filled in.
"""

from __future__ import annotations

from dbt_debezium_spark.config.columns import ColumnConfig
from dbt_debezium_spark.config.errors import ConfigError
from dbt_debezium_spark.config.inputs import (
    FilesInput,
    Input,
    KafkaInput,
    input_location,
)
from dbt_debezium_spark.config.sources import (
    SourceConfig,
    check_input,
    describe_source,
    heartbeat_topic,
    load_source,
    load_sources,
    read_source,
)
from dbt_debezium_spark.config.table_input import TableInput
from dbt_debezium_spark.config.tables import TableConfig
from dbt_debezium_spark.decode.connectors import CONNECTORS

__all__ = [
    "CONNECTORS",
    "ColumnConfig",
    "ConfigError",
    "FilesInput",
    "Input",
    "KafkaInput",
    "SourceConfig",
    "TableConfig",
    "TableInput",
    "check_input",
    "describe_source",
    "heartbeat_topic",
    "input_location",
    "load_source",
    "load_sources",
    "read_source",
]
