"""Spark's package for Avro, which is loaded when the first record is decoded."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.spark.jar_cache import DEFAULT_CACHE, resolving
from dbt_debezium_spark.spark.versions import LINES, line_of
from dbt_debezium_spark.text.progress import report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NOT_LOADED = "AVRO_NOT_LOADED"


def load_avro(session: SparkSession) -> None:
    """Make `from_avro` available, by downloading its jar unless Spark has it.

    Spark finds classes of added jars only in the thread that added them, so every decoding calls
    this. A jar that is added again is not downloaded again.

    Raises:
        RuntimeError: the package is not loaded and cannot be downloaded.
    """
    if _has_avro(session):
        return
    # a server's Spark may be another than the installed one
    packages = LINES.get(line_of(session.version))
    package = packages.avro if packages else f"org.apache.spark:spark-avro_2.13:{session.version}"
    remedy = (
        f"Add `{package}` to `spark.jars.packages` in profiles.yml, or to the packages of the"
        " cluster, and start Spark again."
    )
    if packages is None:
        raise RuntimeError(
            f"debezium_spark: Spark {session.version} has no Avro: its package is not loaded. "
            f"{remedy}"
        )
    report(f"loading {package}")
    try:
        # Its dependencies beyond Spark are only for compressed files.
        with _resolving(session):
            session.sql(f"add jar 'ivy://{package}?transitive=false'")
        loaded = _has_avro(session)
    except Exception as error:  # of py4j or Spark
        raise RuntimeError(
            f"debezium_spark: Spark has no Avro, and its package cannot be downloaded: "
            f"{str(error).splitlines()[0][:300]}. {remedy}"
        ) from error
    if not loaded:
        raise RuntimeError(
            f"debezium_spark: Spark has no Avro although its package was added. {remedy}"
        )


def _resolving(session: SparkSession) -> AbstractContextManager[None]:
    if getattr(session, "_sc", None) is None:
        return nullcontext()  # a server resolves it in its own folder
    return resolving(session.conf.get("spark.jars.ivy", None) or DEFAULT_CACHE, report)


def _has_avro(session: SparkSession) -> bool:
    """Return whether a query with `from_avro` can be analysed."""
    probe = F.call_function("from_avro", F.lit(b""), F.lit('"int"'), F.create_map())
    try:
        _ = session.range(0).select(probe).schema
    except Exception as error:  # of py4j or Spark
        if _NOT_LOADED not in str(error):
            raise
        return False
    return True
