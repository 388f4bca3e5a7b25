"""The Spark sessions of this process, one per set of settings."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.jar_cache import cache_folder, resolving
from dbt_debezium_spark.jar_sums import fetch_and_check
from dbt_debezium_spark.kafka_jars import KAFKA_KEY, with_kafka
from dbt_debezium_spark.private_files import make_private
from dbt_debezium_spark.settings import LOG_FILE_NAME, has_derby, spark_options, state_dir
from dbt_debezium_spark.spark_properties import starts_a_jvm, told_by_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = AdapterLogger("Spark")

# What the meaning of our SQL rests on; the rest of a profile describes a Spark of this machine.
_SENT_TO_A_SERVER = (
    "spark.sql.ansi.enabled",
    "spark.sql.session.timeZone",
    "spark.sql.debug.maxToStringFields",
)
_CATALOG = "spark.sql.defaultCatalog"
# Measured on a source's catalog, 125 operators over 50 rows: 7 s of processor time with the
# profile's settings, 2 s with these.
_FOR_FEW_ROWS = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}
_LOG_TAIL_LINES = 15
_EXIT_SECONDS = 30
_lock = threading.RLock()
_sessions: dict[frozenset[tuple[str, str]], SparkSession] = {}


def session_for(settings: Mapping[str, str]) -> SparkSession:
    """Return the session with these settings, and start Spark when this process has none.

    One process has one Spark. Settings that differ from those it was started with get a session
    of their own, with its own catalogs and temporary views; what only a start can set (jars,
    memory, extensions, the Hive metastore) stays as it was.

    Args:
        settings: result of `settings.resolve_settings`.

    Raises:
        DbtRuntimeError: Spark does not start.
    """
    key = frozenset(settings.items())
    with _lock:
        session = _sessions.get(key)
        if session is None or not _is_alive(session):
            session = _open(settings)
            _sessions[key] = session
        return session


def isolated_session(settings: Mapping[str, str]) -> SparkSession:
    """Return a new session with these settings: for code that must share no temporary view."""
    with _lock:
        base = session_for(settings)
        if not _remote_url():
            return _derive(base, settings)
        session = _open_remote(settings)
        # Closing a client waits for threads that all clients of the process share. pyspark closes
        # also when a session is collected as garbage, on whatever thread that happens: on one of
        # those threads it waits for itself, for ever. This one's channel ends with the process.
        setattr(session.client, "close", _leave_open)  # noqa: B010 - mypy refuses the assignment
        return session


def session_for_few_rows(settings: Mapping[str, str]) -> SparkSession:
    """Return the session for large plans over few rows, as those of the catalog.

    Compiling such a plan, planning it anew between its stages and starting several tasks for each
    takes longer than running it. The setting of a session would slow down what other threads run in
    it, so this is another one; on a Spark Connect server it is that of these settings.
    """
    if _remote_url():
        return session_for(settings)
    key = frozenset({**settings, **_FOR_FEW_ROWS}.items())
    with _lock:
        base = session_for(settings)
        session = _sessions.get(key)
        if session is None or not _is_alive(session):
            session = _derive(base, {**settings, **_FOR_FEW_ROWS})
            _sessions[key] = session
        return session


def serves_few_rows(settings: Mapping[str, str]) -> bool:
    """Say whether two sessions of these settings see at once what the other has written.

    Each has a catalog of its own, and Iceberg's remembers tables unless it is told not to.
    """
    catalog = f"spark.sql.catalog.{settings.get(_CATALOG, 'spark_catalog')}"
    remembers = "iceberg" in settings.get(catalog, "") and (
        settings.get(f"{catalog}.cache-enabled", "true").lower() != "false"
    )
    return not remembers and not _remote_url()


def release(session: SparkSession) -> None:
    """Give an isolated session back: a server keeps one until it is told, a local one is free."""
    if getattr(session, "_sc", None) is None:
        session.stop()


def _open(settings: Mapping[str, str]) -> SparkSession:
    if _remote_url():
        return _open_remote(settings)
    # SQLite makes the catalog's file, not its folder: also for a project that is not the first here
    make_private(state_dir(settings))
    running = _running_session()
    return _start(settings) if running is None else _derive(running, settings)


def _remote_url() -> str | None:
    return os.environ.get("SPARK_REMOTE")


def _open_remote(settings: Mapping[str, str]) -> SparkSession:
    """Open a session on a Spark Connect server; catalogs and resources are the server's."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.remote(_remote_url()).create()
    for name in _SENT_TO_A_SERVER:
        if name in settings:
            session.conf.set(name, settings[name])
    catalog = settings.get(_CATALOG, "")
    if catalog == "spark_catalog" or session.conf.get(f"spark.sql.catalog.{catalog}", None):
        session.conf.set(_CATALOG, catalog)
    else:
        logger.debug(f"the server has no catalog {catalog!r}: its own default stays")
    return session


