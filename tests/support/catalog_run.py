"""The catalog's SQL, run step by step without dbt."""

from __future__ import annotations

from tests.support.macros import Macros
from tests.support.raw import RAW_TYPE, kafka_record, raw_row

EVIDENCE_TYPE = (
    "topic string, partition int, key_hash bigint, value_hash bigint, first_offset bigint,"
    " last_offset bigint, first_timestamp timestamp, last_timestamp timestamp, is_snapshot boolean,"
    " lowest_position string, highest_position string, highest_timestamp timestamp,"
    " highest_offset bigint, last_position string, kind string,"
    " key_schema string, value_schema string, key_fields array<string>,"
    " value_fields array<string>, source_block string, definition string, _cdc_batch_id bigint"
)


class CatalogRun:
    """One source's catalog: the macros' SQL, run without dbt between the steps."""

    def __init__(self, spark, sources):
        self.spark = spark
        self.sources = sources
        (self.source,) = sources
        self.batch = 0
        self.evidence = []
        self._catalog = None
        self._records = []

    def land(self, records):
        """Add records as one landing batch."""
        self.batch += 1
        self._records += [raw_row(kafka_record(one), self.batch) for one in records]
        self._show(self._records, RAW_TYPE, "raw_records")

    def build(self):
        """Read the records landed since the last build."""
        held = max((row["_cdc_batch_id"] for row in self.evidence), default=None)
        watermarks = {"raw_records": self.batch} | ({} if held is None else {"evidence": held})
        macros = Macros(self.sources, this="evidence", watermarks=watermarks)
        if self.evidence:
            self.show_evidence()
        sql = macros.catalog_schemas(source=self.source, raw="raw_records")
        self.evidence += self.spark.sql(sql).collect()
        self._catalog = None
        return self

    def read(self, *batches):
        """Land batches of records one after another, each read before the next lands."""
        for batch in batches:
            self.land(batch)
            self.build()
        return self

    @property
    def catalog(self):
        """The catalog of what was built so far, one dictionary per row."""
        if self._catalog is None:
            self.show_evidence()
            macros = Macros(self.sources, this="evidence")
            sql = macros.catalog_columns(source=self.source, schemas="evidence")
            frame = self.spark.sql(sql)
            rows = frame.orderBy("schema_name", "table_name", "version", "ordinal_position")
            self._catalog = [row.asDict(recursive=True) for row in rows.collect()]
        return self._catalog

    def disagreements(self):
        """Return (column, matter, chosen, chosen from, other, other from), in order."""
        self.show_evidence()
        macros = Macros(self.sources, this="evidence")
        sql = macros.catalog_disagreements(source=self.source, schemas="evidence")
        names = ("column_name", "matter", "chosen", "chosen_from", "other", "other_from")
        rows = self.spark.sql(sql).orderBy("table_name", "column_name", "matter", "other_from")
        return [tuple(row[name] for name in names) for row in rows.collect()]

    def columns(self, *names, where=lambda row: True):
        """Return columns of the catalog as tuples, in the order of tables, versions and columns."""
        return [tuple(row[name] for name in names) for row in self.catalog if where(row)]

    def show_evidence(self):
        """Make what was built so far the view `evidence`."""
        # a test may hold several runs on one session: each brings its own view of that name
        self._show(self.evidence, EVIDENCE_TYPE, "evidence")

    def _show(self, rows, columns, name):
        """Make rows a view, one task each time it is read and none of them in Python."""
        frame = self.spark.createDataFrame(rows, columns)
        frame.coalesce(1).localCheckpoint().createOrReplaceTempView(name)
