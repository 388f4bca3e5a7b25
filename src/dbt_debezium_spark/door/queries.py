"""What macros ask Spark, and the sessions in which it answers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt_debezium_spark.door.parsing import while_parsing
from dbt_debezium_spark.spark.connection import (
    SessionConnectionWrapper,
    create_analysed_view,
    hold_rows,
    most_rows,
    schema_of,
    texts_of_few_rows,
)
from dbt_debezium_spark.spark.session import serves_few_rows, session_for, session_for_few_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from dbt_debezium_spark.catalog.column_export import ColumnExport


class Queries:
    """Statements of macros, over the adapter's connection."""

    def __init__(self, adapter: Any) -> None:
        """Run statements as the adapter does."""
        self._adapter = adapter

    @while_parsing(True)
    def exists(self, relation: Any) -> bool:
        """Return whether a table or view exists, including those that dbt does not know.

        dbt knows the relations from the start of the command and those that its models made.
        Landing creates further tables.
        """
        known = self._adapter.get_relation(relation.database, relation.schema, relation.identifier)
        return known is not None or any(
            other.identifier == relation.identifier
            for other in self._adapter.list_relations_without_caching(relation.without_identifier())
        )

    @while_parsing(None)
    def attempt(self, sql: str) -> str | None:
        """Execute a statement; return the message of its error, None if it succeeds."""
        try:
            self._adapter.execute(sql)
        except DbtRuntimeError as error:
            return str(error)
        return None

    @while_parsing([])
    def texts(self, sql: str) -> list[str]:
        """Return the first column, texts, of a query with a large plan over few rows.

        In dbt's own Spark it runs in a separate session: see `session.session_for_few_rows`.

        Raises:
            DbtDatabaseError: Spark refuses the query.
        """
        if not self._adapter._debezium_in_own_session:
            _, table = self._adapter.execute(sql, fetch=True)
            return [row[0] for row in table.rows]
        return texts_of_few_rows(session_for_few_rows(self._adapter._debezium_settings), sql)

    @while_parsing({})
    def rows_of_all(self, queries: Mapping[str, str]) -> dict[str, list[Any]]:
        """Return the rows, by name, of queries of texts in JSON: `texts` of all at once."""
        with ThreadPoolExecutor() as pool:
            # dbt's connection to a server is of this thread
            every = pool.map if self._adapter._debezium_in_own_session else map
            answers = every(self.texts, queries.values())
            return {
                name: [json.loads(text) for text in texts]
                for name, texts in zip(queries, answers, strict=True)
            }

    @while_parsing(None)
    def column_export(self, source: Mapping[str, Any]) -> ColumnExport | None:
        """Return the export of a source's columns, None without the option `columns_from`.

        Raises:
            CompilationError: it is missing, or cannot be read.
        """
        from dbt_debezium_spark.catalog.column_export.rows import read_export
        from dbt_debezium_spark.config import ConfigError

        if source.get("columns_from") is None:
            return None
        try:
            return read_export(
                source["columns_from"], str(self._adapter.config.project_root), self.texts
            )
        except (ConfigError, DbtRuntimeError) as error:
            where = f"debezium_sources.{source['name']}.columns_from"
            raise CompilationError(f"{where}: {error}") from error

    @while_parsing("")
    def hold(self, sql: str) -> str:
        """Return what to select from for the few rows of a SELECT over many.

        dbt's own Spark finds them once, compiled, and `texts` reads what it found.

        Raises:
            DbtDatabaseError: Spark refuses the SELECT.
        """
        if not self._adapter._debezium_in_own_session:
            return f"({sql})"
        name = f"debezium_held_{uuid.uuid4().hex}"
        session = session_for(self._adapter._debezium_settings)
        hold_rows(session, name, sql)
        return f"global_temp.{name}"

    @while_parsing(None)
    def let_go(self, held: str) -> None:
        """Forget rows that are held."""
        if held.startswith("global_temp."):
            session = session_for(self._adapter._debezium_settings)
            session.catalog.dropGlobalTempView(held.removeprefix("global_temp."))

    @while_parsing({})
    def hold_there(self, against: str, table: str, ours: Mapping[str, str]) -> dict[str, Any]:
        """Hold rows of a source: see `verify.reading.hold`; or return a `problem`."""
        from dbt_debezium_spark.verify.reading import NotReadable, hold

        session = self._thread_session()
        if session is None:
            return {
                "problem": "a thrift server holds no rows.",
                "remedy": "Use a target with `method: session`.",
            }
        try:
            return hold(session, against, table, ours)
        except NotReadable as error:
            return {"problem": str(error), "remedy": ""}

    @while_parsing([])
    def create_temporary_view(self, view: Any, sql: str) -> list[Any]:
        """Create a temporary view of a SELECT; dbt's own Spark analyses it only once.

        Args:
            view: relation without a schema.
            sql: the SELECT.

        Returns:
            The columns of the view.

        Raises:
            DbtDatabaseError: Spark refuses the SELECT.
        """
        session = self._thread_session()
        if session is None:
            self._adapter.execute(f"create or replace temporary view {view} as\n{sql}")
            return list(self._adapter.get_columns_in_relation(view))
        return [
            self._adapter.Column(column=field.name, dtype=field.dataType.simpleString())
            for field in create_analysed_view(session, str(view), sql)
        ]

    @while_parsing([])
    def columns(self, sql: str) -> list[str]:
        """Return the names of the columns of a SELECT.

        Raises:
            DbtDatabaseError: Spark refuses the SELECT.
        """
        session = self._thread_session()
        if session is None:
            _, table = self._adapter.execute(f"select * from ({sql}) where false", fetch=True)
            return [str(name) for name in table.column_names]
        return schema_of(session, sql).names

    @while_parsing([])
    def column_types(self, sql: str) -> list[tuple[str, str]]:
        """Return the names and types of the columns of a SELECT, which is not run.

        Raises:
            DbtDatabaseError: Spark refuses the SELECT.
        """
        session = self._thread_session()
        if session is None:
            _, table = self._adapter.execute(f"describe query\n{sql}", fetch=True)
            return [(str(row[0]), str(row[1])) for row in table.rows]
        fields = schema_of(session, sql).fields
        return [(field.name, field.dataType.simpleString()) for field in fields]

    @while_parsing(False)
    def reads_few_rows(self, sql: str, rows: int) -> bool:
        """Return whether file metadata show that a SELECT reads at most `rows` rows."""
        settings = self._adapter._debezium_settings
        if not self._adapter._debezium_in_own_session or not serves_few_rows(settings):
            return False
        most = most_rows(session_for(settings), sql)
        return most is not None and most <= rows

    @while_parsing(False)
    def works_on_few_rows(self) -> bool:
        """Return whether this model's statements run in the session for few rows."""
        handle = self._thread_handle()
        return isinstance(handle, SessionConnectionWrapper) and handle.works_on_few_rows

    @while_parsing(None)
    def work_on_few_rows(self, is_few: bool) -> None:
        """Run this model's next statements in the session for few rows, or in dbt's own again."""
        handle = self._thread_handle()
        if isinstance(handle, SessionConnectionWrapper):
            handle.work_on_few_rows(is_few)

    def _thread_handle(self) -> Any:
        return self._adapter.connections.get_thread_connection().handle

    def _thread_session(self) -> SparkSession | None:
        """Return the session of this thread's connection, None on a thrift server."""
        handle = self._thread_handle()
        return handle.session() if isinstance(handle, SessionConnectionWrapper) else None
