"""What tables hold: their rows, and the bytes of their files."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from pathlib import Path

from pyspark.sql import SparkSession

METADATA_FOLDERS = {"metadata", "_delta_log"}


@dataclass(frozen=True)
class Size:
    """What a table holds, or several.

    `files` and `live` are the number and the bytes of the files that its newest state is made of;
    `data` and `metadata` the bytes of all files in its folder.
    """

    rows: int = 0
    files: int = 0
    live: int = 0
    data: int = 0
    metadata: int = 0

    def __add__(self, other: Size) -> Size:
        """Return what both hold."""
        return Size(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def cells(self, data_before: int) -> list[str]:
        """Return cells of a table, bytes in KiB; `data_before` is what its folder held before."""
        sizes = (self.live, self.data, data_before, self.metadata)
        return [f"{self.rows:,}", f"{self.files:,}", *(f"{size / 1024:,.0f}" for size in sizes)]


def size_of(spark: SparkSession, state: Path, table: str, target: str) -> Size:
    """Return what a table holds, whose files are below a folder."""
    if target == "delta":
        detail = spark.sql(f"describe detail {table}").collect()[0]
        files, live = detail["numFiles"], detail["sizeInBytes"]
    else:
        name = f"{spark.catalog.currentDatabase()}.{table}"
        files, live = spark.sql(
            f"select count(*), coalesce(sum(file_size_in_bytes), 0) from {name}.files"
        ).collect()[0]
    data = metadata = 0
    for folder in (one for one in state.rglob(table) if one.is_dir()):
        for file in (one for one in folder.rglob("*") if one.is_file()):
            if METADATA_FOLDERS & set(file.relative_to(folder).parts):
                metadata += file.stat().st_size
            else:
                data += file.stat().st_size
    return Size(spark.table(table).count(), files, live, data, metadata)
