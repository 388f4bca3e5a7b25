"""One landing run of a raw model in Python, from an input to the frame that is appended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.config import SourceConfig
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch
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
    # The one place where landing meets the inputs, which know landing: so they come in here.
    from dbt_debezium_spark.inputs.origins import origin_of

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
    scratch = Scratch(session)
    run = Run(scratch.statements, tables, config, file_format)
    try:
        origin = origin_of(config, str(dbt.project_dir), tables.schemas, file_format)
        reading = origin.read(scratch, run)
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


def _once(*actions: Callable[[], None]) -> Callable[[], None]:
    left = list(actions)

    def act() -> None:
        while left:
            left[0]()
            left.pop(0)

    return act
