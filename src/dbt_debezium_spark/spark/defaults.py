"""Settings of Spark that a profile with `debezium_spark.format` need not name.

A profile's own setting always wins. Lists are joined. A profile that chooses a catalog itself keeps
it: the embedded one is not configured then. docs/configuration.md shows these tables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from glob import glob
from itertools import chain
from pathlib import Path

from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.spark.versions import FORMATS, SQLITE, installed_runtime

FORMAT_KEY = "debezium_spark.format"
PACKAGES_KEY = "spark.jars.packages"
JARS_KEY = "spark.jars"
EXTENSIONS_KEY = "spark.sql.extensions"
EXCLUDES_KEY = "spark.jars.excludes"
DEFAULT_CATALOG_KEY = "spark.sql.defaultCatalog"

_CATALOG_PREFIX = "spark.sql.catalog."
_SESSION_CATALOG = f"{_CATALOG_PREFIX}spark_catalog"
# Settings that change the meaning of our SQL; the others are for a local Spark.
SENT_TO_A_SERVER = (
    "spark.sql.ansi.enabled",
    "spark.sql.session.timeZone",
    "spark.sql.debug.maxToStringFields",
)


@dataclass(frozen=True)
class Default:
    """One setting: its value, why, and the environment variable that replaces the value."""

    name: str
    value: str
    reason: str
    variable: str | None = None

    def current(self) -> str:
        """Return the value of the environment variable, else the default."""
        return os.environ.get(self.variable or "", self.value)


ALWAYS = (
    Default("spark.app.name", "debezium_spark", "Name in the log and in Spark's UI."),
    Default(
        "spark.master",
        "local[*]",
        "Spark runs in dbt's process, on all cores.",
        "DEBEZIUM_SPARK_MASTER",
    ),
    Default(
        "spark.driver.memory",
        "2g",
        "In local mode, the memory of everything.",
        "DEBEZIUM_SPARK_DRIVER_MEMORY",
    ),
    Default("spark.driver.host", "127.0.0.1", "Nothing listens on the network."),
    Default("spark.driver.bindAddress", "127.0.0.1", "Nothing listens on the network."),
    Default("spark.ui.enabled", "false", "The UI takes a port and memory."),
    Default("spark.ui.showConsoleProgress", "false", "dbt's output stays readable."),
    Default(
        "spark.sql.debug.maxToStringFields",
        "1000",
        "dbt reads types from texts; a type must not end in `... 12 more fields`.",
    ),
    Default(
        "spark.jars.ivy",
        "~/.ivy2.5.2",
        "Cache of the jars; several processes may share it.",
        "DEBEZIUM_SPARK_IVY",
    ),
    Default("spark.sql.session.timeZone", "UTC", "The tables do not depend on the machine."),
    Default("spark.sql.adaptive.enabled", "true", "Small batches take few tasks."),
    Default(
        "spark.sql.constraintPropagation.enabled",
        "false",
        "Inferred filters save nothing here; looking for them took half of a MERGE's planning.",
    ),
    Default(
        "spark.sql.codegen.hugeMethodLimit",
        "8000",
        "Java never compiles a method of more than 8,000 bytes; staging's row would be one.",
    ),
    Default(
        "spark.sql.codegen.cache.maxEntries",
        "2000",
        "Java compiles what Spark generates for a fold once, not for each table and run.",
    ),
    Default(
        "spark.sql.icu.caseMappings.enabled",
        "false",
        "Java lowers letters, too; ICU's tables take 2 to 3 s of each process that does it once.",
    ),
    Default(
        "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold",
        "64m",
        "A MERGE's target is not sorted for a small batch.",
    ),
    Default(
        "spark.buffer.pageSize",
        "4m",
        "A broadcast table takes a page at least; Spark's choice is up to 64 MB, a dozen a fold.",
    ),
    Default(
        "spark.sql.shuffle.partitions",
        "4",
        "Right for one machine; raise it for large data.",
        "DEBEZIUM_SPARK_SHUFFLE_PARTITIONS",
    ),
)

# What a table format needs in any catalog. The jars are those of `spark_versions`.
OF_FORMAT = {
    "iceberg": (
        Default(
            EXTENSIONS_KEY,
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "MERGE and procedures of Iceberg.",
        ),
        Default("spark.sql.sources.default", "iceberg", "The format of tables that name none."),
    ),
    "delta": (
        Default(
            EXTENSIONS_KEY,
            "io.delta.sql.DeltaSparkSessionExtension",
            "MERGE and commands of Delta.",
        ),
        Default(
            EXCLUDES_KEY,
            "org.apache.hadoop:hadoop-client-api,org.apache.hadoop:hadoop-client-runtime,"
            "org.apache.parquet:parquet-hadoop,org.apache.parquet:parquet-column,"
            "org.slf4j:slf4j-api,org.apache.logging.log4j:log4j-api,"
            "org.apache.logging.log4j:log4j-core,org.apache.logging.log4j:log4j-slf4j2-impl",
            "Spark ships these itself.",
        ),
        Default(
            _SESSION_CATALOG,
            "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "Delta works in Spark's own catalog only with this class.",
        ),
        Default("spark.sql.sources.default", "delta", "The format of tables that name none."),
    ),
}

# The catalog below `<state>`, unless the profile chooses one.
EMBEDDED_CATALOG = {
    "iceberg": (
        Default("spark.sql.catalogImplementation", "in-memory", "No metastore is needed."),
        Default(DEFAULT_CATALOG_KEY, "lake", "Tables without a catalog in their name."),
        Default(
            "spark.sql.catalog.lake",
            "org.apache.iceberg.spark.SparkCatalog",
            "Iceberg's catalog in one SQLite file: nothing to install, several processes at once,"
            " readable by PyIceberg and DuckDB.",
        ),
        Default("spark.sql.catalog.lake.type", "jdbc", "SQLite is a database of JDBC."),
        Default(
            "spark.sql.catalog.lake.uri",
            "jdbc:sqlite:file:<state>/catalog.db?busy_timeout=60000",
            "A second process waits for the first one's write.",
        ),
        Default("spark.sql.catalog.lake.jdbc.schema-version", "V1", "With views."),
        Default("spark.sql.catalog.lake.warehouse", "<state>/warehouse", "Files of the tables."),
        Default(
            "spark.sql.catalog.lake.cache-enabled",
            "false",
            "An expired cache entry would hide what another process wrote.",
        ),
        Default(
            "spark.sql.warehouse.dir",
            "<state>/spark-warehouse",
            "Files of tables in Spark's own catalog, of which there are none.",
        ),
    ),
    "delta": (
        Default(
            "spark.sql.catalogImplementation",
            "hive",
            "Spark's metastore remembers tables: one process at a time.",
        ),
        Default(DEFAULT_CATALOG_KEY, "spark_catalog", "Tables without a catalog in their name."),
        Default("spark.sql.warehouse.dir", "<state>/delta", "Files of the tables."),
        Default(
            "spark.hadoop.javax.jdo.option.ConnectionURL",
            "jdbc:derby:;databaseName=<state>/metastore;create=true",
            "The metastore is a folder of Derby.",
        ),
        Default(
            "spark.hadoop.hive.hmshandler.retry.interval",
            "50ms",
            "What this metastore refuses it refuses again: ten retries, two seconds apart, made a"
            " view with a long comment take 20 seconds.",
        ),
        Default(
            "spark.databricks.delta.snapshotPartitions",
            "1",
            "A local table is small: one task reads its log.",
        ),
        Default(
            "spark.sql.sources.parallelPartitionDiscovery.parallelism",
            "8",
            "VACUUM lists files in as many tasks; Spark's own default is 10,000.",
        ),
    ),
}

# A profile that gives one of these another value than ours has a catalog of its own.
_CHOOSES_CATALOG = (
    DEFAULT_CATALOG_KEY,
    _SESSION_CATALOG,
    "spark.sql.catalogImplementation",
    "spark.sql.catalog.lake",
    "spark.sql.catalog.lake.type",
    "spark.sql.catalog.lake.catalog-impl",
    "spark.hadoop.hive.metastore.uris",
    "spark.hive.metastore.uris",
    "spark.hadoop.javax.jdo.option.ConnectionURL",
)
_LISTS = (PACKAGES_KEY, EXTENSIONS_KEY, EXCLUDES_KEY)


def with_defaults(profile: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of a profile with those that it need not name.

    A profile without `debezium_spark.format` stays as it is. On Spark Connect, the jars are the
    server's.

    Args:
        profile: `server_side_parameters`.

    Raises:
        DbtRuntimeError: the format is unknown, or has no packages for the installed PySpark.
    """
    file_format = profile.get(FORMAT_KEY)
    if file_format is None:
        return dict(profile)
    if file_format not in FORMATS:
        raise DbtRuntimeError(
            f"debezium_spark: `{FORMAT_KEY}` in profiles.yml must be {' or '.join(FORMATS)}, got:"
            f" {file_format!r}. Write one of them."
        )
    is_embedded = not _has_own_catalog(profile, file_format)
    catalog = EMBEDDED_CATALOG[file_format] if is_embedded else ()
    settings = dict(profile)
    for default in (*ALWAYS, *OF_FORMAT[file_format], *catalog):
        _add(settings, default.name, default.current())
    if not os.environ.get("SPARK_REMOTE"):
        for package in _packages(profile, file_format, is_embedded):
            _add(settings, PACKAGES_KEY, package)
    return settings


