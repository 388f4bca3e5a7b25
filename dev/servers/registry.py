"""A schema registry of our own: Apicurio, in memory, on a port of the loopback."""

from __future__ import annotations

from pathlib import Path

from dev.servers.jars import Artifact, jars
from dev.servers.java import java
from dev.servers.managed import Managed
from dev.servers.ports import answers, free_port
from dev.servers.process import Process

VERSION = "2.6.13.Final"
START_SECONDS = 90
MEGABYTES = 384


def registry_jars() -> Path:
    """Return the folder with the registry's program."""
    program = Artifact("io.apicurio", "apicurio-registry-app", VERSION, "tar.gz", "all")
    return jars("registry", [program])


def converter_jars() -> Path:
    """Return the folder with Apicurio's Avro converter for Kafka Connect."""
    return jars(
        "avro-converter", [Artifact("io.apicurio", "apicurio-registry-utils-converter", VERSION)]
    )


class Registry(Managed):
    """A running registry, as a context manager; `folder` must exist and is ours to fill."""

    def __init__(self, folder: Path) -> None:
        """Prepare a registry whose log stands in `folder`; its schemas are gone at its end."""
        self._log = folder / "registry.log"
        self._program = registry_jars() / f"apicurio-registry-app-{VERSION}-runner.jar"
        self.address = ""

    @property
    def confluent(self) -> str:
        """Address of the interface that is compatible with Confluent's registry."""
        return f"{self.address}/apis/ccompat/v7"

    @property
    def apicurio(self) -> str:
        """Address of its own interface, which Apicurio's converter uses."""
        return f"{self.address}/apis/registry/v2"

    def start(self) -> None:
        """Start the registry."""

        def launch(attempt: int) -> Process:
            port = free_port()
            self.address = f"http://127.0.0.1:{port}"
            return Process(
                "Apicurio's registry",
                [
                    java(), f"-Xmx{MEGABYTES}m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                    "-Dquarkus.http.host=127.0.0.1", f"-Dquarkus.http.port={port}",
                    "-jar", self._program,
                ],
                self._log,
            )  # fmt: skip

        self._launch(launch, self._answers, "it answered", START_SECONDS)

    def _answers(self) -> bool:
        return answers(f"{self.confluent}/subjects")
