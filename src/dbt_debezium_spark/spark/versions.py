"""The versions of Spark that are supported, and the packages that each of them loads.

This is the only place that names the packages of the table formats, of SQLite, Kafka and Avro.
docs/support.md shows the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata

from dbt_common.exceptions import DbtRuntimeError

FORMATS = ("iceberg", "delta")
SQLITE = "org.xerial:sqlite-jdbc:3.53.4.0"

# The line of Spark in the name of a table format's package, whoever names it.
_RUNTIME = re.compile(
    r"(?:org\.apache\.iceberg:iceberg-spark-runtime-|io\.delta:delta-spark_)(\d+\.\d+)_"
)


@dataclass(frozen=True)
class Packages:
    """Packages for one line of Spark, the newest that were published and tested.

    Attributes:
        iceberg: runtime of Iceberg, None if there is none for the line.
        delta: runtime of Delta, None if there is none for the line.
        kafka: Spark's Kafka source.
        token_provider: needed by the Kafka source: see `kafka_jars`.
        avro: Spark's functions for Avro.
    """

    iceberg: str | None
    delta: str | None
    kafka: str
    token_provider: str
    avro: str

    def runtime(self, file_format: str) -> str | None:
        """Return the package of a table format."""
        return self.iceberg if file_format == "iceberg" else self.delta


LINES = {
    "4.0": Packages(
        iceberg="org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0",
        delta="io.delta:delta-spark_4.0_2.13:4.4.0",
        kafka="org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.4",
        token_provider="org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.0.0",
        avro="org.apache.spark:spark-avro_2.13:4.0.2",
    ),
    "4.1": Packages(
        iceberg="org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
        delta="io.delta:delta-spark_4.1_2.13:4.4.0",
        kafka="org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.3",
        token_provider="org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.1.1",
        avro="org.apache.spark:spark-avro_2.13:4.1.1",
    ),
    "4.2": Packages(
        iceberg=None,
        delta="io.delta:delta-spark_4.2_2.13:4.4.0",
        kafka="org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
        token_provider="org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.2.0",
        avro="org.apache.spark:spark-avro_2.13:4.2.0",
    ),
}


def line_of(version: str) -> str:
    """Return the line of a version of Spark: `4.1` for `4.1.4`."""
    return ".".join(version.split(".")[:2])


def installed_version() -> str:
    """Return the version of the installed PySpark."""
    try:
        return metadata.version("pyspark")
    except metadata.PackageNotFoundError:
        # from SPARK_HOME, on the PYTHONPATH
        import pyspark

        return str(pyspark.__version__)


def installed_packages() -> Packages:
    """Return the packages for the installed PySpark.

    Raises:
        DbtRuntimeError: the version is not supported.
    """
    packages = LINES.get(line_of(installed_version()))
    if packages is None:
        raise DbtRuntimeError(_unsupported(FORMATS))
    return packages


def available_format() -> str:
    """Return the first table format that has a package for the installed PySpark.

    Raises:
        DbtRuntimeError: the version is not supported.
    """
    packages = installed_packages()
    return next(name for name in FORMATS if packages.runtime(name))


def installed_runtime(file_format: str) -> str:
    """Return the package of a table format for the installed PySpark.

    Raises:
        DbtRuntimeError: the pair is not supported.
    """
    packages = LINES.get(line_of(installed_version()))
    runtime = packages.runtime(file_format) if packages else None
    if runtime is None:
        raise DbtRuntimeError(_unsupported([file_format]))
    return runtime


def check_runtimes(packages: Iterable[str]) -> None:
    """Check that packages of table formats are for the installed PySpark.

    Raises:
        DbtRuntimeError: one is for another line.
    """
    version = installed_version()
    for package in packages:
        found = _RUNTIME.match(package)
        if found and found[1] != line_of(version):
            raise DbtRuntimeError(
                f"debezium_spark: PySpark {version} is installed, but `spark.jars.packages` of the"
                f" profile names {package}, which is for Spark {found[1]}: set"
                " `debezium_spark.format` in place of the package, or run"
                f" `pip install 'pyspark=={found[1]}.*'`."
            )


def _unsupported(formats: Iterable[str]) -> str:
    supported = {
        file_format: [line for line, packages in LINES.items() if packages.runtime(file_format)]
        for file_format in formats
    }
    pairs = "; ".join(f"{name} on Spark {', '.join(lines)}" for name, lines in supported.items())
    newest = max((lines[-1] for lines in supported.values()), key=_numbers)
    return (
        f"debezium_spark: PySpark {installed_version()} is installed, supported are {pairs}:"
        f" run `pip install 'pyspark=={newest}.*'`."
    )


def _numbers(line: str) -> tuple[int, ...]:
    return tuple(int(part) for part in line.split("."))
