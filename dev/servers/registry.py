"""A schema registry of our own: Apicurio, in memory, on a port of the loopback."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dev.servers.jars import Artifact, jars
from dev.servers.java import command
from dev.servers.managed import Managed
from dev.servers.ports import answers, free_port

VERSION = "2.6.13.Final"
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

    name = "Apicurio's registry"
    log_name = "registry"
    start_seconds = 90

    def __init__(self, folder: Path) -> None:
        """Prepare a registry whose log stands in `folder`; its schemas are gone at its end."""
        super().__init__(folder)
        self._program = registry_jars() / f"apicurio-registry-app-{VERSION}-runner.jar"

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def confluent(self) -> str:
        """Address of the interface that is compatible with Confluent's registry."""
        return f"{self.address}/apis/ccompat/v7"

    @property
    def apicurio(self) -> str:
        """Address of its own interface, which Apicurio's converter uses."""
        return f"{self.address}/apis/registry/v2"

    def _command(self, attempt: int) -> Sequence[str | Path]:
        self.port = free_port()
        return command(
            "-Dquarkus.http.host=127.0.0.1", f"-Dquarkus.http.port={self.port}",
            "-jar", self._program, megabytes=MEGABYTES,
        )  # fmt: skip

    def _answers(self) -> bool:
        return answers(f"{self.confluent}/subjects")
