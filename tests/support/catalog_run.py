"""The catalog of a source in a lab: records land, and are read, batch by batch."""

from __future__ import annotations

from tests.support.lab import Lab
from tests.support.raw import kafka_record, raw_row


class CatalogRun:
    """One source's catalog, and what it says."""

    def __init__(self, spark, sources):
        self.lab = Lab(spark)
        self.sources = sources
        (self.source,) = sources
        self.schemas = self.lab.name("schemas")
        self.batch = 0
        self._catalog = None

    def land(self, records):
        """Add records, lines of a record file, as one landing batch."""
        self.batch += 1
        rows = [raw_row(kafka_record(one), self.batch) for one in records]
        self.lab.append("raw", self.lab.rows(rows))

    def build(self):
        """Read the records landed since the last build."""
        self.lab.read_schemas(self.sources, self.source, "raw", "schemas")
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
        return self.lab.tables[self.schemas].collect()

    @property
    def macros(self):
        """The macros, and the source's configuration as they see it."""
        macros = self.lab.macros(self.sources, "none")
        return macros, macros.source_config(self.source)

    @property
    def catalog(self):
        """The catalog of what was built so far, one dictionary per row."""
        if self._catalog is None:
            order = ("schema_name", "table_name", "version", "ordinal_position")
            rows = [row.asDict(recursive=True) for row in self._rows("catalog_columns")]
            self._catalog = sorted(rows, key=lambda row: _nulls_first(row, order))
        return self._catalog

    def disagreements(self):
        """Return (column, matter, chosen, chosen from, other, other from), in order."""
        names = ("column_name", "matter", "chosen", "chosen_from", "other", "other_from")
        order = ("table_name", "column_name", "matter", "other_from")
        rows = sorted(self._rows("catalog_disagreements"), key=lambda row: _nulls_first(row, order))
        return [tuple(row[name] for name in names) for row in rows]

    def columns(self, *names, where=lambda row: True):
        """Return columns of the catalog as tuples, in the order of tables, versions and columns."""
        return [tuple(row[name] for name in names) for row in self.catalog if where(row)]

    def _rows(self, macro):
        macros, _ = self.macros
        sql = getattr(macros, macro)(source=self.source, schemas=self.schemas)
        return self.lab.session.sql(sql).collect()


def _nulls_first(row, names):
    """Sort key: in Python, because Spark would check and plan a large SELECT once more for it."""
    return [(row[name] is not None, row[name]) for name in names]
