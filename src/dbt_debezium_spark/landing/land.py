"""One landing run of a raw model in Python, from an input to the frame that is appended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.config import KafkaInput, SourceConfig, TableInput, input_location
from dbt_debezium_spark.config.sink_layouts import RECORDS
from dbt_debezium_spark.config.sources import heartbeat_topic
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.files_origin import FilesOrigin
from dbt_debezium_spark.landing.kafka_origin import KafkaOrigin
from dbt_debezium_spark.landing.origin import Origin
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.landing.sinks.sink_origin import SinkOrigin
from dbt_debezium_spark.landing.table_origin import TableOrigin
from dbt_debezium_spark.landing.tables import tables_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass
class Landing:
    """What a raw model returns.

    Attributes:
        frame: the new records with the raw table's columns, or None if there are none.
        commit: writes the ledger, after `frame` was appended. A second call does nothing.
    """

    frame: DataFrame | None
    commit: Callable[[], None]


def land(dbt: Any, session: SparkSession, source: str) -> Landing:
    """Find the records of a source that have not landed yet.

    Args:
        dbt: dbt's object for Python models; the materialization adds `debezium_source` (the
            source's validated configuration), `project_dir` (absolute), and `debezium_file_format`
            (`iceberg` or `delta`) for the side tables. The raw table exists.
        session: Spark.
        source: name of the source, as in the var `debezium_sources`.

    Raises:
        ValueError: the model names another source than the configuration.
    """
    config = SourceConfig.from_dict(dbt.debezium_source)
    if config.name != source:
        raise ValueError(
            f"debezium_spark: the model lands source `{source}` but has the configuration of "
            f"`{config.name}`. Name the model `raw_{source}`."
        )
    tables = tables_of(dbt.this.schema, dbt.this.identifier)
    # Records are cached until they are appended, and their texts rarely repeat: compression would
    # only look for repetitions. The session is the model's own.
    session.conf.set("spark.sql.inMemoryColumnarStorage.compressed", "false")
    file_format = getattr(dbt, "debezium_file_format", None) or "iceberg"
    avro = AvroRows(config.avro, tables.schemas, file_format) if config.avro else None
    scratch = Scratch(session)
    run = Run(scratch.statements, tables, config, file_format)
    try:
        reading = _origin(config, str(dbt.project_dir), avro).read(scratch, run)
        if not run.has_work(reading):
            scratch.release()
            return Landing(None, lambda: None)
        new = run.new_records(reading)
        if new.count:
            return Landing(session.sql(new.select), _once(new.commit, scratch.release))
        # Nothing is appended, so the ledger is written at once, and the files are not read again.
        _once(new.commit, scratch.release)()
    except BaseException:
        scratch.release()
        raise
    return Landing(None, lambda: None)


def _origin(config: SourceConfig, project_dir: str, avro: AvroRows | None) -> Origin:
    if isinstance(config.input, KafkaInput):
        pattern = config.input.pattern(config.topic_prefix, heartbeat_topic(config.to_dict()))
        return KafkaOrigin(config.name, config.input, pattern, avro)
    if isinstance(config.input, TableInput):
        return TableOrigin(config.name, config.input, avro, config.topic_prefix)
    location = input_location(config.input.path, project_dir)
    if config.input.layout != RECORDS:
        return SinkOrigin(config.name, location, project_dir, config.input, avro)
    return FilesOrigin(
        config.name,
        location,
        project_dir,
        avro,
        config.input.max_line_bytes,
        ParquetColumns(config.input.columns, config.input.nested),
    )


def _once(*actions: Callable[[], None]) -> Callable[[], None]:
    left = list(actions)

    def act() -> None:
        while left:
            left[0]()
            left.pop(0)

    return act
