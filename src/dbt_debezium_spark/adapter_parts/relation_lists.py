"""The tables and views of a schema, in every catalog."""

from __future__ import annotations

from typing import Any

from dbt.adapters.spark.impl import SparkAdapter as DbtSparkAdapter
from dbt_common.exceptions import DbtRuntimeError

_NOT_FOUND = ("SCHEMA_NOT_FOUND", "NoSuchNamespaceException", "NoSuchDatabaseException")
_ICEBERG_CATALOG = "org.apache.iceberg.spark.SparkCatalog"


class RelationLists(DbtSparkAdapter):
    """An adapter that lists the views of catalogs like Iceberg's, too."""

    def list_relations_without_caching(self, schema_relation: Any) -> list[Any]:
        """List the tables and views of a schema; none if the schema does not exist.

        dbt-spark lists only tables. In a v2 catalog (Iceberg) that omits the views: `dbt docs`
        would lack them, and dbt would fail to create a table that has the name of a view.
        """
        try:
            if self._current_catalog_class() == _ICEBERG_CATALOG:
                return self._list_iceberg_relations(schema_relation.schema)
            return self._list_other_relations(schema_relation)
        except DbtRuntimeError as error:
            if any(text in (error.msg or "") for text in _NOT_FOUND):
                return []
            raise

    def _list_iceberg_relations(self, schema: str) -> list[Any]:
        # This catalog contains only Iceberg's tables, so the names are enough:
        # `show table extended` would read the metadata of every table.
        views = self._names(f"show views in {self.quote(schema)}")
        tables = self._names(f"show tables in {self.quote(schema)}") - views
        return [self._view(schema, name) for name in sorted(views)] + [
            self.Relation.create(schema=schema, identifier=name, type="table", is_iceberg=True)
            for name in sorted(tables)
        ]

    def _list_other_relations(self, schema_relation: Any) -> list[Any]:
        rows = self.execute_macro(
            "list_relations_without_caching", kwargs={"schema_relation": schema_relation}
        )
        # The list contains temporary views; they have no schema and are not in this one.
        relations = self._build_spark_relation_list(
            row_list=[row for row in rows if row[0]],
            relation_info_func=self._get_relation_information,
        )
        known = {relation.identifier for relation in relations}
        views = self._names(f"show views in {self.quote(schema_relation.schema)}")
        return relations + [
            self._view(schema_relation.schema, name) for name in sorted(views - known)
        ]

    def _view(self, schema: str, name: str) -> Any:
        return self.Relation.create(schema=schema, identifier=name, type="view")

    def _names(self, sql: str) -> set[str]:
        _, table = self.execute(sql, fetch=True)
        return {row[1] for row in table.rows if row[0]}

    def _current_catalog_class(self) -> str:
        _, table = self.execute("select current_catalog()", fetch=True)
        _, table = self.execute(f"set spark.sql.catalog.{table.rows[0][0]}", fetch=True)
        return str(table.rows[0][1])
