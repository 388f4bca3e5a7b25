"""The tables and views of a schema, in every catalog."""

from __future__ import annotations

from typing import Any

from dbt.adapters.spark.impl import SparkAdapter as DbtSparkAdapter
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.text.sql_text import path_parts, quoted_path

_NOT_FOUND = ("SCHEMA_NOT_FOUND", "NoSuchNamespaceException", "NoSuchDatabaseException")
_ICEBERG_CATALOG = "org.apache.iceberg.spark.SparkCatalog"


class RelationLists(AdapterPart):
    """An adapter that lists the views of catalogs like Iceberg's, too."""

    def list_relations_without_caching(self, schema_relation: Any) -> list[Any]:
        """List the tables and views of a schema; none if the schema does not exist.

        dbt-spark lists only tables. In a v2 catalog (Iceberg) that omits the views: `dbt docs`
        would lack them, and dbt would fail to create a table that has the name of a view. An
        adapter that lists them in a way of its own keeps it.
        """
        of_adapter = super().list_relations_without_caching
        if of_adapter.__func__ is not DbtSparkAdapter.list_relations_without_caching:
            return list(of_adapter(schema_relation))
        try:
            if self._debezium_catalog_class(schema_relation.schema) == _ICEBERG_CATALOG:
                return self.__list_iceberg_relations(schema_relation.schema)
            return self.__list_other_relations(schema_relation)
        except DbtRuntimeError as error:
            if any(text in (error.msg or "") for text in _NOT_FOUND):
                return []
            raise

    def __list_iceberg_relations(self, schema: str) -> list[Any]:
        # This catalog contains only Iceberg's tables, so the names are enough:
        # `show table extended` would read the metadata of every table.
        views = self.__names(f"show views in {quoted_path(schema)}")
        tables = self.__names(f"show tables in {quoted_path(schema)}") - views
        return [self.__view(schema, name) for name in sorted(views)] + [
            self.Relation.create(schema=schema, identifier=name, type="table", is_iceberg=True)
            for name in sorted(tables)
        ]

    def __list_other_relations(self, schema_relation: Any) -> list[Any]:
        rows = self.execute_macro(
            "list_relations_without_caching", kwargs={"schema_relation": schema_relation}
        )
        # The list contains temporary views; they have no schema and are not in this one.
        relations = self._build_spark_relation_list(
            row_list=[row for row in rows if row[0]],
            relation_info_func=self._get_relation_information,
        )
        schema = schema_relation.schema
        known = {relation.identifier for relation in relations}
        views = self.__names(f"show views in {quoted_path(schema)}")
        # Spark lists them without the catalog that the schema may name.
        relations = [relation.incorporate(path={"schema": schema}) for relation in relations]
        return relations + [self.__view(schema, name) for name in sorted(views - known)]

    def __view(self, schema: str, name: str) -> Any:
        return self.Relation.create(schema=schema, identifier=name, type="view")

    def __names(self, sql: str) -> set[str]:
        return {row[1] for row in self._debezium_rows(sql) if row[0]}

    def _debezium_catalog(self, schema: str) -> str:
        """Return the catalog of a schema, which is the current one unless the schema names it."""
        *catalog, _ = path_parts(schema)
        if catalog:
            return catalog[0]
        return str(self._debezium_rows("select current_catalog()")[0][0])

    def _debezium_catalog_class(self, schema: str) -> str:
        rows = self._debezium_rows(f"set spark.sql.catalog.{self._debezium_catalog(schema)}")
        return str(rows[0][1])
