"""Rows of the source: of a database, of files, of a relation. They are read once, and held."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.text.sql_text import quoted_name, quoted_path

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

USER, PASSWORD = "DEBEZIUM_SPARK_JDBC_USER", "DEBEZIUM_SPARK_JDBC_PASSWORD"
_FORMATS = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".jsonl": "json"}
# numbers and empty texts as they are written
_FILE_OPTIONS = {
    "csv": {"header": "true", "multiLine": "true", "escape": '"'},
    "json": {"primitivesAsString": "true"},
    "parquet": {},
}
# `DriverManager` does not see drivers of `spark.jars.packages` by itself
_DRIVERS = {
    "mariadb": "org.mariadb.jdbc.Driver",
    "mysql": "com.mysql.cj.jdbc.Driver",
    "oracle": "oracle.jdbc.OracleDriver",
    "postgresql": "org.postgresql.Driver",
    "sqlserver": "com.microsoft.sqlserver.jdbc.SQLServerDriver",
}
_TIMES = ("date", "timestamp", "timestamp_ntz")


class NotReadable(ValueError):
    """The rows cannot be read; the text says why, and what to do."""


def file_format(against: str) -> str | None:
    """Return the format of a file by its name, None for a relation or database."""
    path = against.rstrip("/").removesuffix(".gz")
    return _FORMATS.get(os.path.splitext(path)[1])


def database(against: str) -> str:
    """Return the kind of a database, such as `postgresql`; MariaDB is `mysql`; empty for others."""
    kind = against.split(":")[1] if against.startswith("jdbc:") else ""
    return "mysql" if kind == "mariadb" else kind


def jdbc_options(url: str, table: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the options of Spark's JDBC source.

    Args:
        url: of the database.
        table: its name in the database: schema or database, a dot, and the rest.
        environment: has user and password.

    Raises:
        NotReadable: the URL has a password, which lists of processes and logs would show.
    """
    if "password=" in url.lower():
        raise NotReadable(
            "the URL of --against has a password, which others can see."
            f" Leave it out, and set {USER} and {PASSWORD}."
        )
    options = {"fetchsize": "10000", "preferTimestampNTZ": "true"}
    if driver := _DRIVERS.get(url.split(":")[1]):
        options["driver"] = driver
    quote = '"'
    if database(url) == "mysql":
        quote = "`"
        wanted = {"sessionVariables": "time_zone='+00:00'", "tinyInt1isBit": "false"}
        wanted["yearIsDateType"] = "false"
        if url.startswith("jdbc:mariadb:"):
            # Spark knows MySQL's dialect alone: it would read quoted names as texts
            url = url.replace("jdbc:mariadb:", "jdbc:mysql:", 1)
            wanted["permitMysqlScheme"] = "true"
        else:
            wanted["useCursorFetch"] = "true"
        more = [f"{name}={value}" for name, value in wanted.items() if f"{name}=" not in url]
        url = f"{url}{'&' if '?' in url else '?'}{'&'.join(more)}"
    parts = (part.replace(quote, quote * 2) for part in table.split(".", 1))
    options |= {"url": url, "dbtable": ".".join(f"{quote}{part}{quote}" for part in parts)}
    given = {"user": environment.get(USER), "password": environment.get(PASSWORD)}
    return options | {name: value for name, value in given.items() if value is not None}


def hold(
    session: SparkSession, against: str, table: str, ours: Mapping[str, str]
) -> dict[str, Any]:
    """Read rows once, and hold them on Spark's disks, as a view of all sessions.

    Args:
        session: reads.
        against: a URL, a path, or the name of a relation.
        table: its name in the database.
        ours: types of our columns, by name in lower case.

    Returns:
        `relation`; `types` by name, before numbers became texts; `began`, an instant of UTC.

    Raises:
        NotReadable: they cannot be read.
    """
    from py4j.protocol import Py4JError
    from pyspark import StorageLevel
    from pyspark.errors import PySparkException

    began = datetime.now(UTC).isoformat()
    try:
        rows, types = _rows(session, against, table, ours)
        held = rows.localCheckpoint(eager=True, storageLevel=StorageLevel.DISK_ONLY)
    except (PySparkException, Py4JError) as error:
        raise NotReadable(_unreadable(against, str(error))) from error
    name = f"debezium_there_{uuid.uuid4().hex}"
    held.createOrReplaceGlobalTempView(name)
    return {"relation": f"global_temp.{name}", "types": types, "began": began}


def _rows(
    session: SparkSession, against: str, table: str, ours: Mapping[str, str]
) -> tuple[DataFrame, dict[str, str]]:
    kind, form = database(against), file_format(against)
    if form and not kind:
        rows = session.read.options(**_FILE_OPTIONS[form]).format(form).load(against)
    elif not kind:
        rows = session.table(quoted_path(against))
    else:
        reader = session.read.format("jdbc").options(**jdbc_options(against, table, os.environ))
        rows = reader.load()
    types = {field.name: field.dataType.simpleString() for field in rows.schema.fields}
    texts = [
        name
        for name, theirs in types.items()
        if kind and _as_text(kind, ours.get(name.lower(), ""), theirs)
    ]
    if texts:
        schema = ", ".join(f"{quoted_name(name)} string" for name in texts)
        rows = reader.option("customSchema", schema).load()
    types |= {name: "string" for name in texts if ours.get(name.lower()) in _TIMES}
    # one statement reads a database: what follows is done by all cores
    return rows.hint("rebalance") if kind else rows, types


def _as_text(kind: str, ours: str, theirs: str) -> bool:
    """Return whether a database's driver writes a value as a text that says more than its type."""
    is_time = kind in ("postgresql", "mysql") and (ours in _TIMES or ours == "string")
    return theirs.startswith("decimal") or (is_time and theirs in _TIMES)


def _unreadable(against: str, error: str) -> str:
    shown = against.partition("?")[0]
    said = next((line.strip() for line in error.splitlines() if line.strip()), "no reason")
    if "No suitable driver" in error or "ClassNotFoundException" in error:
        return (
            f"Spark has no driver for {shown}. Add the driver's package to `spark.jars.packages` of"
            " the target, for example org.postgresql:postgresql:42.7.7."
        )
    remedy = f"Check the address, {USER} and {PASSWORD}, and --there."
    if not database(against):
        remedy = "Name a relation that Spark knows, or a file that ends in its format."
    return f"{shown} cannot be read: {said} {remedy}"
