"""The origin of a source's records, by its configured input."""

from __future__ import annotations

from dbt_debezium_spark.config import KafkaInput, SourceConfig, TableInput, input_location
from dbt_debezium_spark.config.sink_layouts import RECORDS
from dbt_debezium_spark.config.sources import heartbeat_topic
from dbt_debezium_spark.inputs.avro.rows import AvroRows
from dbt_debezium_spark.inputs.sinks.sink_origin import SinkOrigin
from dbt_debezium_spark.landing.files_origin import FilesOrigin
from dbt_debezium_spark.landing.kafka_origin import KafkaOrigin
from dbt_debezium_spark.landing.origin import Origin
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.table_origin import TableOrigin


def origin_of(config: SourceConfig, project_dir: str, schemas: str, file_format: str) -> Origin:
    """Return where a source's records come from.

    Args:
        config: the source.
        project_dir: absolute folder of the dbt project.
        schemas: quoted name of the table that caches Avro schemas.
        file_format: of that table.
    """
    decoder = AvroRows(config.avro, schemas, file_format) if config.avro else None
    if isinstance(config.input, KafkaInput):
        pattern = config.input.pattern(config.topic_prefix, heartbeat_topic(config.to_dict()))
        return KafkaOrigin(config.name, config.input, pattern, decoder)
    if isinstance(config.input, TableInput):
        return TableOrigin(config.name, config.input, decoder, config.topic_prefix)
    location = input_location(config.input.path, project_dir)
    if config.input.layout != RECORDS:
        return SinkOrigin(config.name, location, project_dir, config.input, decoder)
    return FilesOrigin(
        config.name,
        location,
        project_dir,
        decoder,
        config.input.max_line_bytes,
        ParquetColumns(config.input.columns, config.input.nested),
    )
