"""Spark's Kafka source, for the Spark that this process starts.

Its package may name a version of `spark-token-provider-kafka-0-10` that Maven Central does not
have. Spark's resolver can neither replace nor skip one version of a module. So the module is
excluded, and its newest published version is downloaded separately, with the resolver that Spark
contains.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.spark.defaults import (
    EXCLUDES_KEY,
    JARS_KEY,
    PACKAGES_KEY,
    has_jar,
    joined_list,
)
from dbt_debezium_spark.spark.jar_cache import cache_folder, resolved_jar
from dbt_debezium_spark.spark.versions import installed_packages

KAFKA_KEY = "debezium_spark.kafka"
FETCH_SECONDS = 300


def with_kafka(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings with which Spark loads its Kafka source; `spark.jars` may have it.

    The caller needs the lock of `jar_cache.resolving`, because this may download a jar.

    Args:
        settings: result of `settings.resolve_settings`.

    Raises:
        DbtRuntimeError: the jar cannot be downloaded, or the installed PySpark is not supported.
    """
    if has_jar(settings, "spark-sql-kafka-0-10_"):
        return dict(settings)
    packages = installed_packages()
    cache = cache_folder(settings)
    jar = _fetch(cache, packages.token_provider)
    module = packages.token_provider.rpartition(":")[0]
    return {
        **settings,
        PACKAGES_KEY: joined_list(settings.get(PACKAGES_KEY), packages.kafka),
        EXCLUDES_KEY: joined_list(settings.get(EXCLUDES_KEY), module),
        JARS_KEY: joined_list(settings.get(JARS_KEY), str(jar)),
    }


def _fetch(cache: Path, package: str) -> Path:
    """Return the token provider's jar; download it if it is not in the resolver's folder."""
    group, module, version = package.split(":")
    jar = resolved_jar(cache, group, module, version)
    if jar.is_file():
        return jar
    command = [_java(), "-cp", str(_spark_jars() / "*"), "org.apache.ivy.Main"]
    command += ["-cache", str(cache / "cache")]
    command += ["-dependency", group, module, version, "-notransitive", "-types", "jar"]
    command += ["-confs", "default"]
    command += ["-retrieve", str(cache / "jars" / "[organization]_[artifact]-[revision].[ext]")]
    process = subprocess.run(
        command, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False
    )
    if process.returncode or not jar.is_file():
        raise DbtRuntimeError(
            f"debezium_spark: {package}, which Spark's Kafka source needs, could"
            f" not be downloaded:\n{(process.stdout + process.stderr)[-2000:]}\n"
            "The first start needs Java on the PATH and access to Maven Central."
        )
    return jar


def _java() -> str:
    """Return the Java program that Spark will run."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else shutil.which("java") or "java"


def _spark_jars() -> Path:
    """Return the folder of Spark's own jars."""
    import pyspark

    return Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent) / "jars"
