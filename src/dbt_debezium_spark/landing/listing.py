"""List the files of an input with Spark, on this machine or the cluster's storage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pyspark.errors import AnalysisException
from pyspark.sql import functions as F

from dbt_debezium_spark.config.input_walk import RefusedFile, printable_path, walk
from dbt_debezium_spark.config.inputs import local_path
from dbt_debezium_spark.spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET_SUFFIXES = (".parquet", ".parq", ".pq")
LINE_SUFFIXES = (".jsonl", ".ndjson", ".json")
# Spark decompresses files with these names; their size is not that of their lines.
COMPRESSED_SUFFIXES = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")
_COLUMNS = "name string, uri string, size bigint, modified_at timestamp"
_GLOB_CHARACTER = re.compile(r"([\\*?\[\]{}])")


@dataclass(frozen=True)
class File:
    """One file in one version.

    `name` is its path, relative to the dbt project for files inside it, so that a project folder
    can move and nothing lands again. `uri` is Spark's name of the file.
    """

    name: str
    uri: str
    size: int
    modified_at: datetime

    @property
    def is_parquet(self) -> bool:
        """Whether the name is that of a Parquet file; all other files are read as lines."""
        return self.name.lower().endswith(PARQUET_SUFFIXES)

    @property
    def is_compressed(self) -> bool:
        """Whether Spark decompresses the file while reading it."""
        return self.name.lower().endswith(COMPRESSED_SUFFIXES)

    @property
    def is_named_like_records(self) -> bool:
        """Whether the name is that of a file of JSON lines."""
        name = self.name.lower()
        for suffix in COMPRESSED_SUFFIXES:
            name = name.removesuffix(suffix)
        return name.endswith(LINE_SUFFIXES)

    @property
    def readable_path(self) -> str:
        """The path for a Spark reader: decoded, with wildcard characters escaped."""
        return _escaped_path(unquote(self.uri))


@dataclass(frozen=True)
class Listing:
    """The files of an input.

    Attributes:
        files: name, uri, size and modified_at of each file, including refused ones.
        refused: by uri the reason not to read a file.
    """

    files: DataFrame
    refused: Mapping[str, str] = field(default_factory=dict)

    def existing(self, names: Sequence[str]) -> list[str]:
        """Return those of some names that are names of files."""
        return [row.name for row in self.files.where(F.col("name").isin(list(names))).collect()]


def list_files(session: SparkSession, location: str, project_dir: str) -> Listing:
    """Return every file of an input, at any depth.

    Spark omits hidden files, whose names begin with `.` or `_`, like `_SUCCESS` and checksums. A
    local folder that contains links is listed file by file, because Spark would follow the links.

    Args:
        session: Spark.
        location: folder or glob, absolute or with a scheme.
        project_dir: absolute folder of the dbt project.
    """
    path = local_path(location)
    if path is None:
        return Listing(_listed_by_spark(session, location, project_dir))
    files_of_folder = walk(path)
    if files_of_folder.is_plain:
        return Listing(_listed_by_spark(session, location, project_dir))
    places = [_escaped_path(f"file:{file}") for file in files_of_folder.files]
    files = _listed_by_spark(session, places, project_dir)
    rows, refused = [], {}
    for file in files_of_folder.refused:
        name = _relative(file, project_dir)
        uri = f"refused:{name}"
        refused[uri] = file.why
        rows.append((name, uri, file.size, file.modified_at))
    return Listing(files.unionByName(local_frame(session, rows, _COLUMNS)), refused)


def _relative(file: RefusedFile, project_dir: str) -> str:
    return file.path.removeprefix(f"{printable_path(project_dir).rstrip('/')}/")


def _escaped_path(path: str) -> str:
    return _GLOB_CHARACTER.sub(r"\\\1", path)


def _listed_by_spark(
    session: SparkSession, location: str | Sequence[str], project_dir: str
) -> DataFrame:
    if not location:
        return local_frame(session, [], _COLUMNS)
    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        # The content is never read: Spark prunes its column.
        files = reader.load(location if isinstance(location, str) else list(location))
        # A Spark Connect session checks the path only when it needs the schema.
        _ = files.schema
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return local_frame(session, [], _COLUMNS)
    inside = f"file:{project_dir.rstrip('/')}/"
    path = F.col("path")
    name = F.when(
        path.startswith(inside), F.substr(path, F.lit(len(inside) + 1), F.length(path))
    ).otherwise(F.regexp_replace(path, "^file:/+", "/"))
    return files.select(
        name.alias("name"),
        F.col("_metadata.file_path").alias("uri"),
        F.col("length").alias("size"),
        F.col("modificationTime").alias("modified_at"),
    )
