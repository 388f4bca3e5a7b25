"""A Kafka broker of our own: one node, KRaft, on ports of the loopback."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path

from dev.servers.errors import ServerError
from dev.servers.jars import Artifact, jars
from dev.servers.java import command, logging_to_console
from dev.servers.managed import Managed
from dev.servers.ports import free_ports
from dev.servers.process import Process, run_to_end

VERSION = "4.3.1"
START_SECONDS = 60
MEGABYTES = 512
CLUSTER = "debezium-spark-servers"
"""Identifier of the cluster: 16 bytes in URL-safe base64."""

PARTITIONS = 3
"""Partitions of a topic that nobody configured."""


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

    def __init__(self, folder: Path, settings: Mapping[str, object] | None = None) -> None:
        """Prepare a broker whose data and log stand in `folder`; `settings` replace our own."""
        self._folder = folder
        self._settings = settings or {}
        self._jars = kafka_jars()
        self._port = 0

    @property
    def address(self) -> str:
        """What clients connect to."""
        return f"127.0.0.1:{self._port}"

    @property
    def log(self) -> Path:
        """The broker's log."""
        return self._folder / "kafka.log"

    def start(self) -> None:
        """Format the storage and start the broker."""
        logging = logging_to_console(self._folder, "WARN")

        def launch(attempt: int) -> Process:
            self._port, controller = free_ports(2)
            properties = self._folder / f"server-{attempt}.properties"
            properties.write_text(self._properties(controller, self._folder / f"data-{attempt}"))
            self._format(properties, logging)
            return Process(
                "Kafka's broker",
                command(
                    [self._jars], "kafka.Kafka", properties, megabytes=MEGABYTES, logging=logging
                ),
                self.log,
            )

        self._launch(launch, self._listens, "it listened", START_SECONDS)

    def _format(self, properties: Path, logging: Path) -> None:
        code, said = run_to_end(
            command(
                [self._jars], "kafka.tools.StorageTool", "format", "--cluster-id", CLUSTER,
                "--config", properties, megabytes=128, logging=logging,
            ),
            self._folder, START_SECONDS,
        )  # fmt: skip
        if code != 0:
            raise ServerError(
                f"servers: Kafka's storage could not be formatted: {said.strip()[-2000:]}"
            )

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
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
            "num.partitions": PARTITIONS,
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
