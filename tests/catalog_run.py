"""The catalog's SQL, run step by step without dbt."""

from __future__ import annotations

from datetime import UTC, datetime

from generator_harness import RAW_TYPE, Macros

EVIDENCE_TYPE = (
    "topic string, partition int, key_hash bigint, value_hash bigint, first_offset bigint,"
    " last_offset bigint, first_timestamp timestamp, last_timestamp timestamp, kind string,"
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
        self.catalog = []
        self._records = []

    def land(self, records):
        """Add records as one landing batch."""
        self.batch += 1
        landed_at = datetime(2026, 1, 1, tzinfo=UTC)
        self._records += [
            (
                one["topic"],
                one["partition"],
                one["offset"],
                datetime.fromtimestamp(one["timestamp"] / 1000, UTC),
                0,
                one["key"],
                one["value"],
                None,
                self.batch,
                landed_at,
            )
            for one in records
        ]
        frame = self.spark.createDataFrame(self._records, RAW_TYPE)
        frame.createOrReplaceTempView("raw_records")

    def build(self):
        """Read the records landed since the last build."""
        held = max((row["_cdc_batch_id"] for row in self.evidence), default=None)
        watermarks = {"raw_records": self.batch} | ({} if held is None else {"evidence": held})
        macros = Macros(self.sources, this="evidence", watermarks=watermarks)
        sql = macros.catalog_schemas(source=self.source, raw="raw_records")
        self.evidence += self.spark.sql(sql).collect()
        frame = self.spark.createDataFrame(self.evidence, EVIDENCE_TYPE)
        frame.createOrReplaceTempView("evidence")
        sql = macros.catalog_columns(source=self.source, schemas="evidence")
        self.catalog = [
            row.asDict(recursive=True)
            for row in self.spark.sql(sql)
            .orderBy("schema_name", "table_name", "version", "ordinal_position")
            .collect()
        ]
        return self

    def columns(self, *names, where=lambda row: True):
        """Return columns of the catalog as tuples, in the order of tables, versions and columns."""
        return [tuple(row[name] for name in names) for row in self.catalog if where(row)]
