"""Which files the input holds, as Spark sees them, on this machine or the cluster's storage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pyspark.errors import AnalysisException
from pyspark.sql import functions as F

from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET_SUFFIXES = (".parquet", ".parq", ".pq")
LINE_SUFFIXES = (".jsonl", ".ndjson", ".json")
# Spark decompresses by these names; the size of such a file says nothing about its lines.
COMPRESSED_SUFFIXES = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
_GLOB_CHARACTER = re.compile(r"([\\*?\[\]{}])")


@dataclass(frozen=True)
class File:
    """One file in one version.

    `name` is its path as people see it, relative to the dbt project when it lies inside, so that
    a project folder can move without landing everything again. `uri` is Spark's name of it.
    """

    name: str
    uri: str
    size: int
    modified_at: datetime

    @property
    def is_parquet(self) -> bool:
        """Whether the name says Parquet; everything else is read as lines."""
        return self.name.lower().endswith(PARQUET_SUFFIXES)

    @property
    def is_compressed(self) -> bool:
        """Whether Spark decompresses the file while reading it."""
        return self.name.lower().endswith(COMPRESSED_SUFFIXES)

    @property
    def is_named_like_records(self) -> bool:
        """Whether the name promises JSON lines."""
        name = self.name.lower()
        for suffix in COMPRESSED_SUFFIXES:
            name = name.removesuffix(suffix)
        return name.endswith(LINE_SUFFIXES)

    @property
    def readable_path(self) -> str:
        """The path to hand to a reader: decoded, with wildcard characters taken literally."""
        return _GLOB_CHARACTER.sub(r"\\\1", unquote(self.uri))


def list_files(session: SparkSession, location: str, project_dir: str) -> DataFrame:
    """Return name, uri, size and modified_at of every file, at any depth.

    Spark leaves out hidden files: names that begin with `.` or `_`, like `_SUCCESS` and checksums.

    Args:
        session: Spark.
        location: folder or glob, absolute or with a scheme.
        project_dir: absolute folder of the dbt project.
    """
    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        # The content is never read: Spark prunes its column.
        found = reader.load(location)
        # A Spark Connect session looks at the path only when asked for something.
        _ = found.schema
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return local_frame(
            session, [], "name string, uri string, size bigint, modified_at timestamp"
        )
    inside = f"file:{project_dir.rstrip('/')}/"
    path = F.col("path")
    name = F.when(
        path.startswith(inside), F.substr(path, F.lit(len(inside) + 1), F.length(path))
    ).otherwise(F.regexp_replace(path, "^file:/+", "/"))
    return found.select(
        name.alias("name"),
        F.col("_metadata.file_path").alias("uri"),
        F.col("length").alias("size"),
        F.col("modificationTime").alias("modified_at"),
    )
