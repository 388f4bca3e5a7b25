"""Check that Spark loads the jars that were tested: `jars.sha256` contains their checksums.

Spark downloads and loads packages in one step. So a separate Java process first downloads the
missing ones, with Spark's own resolver and its configuration. Packages that a user adds are not in
the list; for them Ivy compares the checksums of the repository.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.jar_cache import cache_folder, resolved_jar

SUMS = Path(__file__).with_name("jars.sha256")
FETCH_SECONDS = 900
# Options of a profile for Spark's resolver, without the prefix `spark.jars.`.
_RESOLVER_OPTIONS = ("packages", "excludes", "ivy", "ivySettings", "repositories")


@cache
def known_sums() -> Mapping[str, Mapping[str, str]]:
    """Return for each package in the list the checksums of its jars, by name in Spark's folder."""
    packages: dict[str, dict[str, str]] = {}
    jars: dict[str, str] = {}
    for line in SUMS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            # Lines above the first package are a comment.
            jars = (
                packages.setdefault(line.removeprefix("# "), {}) if line.count(":") == 2 else jars
            )
        elif line:
            digest, name = line.split()
            jars[name] = digest
    return packages


def packages_of(settings: Mapping[str, str]) -> list[str]:
    """Return the packages that a profile's settings name."""
    names = settings.get("spark.jars.packages", "").split(",")
    return [name.strip() for name in names if name.strip()]


def fetch_and_check(settings: Mapping[str, str]) -> None:
    """Download missing packages of the list, and compare the checksums of all their jars.

    The caller needs the lock of `jar_cache.resolving`.

    Args:
        settings: settings with which Spark will start.

    Raises:
        DbtRuntimeError: a checksum differs from the list.
    """
    folder = cache_folder(settings)
    packages = [one for one in packages_of(settings) if one in known_sums()]
    if any(not resolved_jar(folder, *package.split(":")).is_file() for package in packages):
        _fetch(settings)
    check(folder, packages)


def check(folder: Path, packages: Iterable[str]) -> None:
    """Compare the jars of packages in the list, everywhere in Spark's folder.

    Raises:
        DbtRuntimeError: a checksum differs from the list.
    """
    for package in packages:
        for name, expected in known_sums()[package].items():
            group, _, module = name.partition("_")
            copies = [folder / "jars" / name, *(folder / "cache" / group).glob(f"*/*/{module}")]
            for jar in copies:
                if jar.is_file() and (actual := _sum(jar)) != expected:
                    raise DbtRuntimeError(
                        f"debezium_spark: {jar} is not the jar that {package} was tested with: its"
                        f" SHA-256 sum is {actual}, not {expected}. Nothing of it was loaded. Find"
                        " out who put it there and delete it. The next start downloads it again."
                    )


def java() -> str:
    """Return the Java program that Spark will run."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else shutil.which("java") or "java"


def spark_jars() -> Path:
    """Return the folder of Spark's own jars."""
    import pyspark

    return Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent) / "jars"


def _sum(jar: Path) -> str:
    with jar.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch(settings: Mapping[str, str]) -> None:
    """Download packages with Spark's resolver, in a process that runs none of their code.

    Spark itself reports failures when it starts.
    """
    command = [java(), "-cp", str(spark_jars() / "*"), "org.apache.spark.deploy.SparkSubmit"]
    command += ["--master", "local"]
    for name in _RESOLVER_OPTIONS:
        if settings.get(f"spark.jars.{name}"):
            command += ["--conf", f"spark.jars.{name}={settings[f'spark.jars.{name}']}"]
    # A program in Spark's distribution that prints its version and ends.
    command += ["--class", "org.apache.ivy.Main", "spark-internal", "-version"]
    subprocess.run(command, capture_output=True, timeout=FETCH_SECONDS, check=False)
