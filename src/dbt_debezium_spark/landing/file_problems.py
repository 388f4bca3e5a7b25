"""Files that cannot be read at all: found one by one, so that the others land."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from dbt_debezium_spark.landing import parquet_files
from dbt_debezium_spark.landing.kafka_columns import ColumnProblem
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.nested.value_types import UnsupportedType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARALLEL_FILES = 4
MAX_MESSAGE_CHARACTERS = 300
_OF_PY4J = "An error occurred while calling"
_MISSING = ("PATH_NOT_FOUND", "FAILED_READ_FILE.FILE_NOT_EXIST", "FileNotFoundException")


def parquet_groups(
    session: SparkSession, files: Sequence[File], columns: parquet_files.ParquetColumns
) -> tuple[list[list[File]], dict[str, str]]:
    """Group Parquet files by schema.

    The schemas are read one by one. A merged schema would hide that one file lacks `value`, and its
    rows would become tombstones.

    Args:
        session: Spark.
        files: the files.
        columns: where the records are in their columns.

    Returns:
        The groups, and by uri the reason for each file that contains no records.
    """

    def schema_and_problem(file: File) -> tuple[str, str]:
        try:
            schema = parquet_files.schema_of(session, [file.readable_path])
        except Exception as error:  # of py4j or Spark
            return "", f"cannot be read as Parquet: {short(error)}"
        try:
            columns.check(schema)
        except (ColumnProblem, UnsupportedType) as problem:
            return "", str(problem)
        return schema.simpleString(), ""

    groups: dict[str, list[File]] = defaultdict(list)
    problems: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=PARALLEL_FILES) as pool:
        for file, (schema, problem) in zip(files, pool.map(schema_and_problem, files), strict=True):
            if problem:
                problems[file.uri] = problem
            else:
                groups[schema].append(file)
    return list(groups.values()), problems


def unreadable_files(
    session: SparkSession, lines: Sequence[File], groups: Sequence[Sequence[File]]
) -> tuple[dict[str, str], set[str]]:
    """Find the files that make a reading fail.

    Returns:
        By uri the reason for each broken file, and the uris of files that do not exist any more.
    """
    parquet = [file for group in groups for file in group]
    suspects = parquet + [file for file in lines if file.is_compressed]

    def rows_of(file: File) -> DataFrame:
        reader = session.read.option("recursiveFileLookup", "true")
        return (reader.parquet if file.is_parquet else reader.text)(file.readable_path)

    broken, missing = broken_and_missing(suspects, rows_of)
    if not broken and not missing:
        others = [file for file in lines if file not in suspects]
        broken, missing = broken_and_missing(others, rows_of)
    return broken, missing


def broken_and_missing(
    files: Sequence[File], rows_of: Callable[[File], DataFrame]
) -> tuple[dict[str, str], set[str]]:
    """Read each file alone; see `unreadable_files`.

    Args:
        files: the files.
        rows_of: returns the rows of a file as they are read.
    """

    def problem(file: File) -> str | None:
        try:
            # Spark reads all columns only for a sink that takes every value.
            rows_of(file).write.format("noop").mode("overwrite").save()
        except Exception as error:  # of py4j or Spark
            is_missing = any(code in str(error) for code in _MISSING)
            return "" if is_missing else f"cannot be read: {short(error)}"
        return None

    broken: dict[str, str] = {}
    missing: set[str] = set()
    with ThreadPoolExecutor(max_workers=PARALLEL_FILES) as pool:
        for file, text in zip(files, pool.map(problem, files), strict=True):
            if text:
                broken[file.uri] = text
            elif text is not None:
                missing.add(file.uri)
    return broken, missing


def short(error: BaseException) -> str:
    """Return the innermost cause in the text of a Spark error, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by:")]
    own_lines = [line for line in lines if not line.startswith(_OF_PY4J)]
    text = (causes[-1:] or own_lines[:1] or [type(error).__name__])[0]
    return text.removeprefix("Caused by: ").removeprefix(": ")[:MAX_MESSAGE_CHARACTERS]
