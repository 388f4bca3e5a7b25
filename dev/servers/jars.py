"""Jars of Maven Central through the Ivy that pyspark ships, in the cache that Spark uses.

What was resolved once stands in a folder of its own below that cache: the next call finds it there
without Java and without a network. An Ivy settings file for a mirror is taken from
`DEBEZIUM_SPARK_IVY_SETTINGS`; Spark has its own option for that, `spark.jars.ivySettings`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from dbt_debezium_spark.spark.jar_cache import DEFAULT_CACHE, resolving
from dev.servers import ServerError
from dev.servers.java import java
from dev.servers.run_to_end import run_to_end

RESOLVE_SECONDS = 900


@dataclass(frozen=True)
class Artifact:
    """One artifact: `org.apache.kafka`, `connect-json`, `4.3.1`."""

    organisation: str
    name: str
    revision: str
    extension: str = "jar"
    classifier: str = ""

    @property
    def is_archive(self) -> bool:
        """Whether it brings what it needs inside."""
        return self.extension != "jar"


def jars(name: str, artifacts: Sequence[Artifact]) -> Path:
    """Return a folder that holds the artifacts and, of jars, what they need at run time.

    Args:
        name: of the folder.
        artifacts: archives (`tar.gz`) are unpacked, each into its own top folder.

    Raises:
        ServerError: Ivy is missing, or could not resolve them.
    """
    home = Path(os.environ.get("DEBEZIUM_SPARK_IVY", DEFAULT_CACHE)).expanduser().absolute()
    resolved = home / "servers" / f"{name}-{_fingerprint(artifacts)}"
    if resolved.is_dir():
        return resolved
    resolved.parent.mkdir(parents=True, exist_ok=True)
    with resolving(home, lambda text: print(text, file=sys.stderr)):
        if not resolved.is_dir():
            with tempfile.TemporaryDirectory(dir=resolved.parent) as scratch:
                _retrieve(home / "cache", Path(scratch), artifacts)
                # Only a complete folder gets the name.
                (Path(scratch) / "jars").rename(resolved)
    return resolved


def _fingerprint(artifacts: Sequence[Artifact]) -> str:
    return hashlib.sha256(repr(list(artifacts)).encode()).hexdigest()[:12]


def pyspark_jars(*patterns: str) -> list[Path]:
    """Return the jars that pyspark ships under such names.

    Raises:
        ServerError: pyspark is missing, or ships none.
    """
    spec = importlib.util.find_spec("pyspark")
    folders = spec.submodule_search_locations if spec else None
    found = [
        jar
        for folder in folders or ()
        for pattern in patterns
        for jar in Path(folder, "jars").glob(pattern)
    ]
    if not found:
        raise ServerError(
            f"servers: the jars {', '.join(patterns)} of pyspark were not found. Install the "
            "environment (`make test` or `pip install pyspark`)."
        )
    return found


def find_ivy() -> Path:
    """Return the Ivy jar that pyspark ships."""
    return pyspark_jars("ivy-*.jar")[0]


def _retrieve(cache: Path, scratch: Path, artifacts: Sequence[Artifact]) -> None:
    description = scratch / "ivy.xml"
    description.write_text(_description(artifacts), encoding="utf-8")
    settings = os.environ.get("DEBEZIUM_SPARK_IVY_SETTINGS")
    code, said = run_to_end(
        [
            java(), "-jar", find_ivy(), *(("-settings", settings) if settings else ()),
            "-cache", cache, "-ivy", description, "-types", "jar", "bundle", "archive",
            "-retrieve", f"{scratch}/jars/[artifact]-[revision](-[classifier]).[ext]",
        ],
        scratch, RESOLVE_SECONDS,
    )  # fmt: skip
    if code != 0:
        wanted = ", ".join(f"{a.organisation}:{a.name}:{a.revision}" for a in artifacts)
        lines = [
            line.strip()
            for line in said.splitlines()
            if any(word in line for word in ("not found", "FAILED", "ERROR", "Exception"))
        ]
        raise ServerError(
            f"servers: {wanted} could not be fetched. Check that this machine reaches Maven "
            "Central, or name the Ivy settings of your mirror in DEBEZIUM_SPARK_IVY_SETTINGS. "
            "Ivy said:\n" + "\n".join(lines[-10:])
        )
    for archive in (scratch / "jars").glob("*.tar.gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(scratch / "jars", filter="data")
        archive.unlink()


def _description(artifacts: Sequence[Artifact]) -> str:
    dependencies = []
    for artifact in artifacts:
        name = f"name={quoteattr(artifact.name)}"
        classifier = (
            f" m:classifier={quoteattr(artifact.classifier)}" if artifact.classifier else ""
        )
        conf, files = 'conf="default->default"', ""
        if artifact.is_archive:
            conf = 'conf="default->master" transitive="false"'
            ending = f"ext={quoteattr(artifact.extension)}"
            files = f'<artifact {name} type="archive" {ending}{classifier}/>'
        elif classifier:
            # Ivy fetches only what is named once something is, so the module's jar is named, too.
            # Its cache knows types and no classifiers, so the types differ.
            named = f'<artifact {name} ext="jar"'
            files = f'{named} type="jar"/>{named} type="archive"{classifier}/>'
        module = f"org={quoteattr(artifact.organisation)} {name} rev={quoteattr(artifact.revision)}"
        dependencies.append(f"<dependency {module} {conf}>{files}</dependency>")
    return (
        '<ivy-module version="2.0" xmlns:m="http://ant.apache.org/ivy/maven">'
        '<info organisation="debezium_spark" module="servers" revision="1"/>'
        '<configurations><conf name="default"/></configurations>'
        f"<dependencies>{''.join(dependencies)}</dependencies></ivy-module>"
    )
