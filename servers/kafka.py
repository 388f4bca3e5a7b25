"""A Kafka broker of our own: one node, KRaft, on ports of the loopback."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from types import TracebackType

from servers.errors import ServerError
from servers.jars import Artifact, jars
from servers.java import command, logging_to_console
from servers.ports import free_ports
from servers.process import Process

VERSION = "4.3.1"
START_SECONDS = 60
PORTS_TRIED = 3
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


class Broker:
    """A running broker, as a context manager; `folder` must exist and is ours to fill."""

    def __init__(self, folder: Path) -> None:
        """Prepare a broker whose data and log stand in `folder`."""
        self._folder = folder
        self._jars = kafka_jars()
        self._process: Process | None = None
        self._port = 0

    @property
    def address(self) -> str:
        """What clients connect to."""
        return f"127.0.0.1:{self._port}"

    @property
    def log(self) -> Path:
        """The broker's log."""
        return self._folder / "kafka.log"

    def __enter__(self) -> Broker:
        """Format the storage and start the broker."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the broker, whatever happened."""
        self.stop()

    def stop(self) -> None:
        """Stop the broker."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def _start(self) -> None:
        logging = logging_to_console(self._folder, "WARN")
        # Another process can take a port between the probe and the start: try a few.
        for attempt in range(PORTS_TRIED):
            self._port, controller = free_ports(2)
            properties = self._folder / f"server-{attempt}.properties"
            properties.write_text(self._properties(controller, self._folder / f"data-{attempt}"))
            self._format(properties, logging)
            self._process = Process(
                "Kafka's broker",
                command(
                    [self._jars], "kafka.Kafka", properties, megabytes=MEGABYTES, logging=logging
                ),
                self.log,
            )
            try:
                self._process.wait_until(self._listens, "it listened", START_SECONDS)
            except ServerError:
                if self._process.alive or attempt + 1 == PORTS_TRIED:
                    raise
            else:
                return

    def _format(self, properties: Path, logging: Path) -> None:
        done = subprocess.run(
            command(
                [self._jars], "kafka.tools.StorageTool", "format", "--cluster-id", CLUSTER,
                "--config", properties, megabytes=128, logging=logging,
            ),
            capture_output=True, text=True, timeout=START_SECONDS, cwd=self._folder,
        )  # fmt: skip
        if done.returncode != 0:
            said = (done.stdout + done.stderr).strip()[-2000:]
            raise ServerError(f"servers: Kafka's storage could not be formatted: {said}")

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
        }
        return "".join(f"{name}={value}\n" for name, value in settings.items())
