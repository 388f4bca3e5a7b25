"""The Spark sessions of this process, one per set of settings."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.spark.defaults import DEFAULT_CATALOG_KEY, SENT_TO_A_SERVER
from dbt_debezium_spark.spark.jar_cache import cache_folder, packages_of, resolving
from dbt_debezium_spark.spark.kafka_jars import KAFKA_KEY, with_kafka
from dbt_debezium_spark.spark.overlap import COMMIT_SETTINGS
from dbt_debezium_spark.spark.private_files import make_private
from dbt_debezium_spark.spark.properties import settings_file, starts_a_jvm
from dbt_debezium_spark.spark.settings import LOG_FILE_NAME, has_derby, spark_options, state_dir
from dbt_debezium_spark.spark.versions import check_runtimes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = AdapterLogger("Spark")

_SPARK_CATALOG = "spark_catalog"
# Measured on a source's catalog, 125 operators over 50 rows: 7 s of processor time with the
# profile's settings, 2 s with these.
_FOR_FEW_ROWS = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}
# What the first session of a process decides for all. Spark's own catalog is the metastore's.
_JARS = "spark.jars.packages"
_METASTORE = (
    "spark.hadoop.javax.jdo.option.ConnectionURL",
    "spark.hadoop.hive.metastore.uris",
    "spark.sql.catalogImplementation",
    "spark.sql.warehouse.dir",
)
# Commands of dbt that run SQL in any case.
_RUN_SQL = ("run", "build", "test", "retry")
_is_needed = ContextVar("_is_needed", default=False)
_LOG_TAIL_LINES = 15
_EXIT_SECONDS = 30
_lock = threading.RLock()
_sessions: dict[frozenset[tuple[str, str]], SparkSession] = {}
# What a start ahead raised, until the session is asked for.
_failed: dict[frozenset[tuple[str, str]], Exception] = {}
# Settings with which this module started the JVM. It keeps them as properties until it ends.
_of_the_jvm: dict[str, str] = {}


def session_for(settings: Mapping[str, str]) -> SparkSession:
    """Return the session with these settings, and start Spark if it is not running.

    A process has one Spark. Other settings than those of its start have a separate session, with
    its own catalogs and temporary views. Settings that only a start can change (memory, extensions)
    stay as they were; other jars or another metastore are refused.

    Args:
        settings: result of `settings.resolve_settings`.

    Raises:
        DbtRuntimeError: Spark does not start, or this process cannot open the tables of these
            settings.
    """
    key = frozenset(settings.items())
    with _lock:
        if key in _failed:
            raise _failed.pop(key)
        session = _sessions.get(key)
        if session is None or not _is_alive(session):
            session = _open(settings)
            _sessions[key] = session
        return session


@contextmanager
def needing_spark() -> Iterator[None]:
    """Start Spark while dbt reads a project in the block, because the next command needs it."""
    token = _is_needed.set(True)
    try:
        yield
    finally:
        _is_needed.reset(token)


def start_ahead(settings: Mapping[str, str], command: str) -> None:
    """Start Spark and its catalog on a thread of its own, if a command of dbt will need it.

    dbt reads a project of hundreds of models for as long as Spark takes to start. The first
    `session_for` raises what prevents it. A metastore in Derby waits for its lock.

    Args:
        settings: result of `settings.resolve_settings`.
        command: dbt's, such as `run`.
    """
    if (command in _RUN_SQL or _is_needed.get()) and not (_remote_url() or has_derby(settings)):
        threading.Thread(target=_try_to_start, args=[settings]).start()


def _try_to_start(settings: Mapping[str, str]) -> None:
    key = frozenset(settings.items())
    with _lock:
        if key in _sessions:
            return
        try:
            session = session_for(settings)
        except Exception as error:
            _failed[key] = error
            return
    with suppress(Exception):  # the statement that needs the catalog tells
        session.sql("select current_catalog()").collect()


def isolated_session(settings: Mapping[str, str]) -> SparkSession:
    """Return a new session with these settings, for code that must not share temporary views."""
    with _lock:
        base = session_for(settings)
        if not _remote_url():
            return _derive(base, settings)
        session = _open_remote(settings)
        # Closing a client waits for threads that all clients of the process share. pyspark also
        # closes a client when its session is garbage-collected, on any thread. On one of those
        # threads it would wait for itself without end. So this channel ends with the process.
        setattr(session.client, "close", _leave_open)  # noqa: B010 - mypy refuses the assignment
        return session


def session_for_few_rows(settings: Mapping[str, str]) -> SparkSession:
    """Return the session for large plans over few rows, such as those of the catalog.

    Compiling such a plan, planning it again between its stages, and starting several tasks for each
    takes longer than running it. Other settings in dbt's session would slow down other threads, so
    this is a separate session. On a Spark Connect server it is the session of `settings`.
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
    """Return whether two sessions with these settings immediately see each other's writes.

    Each session has its own catalog, and Iceberg's caches tables unless `cache-enabled` is false.
    """
    catalog = f"spark.sql.catalog.{settings.get(DEFAULT_CATALOG_KEY, _SPARK_CATALOG)}"
    caches_tables = "iceberg" in settings.get(catalog, "") and (
        settings.get(f"{catalog}.cache-enabled", "true").lower() != "false"
    )
    return not caches_tables and not _remote_url()


