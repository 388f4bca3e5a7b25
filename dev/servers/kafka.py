"""A Kafka broker of our own: one node, KRaft, on ports of the loopback."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from dev.servers.jars import Artifact, jars
from dev.servers.java import command, logging_to_console
from dev.servers.managed import Managed
from dev.servers.ports import free_ports

VERSION = "4.3.1"
MEGABYTES = 512
CLUSTER = "debezium-spark-servers"
"""Identifier of the cluster: 16 bytes in URL-safe base64."""


def kafka_jars() -> Path:
    """Return the folder with the jars of broker, clients and Connect."""
    return jars(
        "kafka",
        [
            Artifact("org.apache.kafka", "kafka_2.13", VERSION),
            Artifact("org.apache.kafka", "connect-runtime", VERSION),
            Artifact("org.apache.kafka", "connect-json", VERSION),
            # Log4j 2, of the release that connect-runtime brings the core of
            Artifact("org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.4"),
        ],
    )


class Broker(Managed):
    """A running broker, as a context manager; `folder` must exist and is ours to fill."""

    name = "Kafka's broker"
    log_name = "kafka"

    def __init__(self, folder: Path, settings: Mapping[str, object] | None = None) -> None:
        """Prepare a broker whose data and log stand in `folder`; `settings` replace our own."""
        super().__init__(folder)
        self._settings = settings or {}
        self._jars = kafka_jars()

    @property
    def address(self) -> str:
        """What clients connect to."""
        return f"127.0.0.1:{self.port}"

    def _command(self, attempt: int) -> Sequence[str | Path]:
        """Format the storage; the broker has it for itself."""
        self.port, controller = free_ports(2)
        properties = self.folder / f"server-{attempt}.properties"
        properties.write_text(self._properties(controller, self.folder / f"data-{attempt}"))
        format_storage = ("format", "--cluster-id", CLUSTER, "--config", properties)
        self._run("Kafka's StorageTool", self._java("kafka.tools.StorageTool", *format_storage))
        return self._java("kafka.Kafka", properties)

    def _java(self, *arguments: str | Path) -> Sequence[str | Path]:
        logging = logging_to_console(self.folder, "WARN")
        return command("-cp", f"{self._jars}/*", *arguments, megabytes=MEGABYTES, logging=logging)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def _properties(self, controller: int, data: Path) -> str:
        settings = {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": f"PLAINTEXT://{self.address},CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": f"PLAINTEXT://{self.address}",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": data,
            "num.partitions": 3,
            # The tests' records have fixed times, which are past any retention some day.
            "log.retention.ms": -1,
            # One node holds everything once.
            "offsets.topic.replication.factor": 1,
            "offsets.topic.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.min.isr": 1,
            "transaction.state.log.num.partitions": 1,
            "share.coordinator.state.topic.replication.factor": 1,
            "share.coordinator.state.topic.min.isr": 1,
            # A worker that was killed is given up early, and nobody waits for more members.
            "group.initial.rebalance.delay.ms": 0,
            "group.min.session.timeout.ms": 1000,
            "log.cleaner.dedupe.buffer.size": 4_194_304,
            **self._settings,
        }
        return "".join(f"{name}={value}\n" for name, value in settings.items())
