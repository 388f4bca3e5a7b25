"""dbt's connection to the Spark session of this process."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

from dbt.adapters.contracts.connection import Connection, ConnectionState
from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.spark.connections import SparkConnectionManager as DbtSparkConnectionManager
from dbt.adapters.spark.connections import SparkConnectionMethod, SparkConnectionWrapper
from dbt_common.exceptions import DbtDatabaseError, DbtRuntimeError

from dbt_debezium_spark.spark.session import (
    is_remote,
    serves_few_rows,
    session_for,
    session_for_few_rows,
)
from dbt_debezium_spark.spark.settings import unusable_format
from dbt_debezium_spark.text.sql_text import path_parts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

logger = AdapterLogger("Spark")

_CATALOGS = "org.apache.spark.sql.connector.catalog"
_MISSING = ("VIEW_NOT_FOUND", "NoSuchTableException", "NoSuchViewException")

# Spark's message for a catalog without views, and Iceberg's.
_NO_VIEWS = ("MISSING_CATALOG_ABILITY.VIEWS", "a view is not supported by catalog")
# Spark without the jar; without a catalog's class; a jar whose catalog or extension is missing.
_WITHOUT_FORMAT = re.compile(
    r"DATA_SOURCE_NOT_FOUND\W+Failed to find the data source: (?:iceberg|delta)\b"
    r"|Cannot find catalog plugin class for catalog \S+ \S*\b(?:iceberg|delta)\b"
    r"|DELTA_CONFIGURE_SPARK_SESSION"
    r"|provider 'delta' does not support external metadata"
    r"|Cannot open table: path is not set"
)


class SessionCursor:
    """A DB-API cursor that runs SQL in a session."""

    def __init__(self, open_session: Callable[[], SparkSession]) -> None:
        """Create a cursor that opens the session on first use."""
        self._open = open_session
        self._frame: Any = None
        self._rows: list[Any] | None = None

    def execute(self, sql: str) -> None:
        """Run one statement. Spark runs a query only when its rows are fetched."""
        self._rows = None
        self._frame = _with_dbt_errors(lambda: self._open().sql(sql))

    def fetchall(self) -> list[Any] | None:
        """Return all rows of the last statement."""
        if self._rows is None and self._frame is not None:
            self._rows = _with_dbt_errors(self._frame.collect)
        return self._rows

    def fetchone(self) -> Any:
        """Return the next row, None after the last one."""
        rows = self.fetchall()
        return rows.pop(0) if rows else None

    def fetchmany(self, size: int) -> list[Any]:
        """Return up to `size` further rows."""
        rows = self.fetchall() or []
        batch, self._rows = rows[:size], rows[size:]
        return batch

    def close(self) -> None:
        """Discard the result."""
        self._frame = None
        self._rows = None

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """Name, type and nullability of the result's columns."""
        if self._frame is None:
            return []
        return [
            (field.name, field.dataType.simpleString(), None, None, None, None, field.nullable)
            for field in self._frame.schema.fields
        ]


