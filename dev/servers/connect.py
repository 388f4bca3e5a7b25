"""A Kafka Connect worker of our own, in distributed mode, and its REST interface."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dev.servers import ServerError
from dev.servers.java import command, logging_to_console
from dev.servers.kafka import kafka_jars
from dev.servers.managed import Managed
from dev.servers.ports import free_port

STATE_SECONDS = 90
REQUEST_SECONDS = 30
MEGABYTES = 768
OFFSETS_TOPIC = "connect-offsets"
POLL_SECONDS = 0.1


class Worker(Managed):
    """A running worker, as a context manager; `folder` must exist and is ours to fill.

    It can be killed and started again: its connectors and their offsets stand in the broker.
    """

    name = "Kafka Connect"
    log_name = "connect"
    start_seconds = 90

    def __init__(
        self, folder: Path, broker: str, plugins: Path, flush_seconds: float, schemas: bool = True
    ) -> None:
        """Prepare a worker.

        Args:
            folder: for configuration and log.
            broker: address of the Kafka broker.
            plugins: folder with one folder of jars for each connector plugin.
            flush_seconds: time between two commits of source offsets: what was delivered since
                the last one is delivered again after a crash.
            schemas: whether keys and values carry their schema.
        """
        super().__init__(folder)
        self._broker = broker
        self._plugins = plugins
        self._flush_seconds = flush_seconds
        self._schemas = schemas
        self._jars = kafka_jars()

    @property
    def address(self) -> str:
        """Of the REST interface."""
        return f"http://127.0.0.1:{self.port}"

    def _command(self, attempt: int) -> Sequence[str | Path]:
        # After a crash at its old address, where somebody may be watching.
        self.port = self.port if self.port and attempt == 0 else free_port()
        properties = self.folder / "worker.properties"
        properties.write_text(self._properties())
        return command(
            "-cp", f"{self._jars}/*", "org.apache.kafka.connect.cli.ConnectDistributed", properties,
            megabytes=MEGABYTES, logging=logging_to_console(self.folder),
        )  # fmt: skip

    def register(self, name: str, configuration: Mapping[str, str]) -> None:
        """Create a connector, or change its configuration.

        Raises:
            ServerError: Connect refuses it; the message says why.
        """
        # What it says about a configuration may repeat it, with its password.
        self._request("PUT", f"/connectors/{name}/config", dict(configuration))

    def restart(self, name: str) -> None:
        """Stop a connector and its tasks in order and start them again."""
        self._request("POST", f"/connectors/{name}/restart?includeTasks=true")

    def wait_running(self, name: str) -> None:
        """Wait until a connector and its task run.

        Raises:
            ServerError: it failed, or the time is over.
        """

        def runs() -> bool:
            states = self.states(name)
            return len(states) > 1 and set(states) == {"RUNNING"}

        self.wait_until(runs, f"connector `{name}` ran", STATE_SECONDS)

    def states(self, name: str) -> list[str]:
        """Return the state of a connector and those of its tasks.

        Raises:
            ServerError: one of them failed.
        """
        status = self._request("GET", f"/connectors/{name}/status", absent={})
        parts = [status["connector"], *status["tasks"]] if status else []
        for part in parts:
            if part["state"] == "FAILED":
                raise ServerError(
                    f"servers: connector `{name}` failed. It said:\n{part.get('trace', '')[:3000]}"
                )
        return [part["state"] for part in parts]

    def _answers(self) -> bool:
        try:
            self._once("GET", "/connectors", None)
        except OSError:
            return False
        return True

    def _request(self, method: str, path: str, body: Any = None, absent: Any | None = None) -> Any:
        """Ask Connect, again while it is busy with a rebalance."""
        deadline = time.monotonic() + STATE_SECONDS
        while True:
            try:
                return self._once(method, path, body)
            except urllib.error.HTTPError as error:
                if error.code == 404 and absent is not None:
                    return absent
                if error.code != 409 or time.monotonic() > deadline:
                    said = error.read().decode(errors="replace")[:2000]
                    raise ServerError(
                        f"servers: Kafka Connect answered {error.code} to {method} {path}: {said}"
                    ) from error
            except OSError as error:
                self.check()
                if time.monotonic() > deadline:
                    raise ServerError(
                        f"servers: Kafka Connect does not answer to {method} {path}: {error}"
                    ) from error
            time.sleep(POLL_SECONDS)

    def _once(self, method: str, path: str, body: Any) -> Any:
        request = urllib.request.Request(
            self.address + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=REQUEST_SECONDS) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def _properties(self) -> str:
        converter = "org.apache.kafka.connect.json.JsonConverter"
        settings: dict[str, Any] = {
            "bootstrap.servers": self._broker,
            "group.id": "connect",
            "listeners": self.address,
            "rest.advertised.host.name": "127.0.0.1",
            "plugin.path": self._plugins,
            "plugin.discovery": "service_load",
            "offset.flush.interval.ms": int(self._flush_seconds * 1000),
            # A worker that was killed is given up early, and its successor starts at once.
            "session.timeout.ms": 6000,
            "heartbeat.interval.ms": 1000,
            "scheduled.rebalance.max.delay.ms": 0,
            "config.storage.topic": "connect-configs",
            "offset.storage.topic": OFFSETS_TOPIC,
            "offset.storage.partitions": 1,
            "status.storage.topic": "connect-status",
            "status.storage.partitions": 1,
        }
        for part in ("config", "offset", "status"):
            settings[f"{part}.storage.replication.factor"] = 1
        for side in ("key", "value"):
            settings[f"{side}.converter"] = converter
            settings[f"{side}.converter.schemas.enable"] = str(self._schemas).lower()
            # A NULL in a column with a default stays one.
            settings[f"{side}.converter.replace.null.with.default"] = "false"
        return "".join(f"{name}={value}\n" for name, value in settings.items())
