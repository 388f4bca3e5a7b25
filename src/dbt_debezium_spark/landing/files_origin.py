"""Record files as the origin of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt_debezium_spark.config.input_files import MAX_LINE_BYTES
from dbt_debezium_spark.landing import ledger, rejections
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.listing import list_files
from dbt_debezium_spark.landing.origin import LandingState
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.reading import read_files
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.progress import counted, report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class FilesOrigin:
    """Record files of a source.

    Attributes:
        source: name of the source.
        location: folder or glob, absolute or with a scheme.
        project_dir: absolute folder of the dbt project.
        avro: decodes bytes of Parquet files; None for text.
        max_line_bytes: longer lines are rejected.
        columns: where the records are in Parquet files.
    """

    source: str
    location: str
    project_dir: str
    avro: AvroRows | None = None
    max_line_bytes: int = MAX_LINE_BYTES
    columns: ParquetColumns = ParquetColumns()

    def read(
        self,
        session: SparkSession,
        tables: Tables,
        state: LandingState,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Read the files that are new or changed."""
        listing = list_files(session, self.location, self.project_dir)
        if has_open_foreign_files:
            rejections.delete_missing_foreign_files(session, tables.rejected, listing.files)
        files = ledger.not_in_ledger(listing.files, state.ledger)
        if not files:
            report(f"{self.source}: no new files")
            return Reading(records=None, entries={})
        size = sum(file.size for file in files)
        report(
            f"{self.source}: reading {counted(len(files), 'new file')} ({size / 1024**2:,.1f} MiB)"
        )
        return read_files(
            session,
            files,
            self.avro,
            refused=listing.refused,
            max_line_bytes=self.max_line_bytes,
            columns=self.columns,
        )