def for_a_server(profile: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of a profile for a server's session, with the defaults that one may set.

    Args:
        profile: `server_side_parameters` of a target with `debezium_spark.format` whose Spark is a
            server; it has jars and catalogs of its own.
    """
    defaults = {
        default.name: default.value for default in ALWAYS if default.name in SENT_TO_A_SERVER
    }
    return {**defaults, **{name: profile[name] for name in profile if name != FORMAT_KEY}}


def joined_list(values: str | None, *added: str) -> str:
    """Return a list of Spark's, separated by commas, with the values that it does not have yet."""
    items = [item.strip() for item in (values or "").split(",") if item.strip()]
    return ",".join(dict.fromkeys([*items, *added]))


def _add(settings: dict[str, str], name: str, value: str) -> None:
    if name in _LISTS:
        settings[name] = joined_list(settings.get(name), *value.split(","))
    else:
        settings.setdefault(name, value)


def _packages(profile: Mapping[str, str], file_format: str, is_embedded: bool) -> list[str]:
    """Return the packages of a format, without those that a profile names or has as jars."""
    runtime = "iceberg-spark-runtime-" if file_format == "iceberg" else "delta-spark_"
    named = profile.get(PACKAGES_KEY, "")
    has_runtime = f":{runtime}" in named or has_jar(profile, runtime)
    wanted = [] if has_runtime else [installed_runtime(file_format)]
    if is_embedded and file_format == "iceberg":
        has_sqlite = ":sqlite-jdbc:" in named or has_jar(profile, "sqlite-jdbc-")
        wanted += [] if has_sqlite else [SQLITE]
    return wanted


def has_jar(settings: Mapping[str, str], name: str) -> bool:
    """Return whether `spark.jars` has a file of this name; it may have patterns (`/opt/*.jar`)."""
    paths = joined_list(settings.get(JARS_KEY)).split(",")
    files = chain.from_iterable(glob(path) or [path] for path in paths)
    return any(name in Path(file).name for file in files)


def _has_own_catalog(profile: Mapping[str, str], file_format: str) -> bool:
    ours = {
        default.name: default.value
        for default in (*OF_FORMAT[file_format], *EMBEDDED_CATALOG[file_format])
    }
    return any(profile.get(name, ours.get(name)) != ours.get(name) for name in _CHOOSES_CATALOG)
