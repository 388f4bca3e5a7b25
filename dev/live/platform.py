"""Everything that stands between the databases and Spark, started together, ended together."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from dev.live import plugins
from dev.servers import mariadb, postgres
from dev.servers.connect import Worker
from dev.servers.kafka import Broker, kafka_jars
from dev.servers.packages import require_packages
from dev.servers.tail import Tail

FLUSH_SECONDS = 6.0
"""Between two commits of source offsets: long enough that a burst fits in, as in the default 60."""


def require_everything() -> Path:
    """Check that all programs, packages and jars are here, before anything starts.

    Returns:
        The folder of the connectors' plugins.

    Raises:
        ServerError: something is missing; the message says how to get it.
    """
    require_packages(("pymysql", "pg8000", "confluent_kafka"), "live")
    postgres.find_binaries()
    mariadb.find_binaries()
    kafka_jars()
    return plugins.folder()


class Platform:
    """Both databases, broker, Connect worker and a consumer, as a context manager."""

    def __init__(self, keep_logs: Path | None = None) -> None:
        """Prepare the platform.

        Args:
            keep_logs: folder that gets the servers' logs when something fails.
        """
        self._keep_logs = keep_logs
        self._stack = ExitStack()
        self.postgres: postgres.Server
        self.mariadb: mariadb.Server
        self.broker: Broker
        self.worker: Worker
        self.tail: Tail

    def __enter__(self) -> Platform:
        """Start everything.

        Raises:
            ServerError: something is missing or does not start; the message says what to do.
        """
        try:
            return self._start()
        except BaseException:
            self._end(failed=True)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End everything, in the reverse order."""
        self._end(failed=kind is not None)

    def _start(self) -> Platform:
        connectors = require_everything()
        self._folder = Path(tempfile.mkdtemp(prefix="live-"))
        # The databases run as other users, who must be able to reach their folders.
        self._folder.chmod(0o711)
        enter = self._stack.enter_context
        self.postgres = enter(postgres.Server(self._made("postgres")))
        self.mariadb = enter(mariadb.Server(self._made("mariadb")))
        self.broker = enter(Broker(self._made("kafka")))
        self.tail = enter(Tail(self._made("tail"), self.broker.address))
        self.worker = enter(
            Worker(self._made("connect"), self.broker.address, connectors, FLUSH_SECONDS)
        )
        return self

    def _made(self, name: str) -> Path:
        path = self._folder / name
        path.mkdir()
        return path

    def _end(self, failed: bool) -> None:
        try:
            self._stack.close()
        finally:
            folder = getattr(self, "_folder", None)
            if folder is not None:
                if failed and self._keep_logs is not None:
                    self._keep_logs.mkdir(parents=True, exist_ok=True)
                    for log in folder.glob("*/*.log"):
                        shutil.copyfile(log, self._keep_logs / log.name)
                shutil.rmtree(folder, ignore_errors=True)