def _leave_open() -> None:
    """Stand for a client's `close`."""


def _running_session() -> SparkSession | None:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    context = SparkContext._active_spark_context
    if context is None or context._jsc is None:
        return None
    return SparkSession(context)


def _derive(base: SparkSession, settings: Mapping[str, str]) -> SparkSession:
    from pyspark.errors import PySparkException

    session = base.newSession()
    for name, value in spark_options(settings).items():
        if not name.startswith("spark.sql."):
            continue
        try:
            session.conf.set(name, value)
        except PySparkException as error:
            # Static settings belong to the process; every other refusal is a wrong setting.
            if "CANNOT_MODIFY" not in (error.getCondition() or ""):
                raise
            # Its value may be a secret.
            logger.debug(f"{name} stays as it is: only a start can set it")
    return session


def _start(settings: Mapping[str, str]) -> SparkSession:
    cached_jars = Path(settings.get("spark.jars.ivy", "")) / "jars"
    if settings.get("spark.jars.packages") and not cached_jars.is_dir():
        logger.info("Starting Spark; the first start downloads the table format's jars (minutes)")

    with _resolving(settings):
        complete = with_kafka(settings) if settings.get(KAFKA_KEY) else settings
        fetch_and_check(complete)
        session = _launch(complete)
    if has_derby(settings):
        atexit.register(_end, session)
    return session


def _launch(settings: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    log = state_dir(settings) / LOG_FILE_NAME
    # workers must be of this environment: the first python3 of the PATH may lack pyarrow
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Java would not open files whose names are not ASCII; Python and its children do.
    if os.environ.get("LC_ALL") in ("C", "POSIX"):
        os.environ["LC_ALL"] = "C.UTF-8"
    builder = SparkSession.builder
    options = spark_options(settings)
    told: AbstractContextManager[None] = nullcontext()
    if starts_a_jvm():
        told = told_by_file(options, state_dir(settings))
    else:
        for name, value in options.items():
            builder = builder.config(name, value)
    try:
        with told, _stderr_to(log):
            return builder.getOrCreate()
    except DbtRuntimeError:
        raise
    except Exception as error:
        raise DbtRuntimeError(
            f"debezium_spark: Spark did not start: {error}\n"
            f"The last lines of {log}:\n{_tail(log)}\n"
            "Spark needs Java 17 or newer (JAVA_HOME or `java` on the PATH) and, on its first "
            "start, access to Maven Central."
        ) from error


def _resolving(settings: Mapping[str, str]) -> AbstractContextManager[None]:
    if settings.get("spark.jars.packages") or settings.get(KAFKA_KEY):
        return resolving(cache_folder(settings), logger.info)
    return nullcontext()


def _end(session: SparkSession) -> None:
    """Wait for the end of the JVM, which holds Derby: the next process finds it free."""
    process = getattr(session.sparkContext._gateway, "proc", None)
    if process is None or process.poll() is not None:
        return
    session.stop()
    # the JVM ends with its standard input
    process.stdin.close()
    process.wait(timeout=_EXIT_SECONDS)


def _is_alive(session: SparkSession) -> bool:
    context = getattr(session, "_sc", None)
    if context is None:
        return not getattr(session, "is_stopped", False)
    return context._jsc is not None


@contextmanager
def _stderr_to(log: Path) -> Iterator[None]:
    """Send file descriptor 2 to `log` while the JVM is started, which keeps it for its life.

    Spark's launcher and the resolver of its jars write to stderr directly, past every logging
    setting, and would fill dbt's console with hundreds of lines.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(log, "ab") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-_LOG_TAIL_LINES:])