def is_remote() -> bool:
    """Return whether sessions are those of a Spark Connect server."""
    return bool(_remote_url())


def release(session: SparkSession) -> None:
    """Close an isolated session on a server; a local one needs no release."""
    if getattr(session, "_sc", None) is None:
        session.stop()


def _open(settings: Mapping[str, str]) -> SparkSession:
    if _remote_url():
        return _open_remote(settings)
    # SQLite creates the file of the catalog, but not its folder.
    make_private(state_dir(settings))
    _refuse_other_tables(settings)
    running = _running_session()
    return _start(settings) if running is None else _derive(running, settings)


def _refuse_other_tables(settings: Mapping[str, str]) -> None:
    """Refuse settings of a project whose tables the running JVM cannot open.

    Jars are loaded when the JVM starts. Hive keeps its metastore in static fields and threads, also
    after the end of a session, and would show the tables of the other project.
    """
    if not _of_the_jvm:
        return
    differing = [
        name
        for name in _METASTORE
        if settings.get(DEFAULT_CATALOG_KEY, _SPARK_CATALOG) == _SPARK_CATALOG
        and settings.get(name) != _of_the_jvm.get(name)
    ]
    if not _packages(settings) <= _packages(_of_the_jvm):
        differing.insert(0, _JARS)
    if differing:
        raise DbtRuntimeError(
            f"debezium_spark: the Spark of this process has another {differing[0]} than the project"
            f" with the tables in {state_dir(settings)}, which only the start of Spark can set, so"
            " it would show the tables of another project. Open this project in a new Python"
            " process (a notebook: restart its kernel)."
        )


def _packages(settings: Mapping[str, str]) -> set[str]:
    return {package.strip() for package in settings.get(_JARS, "").split(",") if package.strip()}


def _remote_url() -> str | None:
    return os.environ.get("SPARK_REMOTE")


def _open_remote(settings: Mapping[str, str]) -> SparkSession:
    """Open a session on a Spark Connect server, with the server's catalogs and resources."""
    from pyspark.sql import SparkSession

    try:
        session = SparkSession.builder.remote(_remote_url()).create()
    except ImportError as error:
        raise DbtRuntimeError(
            "debezium_spark: SPARK_REMOTE is set, and a package of Spark Connect is missing:"
            f' {error} Run `pip install "dbt-debezium-spark[connect]"`, or unset SPARK_REMOTE.'
        ) from error
    _name_commits(session)
    for name in SENT_TO_A_SERVER:
        if name in settings:
            session.conf.set(name, settings[name])
    catalog = settings.get(DEFAULT_CATALOG_KEY, "")
    if catalog == _SPARK_CATALOG or session.conf.get(f"spark.sql.catalog.{catalog}", None):
        session.conf.set(DEFAULT_CATALOG_KEY, catalog)
    else:
        logger.debug(f"the server has no catalog {catalog!r}: its own default stays")
    return session


