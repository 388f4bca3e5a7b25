"""The jars that Spark loads are those that were tested: `jars.sha256` holds their sums.

Spark fetches and loads packages in one go. So what is not yet in its folder is fetched before, by a
Java process that ends with it, through Spark's own resolver and whatever it is configured with.
Packages that a user adds are not in the list; for them Ivy compares the repository's own sums.
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
# What Spark's resolver is told by a profile.
_OF_RESOLVER = ("packages", "excludes", "ivy", "ivySettings", "repositories")


@cache
def known_sums() -> Mapping[str, Mapping[str, str]]:
    """Return, for each package of the list, the sums of its jars by name in Spark's folder."""
    found: dict[str, dict[str, str]] = {}
    jars: dict[str, str] = {}
    for line in SUMS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            # What stands above the first package is a comment.
            jars = found.setdefault(line.removeprefix("# "), {}) if line.count(":") == 2 else jars
        elif line:
            digest, name = line.split()
            jars[name] = digest
    return found


def packages_of(settings: Mapping[str, str]) -> list[str]:
    """Return the packages that a profile's settings name."""
    listed = settings.get("spark.jars.packages", "").split(",")
    return [one.strip() for one in listed if one.strip()]


def fetch_and_check(settings: Mapping[str, str]) -> None:
    """Fetch what is missing of the listed packages, and compare the sums of all that is there.

    To be called in a block of `jar_cache.resolving`.

    Args:
        settings: those with which Spark will start.

    Raises:
        DbtRuntimeError: a jar is another one than that in the list.
    """
    folder = cache_folder(settings)
    packages = [one for one in packages_of(settings) if one in known_sums()]
    if any(not resolved_jar(folder, *one.split(":")).is_file() for one in packages):
        _fetch(settings)
    check(folder, packages)


def check(folder: Path, packages: Iterable[str]) -> None:
    """Compare the jars of listed packages, wherever they lie in Spark's folder.

    Raises:
        DbtRuntimeError: one is another.
    """
    for package in packages:
        for name, expected in known_sums()[package].items():
            group, _, module = name.partition("_")
            copies = [folder / "jars" / name, *(folder / "cache" / group).glob(f"*/*/{module}")]
            for jar in copies:
                if jar.is_file() and (found := _sum(jar)) != expected:
                    raise DbtRuntimeError(
                        f"debezium_spark: {jar} is not the jar that {package} was tested with: its"
                        f" SHA-256 sum is {found}, not {expected}. Nothing of it was loaded. Find"
                        " out who put it there; delete it, and the next start fetches it anew."
                    )


def java() -> str:
    """Return the Java that Spark will take."""
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
    """Let Spark's resolver fetch packages in a process that runs nothing of them.

    What cannot be fetched is told when Spark itself starts.
    """
    command = [java(), "-cp", str(spark_jars() / "*"), "org.apache.spark.deploy.SparkSubmit"]
    command += ["--master", "local"]
    for name in _OF_RESOLVER:
        if settings.get(f"spark.jars.{name}"):
            command += ["--conf", f"spark.jars.{name}={settings[f'spark.jars.{name}']}"]
    # A program of Spark's own distribution that says its version and ends.
    command += ["--class", "org.apache.ivy.Main", "spark-internal", "-version"]
    subprocess.run(command, capture_output=True, timeout=FETCH_SECONDS, check=False)
