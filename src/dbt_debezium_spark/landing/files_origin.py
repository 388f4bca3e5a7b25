"""Record files as the origin of records."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_debezium_spark.config.inputs import MAX_LINE_BYTES
from dbt_debezium_spark.landing import ledger, rejections
from dbt_debezium_spark.landing.listing import list_files
from dbt_debezium_spark.landing.origin import Decoder
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.reading import FileReader
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.text.progress import counted, report


@dataclass(frozen=True)
class FilesOrigin:
    """Record files of a source.

    Attributes:
        source: name of the source.
        location: folder or glob, absolute or with a scheme.
        project_dir: absolute folder of the dbt project.
        decoder: decodes bytes of Parquet files; None for text.
        max_line_bytes: longer lines are rejected.
        columns: where the records are in Parquet files.
    """

    source: str
    location: str
    project_dir: str
    decoder: Decoder | None = None
    max_line_bytes: int = MAX_LINE_BYTES
    columns: ParquetColumns = ParquetColumns()

    def read(self, scratch: Scratch, run: Run) -> Reading:
        """Read the files that are new or changed."""
        listing = list_files(scratch.session, self.location, self.project_dir)
        if run.before.open_foreign:
            rejections.delete_missing(
                run.connection, run.tables.rejected, rejections.FOREIGN, listing.existing
            )
        files = ledger.not_in_ledger(listing.files, run.before.entries)
        if not files:
            report(f"{self.source}: no new files")
            return Reading()
        size = sum(file.size for file in files)
        report(
            f"{self.source}: reading {counted(len(files), 'new file')} ({size / 1024**2:,.1f} MiB)"
        )
        reader = FileReader(scratch, self.decoder, self.max_line_bytes, self.columns)
        return reader.read(files, listing.refused)