def _leave_open() -> None:
    """Replace a client's `close`."""


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
    _name_commits(session)
    # options of a catalog of this name that another project has
    catalog = f"spark.sql.catalog.{settings.get(DEFAULT_CATALOG_KEY, _SPARK_CATALOG)}."
    for name in _of_the_jvm.keys() - settings.keys():
        if name.startswith(catalog):
            session.conf.unset(name)
    for name, value in spark_options(settings).items():
        if not name.startswith("spark.sql."):
            continue
        try:
            session.conf.set(name, value)
        except PySparkException as error:
            # Static settings belong to the process. Every other error means a wrong setting.
            if "CANNOT_MODIFY" not in (error.getCondition() or ""):
                raise
            # Its value may be a secret.
            logger.debug(f"{name} stays as it is: only a start of Spark can set it")
    return session


def _start(settings: Mapping[str, str]) -> SparkSession:
    cached_jars = Path(settings.get("spark.jars.ivy", "")) / "jars"
    if settings.get("spark.jars.packages") and not cached_jars.is_dir():
        logger.info("Starting Spark; the first start downloads the table format's jars (minutes)")

    check_runtimes(packages_of(settings))
    with _resolving(settings):
        complete = with_kafka(settings) if settings.get(KAFKA_KEY) else settings
        session = _launch(complete)
    if has_derby(settings):
        atexit.register(_end, session)
    return session


def _launch(settings: Mapping[str, str]) -> SparkSession:
    from pyspark import SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    log = state_dir(settings) / LOG_FILE_NAME
    # Workers need this environment: the first python3 of the PATH may lack pyarrow.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # In the C locale, Java cannot open files whose names are not ASCII.
    if os.environ.get("LC_ALL") in ("C", "POSIX"):
        os.environ["LC_ALL"] = "C.UTF-8"
    builder = SparkSession.builder
    options = spark_options(settings)
    starts = starts_a_jvm()
    if not starts:
        _forget_settings_but(options)
        for name, value in options.items():
            builder = builder.config(name, value)
    try:
        if starts:
            # Spark's launcher and its resolver write hundreds of lines to stderr, whatever the
            # logging settings are.
            with settings_file(options, state_dir(settings)), log.open("ab") as file:
                SparkContext._ensure_initialized(gateway=launch_gateway(None, {"stderr": file}))
        session = builder.getOrCreate()
    except DbtRuntimeError:
        raise
    except Exception as error:
        raise DbtRuntimeError(
            f"debezium_spark: Spark did not start: {error}\n"
            f"The last lines of {log}:\n{_tail(log)}\n"
            "Spark needs Java 17 or newer (JAVA_HOME or `java` on the PATH) and, on its first "
            "start, access to Maven Central, or the jars in `spark.jars` (docs/operations.md)."
        ) from error
    if starts:
        _of_the_jvm.update(options)
    _name_commits(session)
    return session


def _name_commits(session: SparkSession) -> None:
    """Let tables keep which process wrote them, so that another run can name it."""
    for name, value in COMMIT_SETTINGS.items():
        session.conf.set(name, value)


def _forget_settings_but(options: Mapping[str, str]) -> None:
    """Remove what the JVM was started with and another project does not have."""
    from pyspark import SparkContext

    system = getattr(SparkContext._jvm, "java.lang.System")  # noqa: B009 - as pyspark names it
    for name in _of_the_jvm.keys() - options.keys():
        system.clearProperty(name)


def _resolving(settings: Mapping[str, str]) -> AbstractContextManager[None]:
    if settings.get("spark.jars.packages") or settings.get(KAFKA_KEY):
        return resolving(cache_folder(settings), logger.info)
    return nullcontext()


def _end(session: SparkSession) -> None:
    """Wait for the end of the JVM, which releases Derby for the next process."""
    gateway = session.sparkContext._gateway
    process = getattr(gateway, "proc", None)
    if process is None or process.poll() is not None:
        return
    session.stop()
    # py4j's thread that tells the JVM which objects are gone would print an error when it ends
    gateway.shutdown()
    # the JVM ends with its standard input
    process.stdin.close()
    process.wait(timeout=_EXIT_SECONDS)


def _is_alive(session: SparkSession) -> bool:
    context = getattr(session, "_sc", None)
    if context is None:
        return not getattr(session, "is_stopped", False)
    return context._jsc is not None


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-_LOG_TAIL_LINES:])
