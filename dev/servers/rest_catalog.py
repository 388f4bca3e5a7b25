"""A REST catalog of Iceberg's own, over a catalog in SQLite, on a port of the loopback."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dbt_debezium_spark.spark.versions import SQLITE
from dev.servers.jars import Artifact, jars, pyspark_jars
from dev.servers.java import command, logging_to_console
from dev.servers.managed import Managed
from dev.servers.ports import answers, free_port

VERSION = "1.11.0"
"""The newest one whose tests are on Maven Central."""

MEGABYTES = 256
_PROGRAM = Path(__file__).with_name("RestCatalog.java")


def catalog_jars() -> Path:
    """Return the folder with the jars of the server."""
    return jars(
        "rest-catalog",
        [
            Artifact("org.apache.iceberg", "iceberg-core", VERSION, "jar", "tests"),
            Artifact(*SQLITE.split(":")),
            Artifact("org.eclipse.jetty", "jetty-servlet", "11.0.26"),
            Artifact("org.apache.logging.log4j", "log4j-slf4j2-impl", "2.25.4"),
        ],
    )


class RestCatalog(Managed):
    """A running catalog, as a context manager; `folder` must exist and is ours to fill."""

    name = "Iceberg's REST catalog"
    log_name = "rest-catalog"

    def __init__(self, folder: Path) -> None:
        """Prepare a catalog whose tables and log stand in `folder`."""
        super().__init__(folder)
        self._jars = catalog_jars()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def _command(self, attempt: int) -> Sequence[str | Path]:
        self.port = free_port()
        # Iceberg writes files through Hadoop's client, which pyspark ships
        hadoop = pyspark_jars("hadoop-client-*.jar", "commons-logging-*.jar")
        return command(
            "-cp", os.pathsep.join([f"{self._jars}/*", *map(str, hadoop)]),
            _PROGRAM, str(self.port), self.folder / "catalog.db", self.folder / "warehouse",
            megabytes=MEGABYTES, logging=logging_to_console(self.folder, "WARN"),
        )  # fmt: skip

    def _answers(self) -> bool:
        return answers(f"{self.address}/v1/config")