class SessionConnectionWrapper(SparkConnectionWrapper):
    """A connection as dbt uses it: it creates cursors."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        """Store the settings; the first statement starts Spark."""
        self._settings = settings
        self._cursor: SessionCursor | None = None
        self._works_on_few_rows = False

    @property
    def works_on_few_rows(self) -> bool:
        """Whether statements run in a session for few rows."""
        return self._works_on_few_rows

    def work_on_few_rows(self, is_few: bool) -> None:
        """Run the next statements in a session for few rows, or in dbt's own again."""
        self._works_on_few_rows = is_few and serves_few_rows(self._settings)

    def session(self) -> SparkSession:
        """Return the session that the next statement runs in."""
        return (session_for_few_rows if self._works_on_few_rows else session_for)(self._settings)

    def cursor(self) -> SessionConnectionWrapper:
        """Open a cursor; dbt calls the wrapper as if it were the cursor."""
        self._cursor = SessionCursor(self.session)
        return self

    def cancel(self) -> None:
        """Cancel this session's jobs, so that Ctrl-C does not wait for them."""
        session = session_for(self._settings)
        context = getattr(session, "_sc", None)
        if context is None:
            session.interruptAll()
        else:
            context.cancelAllJobs()

    def close(self) -> None:
        """Close the cursor; the session stays for the next connection."""
        if self._cursor:
            self._cursor.close()

    def rollback(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: Spark has no transactions."""
        logger.debug("rollback: Spark has no transactions")

    def execute(self, sql: str, bindings: list[Any] | None = None) -> None:
        """Run one statement, with `bindings` as literals."""
        sql = sql.strip().removesuffix(";")
        if bindings is not None:
            sql = sql % tuple(_literal(value) for value in bindings)
        self._open_cursor().execute(sql)

    def fetchall(self) -> list[Any] | None:
        """Return all rows of the last statement."""
        return self._open_cursor().fetchall()

    def fetchone(self) -> Any:
        """Return the next row, None after the last one."""
        return self._open_cursor().fetchone()

    def fetchmany(self, size: int) -> list[Any]:
        """Return up to `size` further rows."""
        return self._open_cursor().fetchmany(size)

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """Columns of the last result."""
        return self._open_cursor().description

    def _open_cursor(self) -> SessionCursor:
        if self._cursor is None:
            self._cursor = SessionCursor(self.session)
        return self._cursor


class OwnSession:
    """A connection manager with one session, which is not configured again for each statement."""

    @classmethod
    def open(cls, connection: Connection) -> Connection:
        """Open a connection; the extended manager opens those of other methods than `session`."""
        credentials = connection.credentials
        if (
            connection.state == ConnectionState.OPEN
            or credentials.method != SparkConnectionMethod.SESSION
        ):
            return super().open(connection)  # type: ignore[misc]
        connection.handle = SessionConnectionWrapper(credentials.server_side_parameters)
        connection.state = ConnectionState.OPEN
        return connection

    @contextmanager
    def exception_handler(self, sql: str) -> Iterator[None]:
        """Raise dbt's error, and one sentence if Spark lacks the table format."""
        try:
            with super().exception_handler(sql):  # type: ignore[misc]
                yield
        except DbtRuntimeError as error:
            sentence = unwritable(self.profile, str(error.msg))  # type: ignore[attr-defined]
            if sentence is None:
                raise
            raise DbtRuntimeError(sentence) from None


@cache
def with_own_session(manager: type[Any]) -> type[Any]:
    """Return dbt-spark's connection manager, or one derived from it, with `OwnSession`.

    A manager that opens its connections itself stays as it is: its session is not dbt-spark's.
    """
    opens_as_dbt_spark = (
        issubclass(manager, DbtSparkConnectionManager)
        and manager.open.__func__ is DbtSparkConnectionManager.open.__func__
    )
    if issubclass(manager, OwnSession) or not opens_as_dbt_spark:
        return manager
    return type(manager.__name__, (OwnSession, manager), {"__module__": __name__})


def texts_of_few_rows(session: SparkSession, sql: str) -> list[str]:
    """Return the first column of a query's rows.

    Raises:
        DbtDatabaseError: Spark refuses the query.
    """
    logger.debug(f"In a session for few rows: {sql}")
    return [row[0] for row in _with_dbt_errors(lambda: session.sql(sql).collect())]


def most_rows(session: SparkSession, sql: str) -> int | None:
    """Return the maximal number of rows that a SELECT reads, from the metadata of its files.

    The result is None if a table format does not provide it. Delta provides it for a SELECT with a
    condition.
    """
    leaves = _with_dbt_errors(
        lambda: session.sql(sql)._jdf.queryExecution().optimizedPlan().collectLeaves()
    )
    counts = [_rows_of(leaves.apply(place)) for place in range(leaves.size())]
    return None if None in counts else sum(count or 0 for count in counts)


def _rows_of(leaf: Any) -> int | None:
    rows = leaf.stats().rowCount()
    if rows.isEmpty() and leaf.getClass().getSimpleName() == "LogicalRelation":
        index = leaf.relation().location()
        if index.getClass().getSimpleName() == "PreparedDeltaFileIndex":
            rows = index.preparedScan().scanned().rows()
    return None if rows.isEmpty() else int(str(rows.get()))


def hold_rows(session: SparkSession, name: str, sql: str) -> None:
    """Find the rows of a SELECT, and let all sessions of this Spark read them as a view.

    Args:
        session: finds them.
        name: of the view, in the schema `global_temp`.
        sql: the SELECT.

    Raises:
        DbtDatabaseError: Spark refuses the SELECT.
    """
    logger.debug(f"held rows {name}: {sql}")
    _with_dbt_errors(
        lambda: session.sql(sql).localCheckpoint().coalesce(1).createOrReplaceGlobalTempView(name)
    )


def create_analysed_view(session: SparkSession, name: str, sql: str) -> StructType:
    """Create a temporary view with the analysed plan of a SELECT.

    For a view that SQL creates, Spark stores the text and analyses it again for every statement.

    Returns:
        The columns of the view.

    Raises:
        DbtDatabaseError: Spark refuses the SELECT.
    """
    logger.debug(f"temporary view {name}: {sql}")

    def create() -> StructType:
        frame = session.sql(sql)
        frame.createOrReplaceTempView(name)
        return frame.schema

    return cast("StructType", _with_dbt_errors(create))


def schema_of(session: SparkSession, sql: str) -> StructType:
    """Return the columns of a SELECT, which is analysed but not run.

    Raises:
        DbtDatabaseError: Spark refuses the SELECT.
    """
    logger.debug(f"columns of: {sql}")
    return cast("StructType", _with_dbt_errors(lambda: session.sql(sql).schema))


def is_missing(error: DbtRuntimeError) -> bool:
    """Return whether something failed because there is no such table or view."""
    return any(text in str(error) for text in _MISSING)


def properties_in_catalog(session: SparkSession, schema: str, name: str) -> dict[str, str]:
    """Return the properties of a table or view, an empty dict if it does not exist.

    No statement is run. The result is that of `TableMetadata.properties`.

    Raises:
        DbtDatabaseError: the catalog does not say.
    """
    from py4j.java_gateway import is_instance_of

    gateway: Any = session.sparkContext._gateway

    def java_class(name: str) -> Any:
        return getattr(gateway.jvm, name)

    def load_from() -> list[Callable[[], Any]]:
        java_class("org.apache.spark.sql.classic.SparkSession").setActiveSession(
            session._jsparkSession
        )
        catalogs = session._jsparkSession.sessionState().catalogManager()
        first, *others = path_parts(schema)
        catalog = catalogs.catalog(first) if others else catalogs.currentCatalog()
        namespace = gateway.new_array(java_class("java.lang.String"), len(others) or 1)
        for place, part in enumerate(others or [first]):
            namespace[place] = part
        relation = java_class(f"{_CATALOGS}.Identifier").of(namespace, name)
        has_views = is_instance_of(gateway, catalog, f"{_CATALOGS}.ViewCatalog")
        loads = [catalog.loadTable, *([catalog.loadView] if has_views else [])]
        return [partial(load, relation) for load in loads]

    def properties_by(load: Callable[[], Any]) -> dict[str, str]:
        found = load()
        mapper = java_class("com.fasterxml.jackson.databind.ObjectMapper")()
        properties: dict[str, str] = json.loads(mapper.writeValueAsString(found.properties()))
        if any(key.startswith("delta.") for key in properties):
            properties["version"] = str(found.initialSnapshot().version())
        return properties

    for load in _with_dbt_errors(load_from):
        try:
            return cast("dict[str, str]", _with_dbt_errors(partial(properties_by, load)))
        except DbtDatabaseError as error:
            if not is_missing(error):
                raise
    return {}


def _with_dbt_errors(run: Callable[[], Any]) -> Any:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        return run()
    except (PySparkException, Py4JError) as error:
        raise DbtDatabaseError(_message_with_remedy(str(error))) from error


def _message_with_remedy(message: str) -> str:
    """Return a Spark error, after the remedy if the error itself has none."""
    if any(text in message for text in _NO_VIEWS):
        return (
            "debezium_spark: the catalog has no views. Set the var `debezium_views: false`: what"
            " would be views are tables then.\n" + message
        )
    if "truncation error" in message and "LONG VARCHAR" in message:
        return (
            "debezium_spark: the text of this view is longer than the 32,700 characters that a"
            " metastore on Derby can store. Use a metastore on another database, or the target"
            " `iceberg`.\n" + message
        )
    return message


def unwritable(profile: Any, message: str) -> str | None:
    """Return what a target's Spark must have to write a table format that it has not.

    Args:
        profile: dbt's configuration of the command.
        message: an error of Spark.

    Returns:
        One sentence; None for other errors.
    """
    found = _WITHOUT_FORMAT.search(message)
    if not found:
        return None
    file_format = "delta" if "delta" in found[0].lower() else "iceberg"
    if profile.credentials.method == SparkConnectionMethod.SESSION and not is_remote():
        return unusable_format(profile.target_name, file_format, f"no {file_format.title()}")
    return (
        f"debezium_spark: target `{profile.target_name}` of profiles.yml cannot write {file_format}"
        f" tables: its Spark server must have the jar of {file_format.title()} for the server's"
        f" version of Spark, and be started with the extension and a catalog of"
        f" {file_format.title()}; docs/clusters.md has the settings."
    )


def _literal(value: Any) -> str:
    """Return a seed's value as a SQL literal; dbt-spark would convert numbers and lose quotes.

    A number stays exact as text, which dbt-spark's seed statement casts to the column's type.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float, Decimal)):
        return f"'{value}'"
    if isinstance(value, dt.datetime):
        return f"'{value.isoformat(sep=' ')}'"
    return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"
