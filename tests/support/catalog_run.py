"""The catalog's SQL, run step by step without dbt."""

from __future__ import annotations

from types import SimpleNamespace

from dbt_debezium_spark.local_frames import local_frame
from tests.support.macros import Macros
from tests.support.raw import RAW_TYPE, kafka_record, raw_row

EVIDENCE_TYPE = (
    "topic string, partition int, key_hash bigint, value_hash bigint, origin_hash bigint,"
    " origin struct<name: string, db: string, schema: string, table: string>, first_offset bigint,"
    " last_offset bigint, first_timestamp timestamp, last_timestamp timestamp, is_snapshot boolean,"
    " lowest_position string, highest_position string, highest_timestamp timestamp,"
    " highest_offset bigint, last_position string, kind string,"
    " key_schema string, value_schema string, key_fields array<string>,"
    " value_fields array<string>, source_block string, definition string,"
    " has_doubtful_key boolean, _cdc_batch_id bigint"
)


class CatalogRun:
    """One source's catalog: the macros' SQL, run without dbt between the steps."""

    def __init__(self, spark, sources):
        self.spark = spark
        self.sources = sources
        (self.source,) = sources
        self.batch = 0
        self._raw = local_frame(spark, [], RAW_TYPE)
        self._evidence = None
        self._catalog = None

    def land(self, records):
        """Add records as one landing batch."""
        self.batch += 1
        rows = [raw_row(kafka_record(one), self.batch) for one in records]
        self._raw = _held(self._raw.union(local_frame(self.spark, rows, RAW_TYPE)))
        self._raw.createOrReplaceTempView("raw_records")

    def build(self):
        """Read the records landed since the last build."""
        watermarks = {"raw_records": self.batch}
        if self._evidence is not None:
            self.show_evidence()
            held = self.spark.sql("select max(_cdc_batch_id) from evidence").collect()[0][0]
            watermarks |= {} if held is None else {"evidence": held}
        macros = Macros(self.sources, this="evidence", watermarks=watermarks)
        new = self.spark.sql(macros.catalog_schemas(source=self.source, raw="raw_records"))
        self._evidence = _held(new if self._evidence is None else self._evidence.union(new))
        self._catalog = None
        return self

    def read(self, *batches):
        """Land batches of records one after another, each read before the next lands."""
        for batch in batches:
            self.land(batch)
            self.build()
        return self

    @property
    def evidence(self):
        """Return what was built so far as rows."""
        return self._evidence.collect()

    @property
    def catalog(self):
        """The catalog of what was built so far, one dictionary per row."""
        if self._catalog is None:
            self.show_evidence()
            macros = RunningMacros(self.spark, self.sources)
            sql = macros.catalog_columns(source=self.source, schemas="evidence")
            rows = [row.asDict(recursive=True) for row in self.spark.sql(sql).collect()]
            order = ("schema_name", "table_name", "version", "ordinal_position")
            self._catalog = sorted(rows, key=lambda row: _nulls_first(row, order))
        return self._catalog

    def disagreements(self):
        """Return (column, matter, chosen, chosen from, other, other from), in order."""
        self.show_evidence()
        macros = RunningMacros(self.spark, self.sources)
        sql = macros.catalog_disagreements(source=self.source, schemas="evidence")
        names = ("column_name", "matter", "chosen", "chosen_from", "other", "other_from")
        order = ("table_name", "column_name", "matter", "other_from")
        rows = sorted(self.spark.sql(sql).collect(), key=lambda row: _nulls_first(row, order))
        return [tuple(row[name] for name in names) for row in rows]

    def columns(self, *names, where=lambda row: True):
        """Return columns of the catalog as tuples, in the order of tables, versions and columns."""
        return [tuple(row[name] for name in names) for row in self.catalog if where(row)]

    def show_evidence(self):
        """Make what was built so far the view `evidence`."""
        # a test may hold several runs on one session: each brings its own view of that name
        frame = self._evidence
        if frame is None:
            frame = local_frame(self.spark, [], EVIDENCE_TYPE)
        frame.createOrReplaceTempView("evidence")


class RunningMacros(Macros):
    """The macros as a run of dbt calls them; Spark answers their queries."""

    def __init__(self, spark, sources):
        self._spark = spark
        super().__init__(sources, this="evidence", running=True)

    def _run_query(self, query):
        return SimpleNamespace(rows=[tuple(row) for row in self._spark.sql(query).collect()])


def _held(frame):
    """Return the rows, computed now; whoever reads them has one task."""
    return frame.localCheckpoint().coalesce(1)


def _nulls_first(row, names):
    """Sort key: in Python, because Spark would check and plan a large SELECT once more for it."""
    return [(row[name] is not None, row[name]) for name in names]
