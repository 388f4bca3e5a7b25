"""Spark's package for Avro, loaded when the first record in Avro is decoded."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.jar_cache import DEFAULT_CACHE, resolving
from dbt_debezium_spark.jar_sums import fetch_and_check
from dbt_debezium_spark.progress import report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Of the line that pyspark is pinned to; Maven Central lacks the newest releases.
LINE = "4.1"
PACKAGE = "org.apache.spark:spark-avro_2.13:4.1.1"
_NOT_LOADED = "AVRO_NOT_LOADED"


def load_avro(session: SparkSession) -> None:
    """Make `from_avro` usable, by fetching its jar unless Spark was started with it.

    Spark finds classes of added jars only in the thread that added them, so this is called wherever
    records are decoded; added again, a jar is not fetched again.

    Raises:
        RuntimeError: the package is not loaded and cannot be fetched.
    """
    if _has_avro(session):
        return
    remedy = (
        f"Add `{PACKAGE}` (in the line of your Spark) to `spark.jars.packages` in profiles.yml, or "
        "to the packages of the cluster, and start Spark anew."
    )
    if not session.version.startswith(f"{LINE}."):
        raise RuntimeError(
            f"debezium_spark: Spark {session.version} has no Avro: its package is not loaded. "
            f"{remedy}"
        )
    report(f"loading {PACKAGE}")
    try:
        # What it needs beyond Spark is for compressed files.
        with _resolving(session):
            _check(session)
            session.sql(f"add jar 'ivy://{PACKAGE}?transitive=false'")
        loaded = _has_avro(session)
    except Exception as error:  # py4j's or Spark's
        raise RuntimeError(
            f"debezium_spark: Spark has no Avro, and its package could not be fetched: "
            f"{str(error).splitlines()[0][:300]}. {remedy}"
        ) from error
    if not loaded:
        raise RuntimeError(
            f"debezium_spark: Spark has no Avro although its package was added. {remedy}"
        )


def _check(session: SparkSession) -> None:
    """Fetch the jar, if need be, and compare its sum; a server looks after its own jars."""
    if getattr(session, "_sc", None) is None:
        return
    names = [f"spark.jars.{name}" for name in ("ivy", "ivySettings", "repositories")]
    settings = {name: str(session.conf.get(name, None) or "") for name in names}
    fetch_and_check({**settings, "spark.jars.packages": PACKAGE})


def _resolving(session: SparkSession) -> AbstractContextManager[None]:
    if getattr(session, "_sc", None) is None:
        return nullcontext()  # a server resolves it, in a folder of its own
    return resolving(session.conf.get("spark.jars.ivy", None) or DEFAULT_CACHE, report)


def _has_avro(session: SparkSession) -> bool:
    """Return whether a query with `from_avro` can be analysed."""
    probe = F.call_function("from_avro", F.lit(b""), F.lit('"int"'), F.create_map())
    try:
        _ = session.range(0).select(probe).schema
    except Exception as error:  # py4j's or Spark's
        if _NOT_LOADED not in str(error):
            raise
        return False
    return True
