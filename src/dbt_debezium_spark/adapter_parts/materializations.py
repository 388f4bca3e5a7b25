"""Methods for materializations: decisions of their model, properties of tables, and a digest.

macros/tables/_up_to_date.sql describes how a model finds that it has nothing to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from dbt.adapters.base.meta import available

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.decisions import Decisions
from dbt_debezium_spark.package_digest import python_digest
from dbt_debezium_spark.property_text import pack, unpack
from dbt_debezium_spark.staging_call import is_one_call
from dbt_debezium_spark.table_metadata import Rows, TableMetadata


class MaterializationCalls(AdapterPart):
    """Methods for materializations; what they read of a table is read once per command."""

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Connect as the extended adapter does; no table is read yet."""
        super().__init__(config, mp_context)
        self._debezium_metadata = TableMetadata(self._debezium_rows)
        self.__decisions = Decisions()
        self.__digest: str | None = None

    @available.parse(lambda model, decisions: None)
    def debezium_decide(self, model: str, decisions: Mapping[str, Any]) -> None:
        """Add decisions of a model for its materialization: see `decisions`."""
        self.__decisions.add(model, decisions)

    @available.parse(lambda model: {})
    def debezium_decisions(self, model: str) -> dict[str, Any]:
        """Return and remove the decisions of a model for its materialization."""
        return self.__decisions.take(model)

    @available.parse(lambda relation: {})
    def debezium_properties(self, relation: Any) -> dict[str, str]:
        """Return the properties of a table: see `TableMetadata.properties`."""
        return self._debezium_metadata.properties(relation)

    @available.parse(lambda relation: None)
    def debezium_table_format(self, relation: Any) -> str | None:
        """Return `delta` or `iceberg`, None for another format: see `TableMetadata.format`."""
        return self._debezium_metadata.format(relation)

    @available.parse(lambda relation: None)
    def debezium_up_to_date_with(self, relation: Any) -> str | None:
        """Return the inputs with which a table is up to date: see `TableMetadata`."""
        return self._debezium_metadata.up_to_date_with(relation)

    @available.parse(lambda relation: None)
    def debezium_forget(self, relation: Any) -> None:
        """Drop the cached properties of a table: see `TableMetadata.forget`."""
        self._debezium_metadata.forget(relation)

    @available.parse(lambda relation, name, value: None)
    def debezium_remember(self, relation: Any, name: str, value: str) -> None:
        """Cache a property that was set: see `TableMetadata.remember`."""
        self._debezium_metadata.remember(relation, name, value)

    @available.parse(lambda relation, in_metadata: {})
    def debezium_batches(self, relation: Any, in_metadata: bool) -> dict[str, int]:
        """Return the highest batch of each topic: see `TableMetadata.batches`."""
        return self._debezium_metadata.batches(relation, in_metadata)

    @available.parse(pack)
    def debezium_pack(self, text: str) -> str:
        """Return a text as the value of a table property: see `property_text`."""
        return pack(text)

    @available.parse(unpack)
    def debezium_unpack(self, text: str | None) -> str | None:
        """Return the text that the value of a table property encodes: see `property_text`."""
        return unpack(text)

    @available.parse(lambda code: False)
    def debezium_is_one_call(self, code: str) -> bool:
        """Return whether a model only calls one macro of the package: see `is_one_call`."""
        return is_one_call(code)

    @available.parse(lambda: "")
    def debezium_digest(self) -> str:
        """Return a digest of every macro of the project, and of this package's Python.

        It covers what makes a model's SQL besides its own text, its configuration and data.
        """
        if self.__digest is None:
            resolver = self.get_macro_resolver()
            macros = {} if resolver is None else resolver.macros
            digest = hashlib.md5(python_digest().encode(), usedforsecurity=False)
            for unique_id in sorted(macros):
                digest.update(f"{unique_id}\n{macros[unique_id].macro_sql}\n".encode())
            self.__digest = digest.hexdigest()
        return self.__digest

    def _debezium_rows(self, sql: str) -> Rows:
        _, table = self.execute(sql, fetch=True)
        return [tuple(row) for row in table.rows]
