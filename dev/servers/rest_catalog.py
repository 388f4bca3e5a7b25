"""A REST catalog of Iceberg's own, over a catalog in SQLite, on a port of the loopback."""

from __future__ import annotations

import os
from pathlib import Path

from dbt_debezium_spark.spark_versions import SQLITE
from dev.servers.jars import Artifact, jars, pyspark_jars
from dev.servers.java import java, logging_to_console
from dev.servers.managed import Managed
from dev.servers.ports import answers, free_port
from dev.servers.process import Process

VERSION = "1.11.0"
"""The newest one whose tests are on Maven Central."""

START_SECONDS = 60
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

    def __init__(self, folder: Path) -> None:
        """Prepare a catalog whose tables and log stand in `folder`."""
        self._folder = folder
        self._jars = catalog_jars()
        self.address = ""

    @property
    def log(self) -> Path:
        """The server's log."""
        return self._folder / "rest-catalog.log"

    @property
    def warehouse(self) -> Path:
        """Where tables are written."""
        return self._folder / "warehouse"

    def start(self) -> None:
        """Start the server."""
        logging = logging_to_console(self._folder, "WARN")
        # Iceberg writes files through Hadoop's client, which pyspark ships
        hadoop = pyspark_jars("hadoop-client-*.jar", "commons-logging-*.jar")
        class_path = os.pathsep.join([f"{self._jars}/*", *map(str, hadoop)])

        def launch(attempt: int) -> Process:
            port = free_port()
            self.address = f"http://127.0.0.1:{port}"
            return Process(
                "Iceberg's REST catalog",
                [
                    java(), f"-Xmx{MEGABYTES}m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                    "-Djava.net.preferIPv4Stack=true", f"-Dlog4j2.configurationFile={logging}",
                    "-cp", class_path, _PROGRAM,
                    str(port), self._folder / "catalog.db", self.warehouse,
                ],
                self.log,
            )  # fmt: skip

        self._launch(launch, self._answers, "it answered", START_SECONDS)

    def _answers(self) -> bool:
        return answers(f"{self.address}/v1/config")
