"""Everything that stands between the databases and Spark, started together, ended together."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dev.servers import ServerError, mariadb, postgres
from dev.servers.connect import Worker
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


@dataclass(frozen=True)
class Platform:
    """The databases, broker, Connect worker and a consumer; `mariadb` may be left out."""

    postgres: postgres.Server
    mariadb: mariadb.Server | None
    broker: Broker
    worker: Worker
    tail: Tail


@contextmanager
def running(keep_logs: Path, *, with_mariadb: bool = True) -> Iterator[Platform]:
    """Start everything; end it in the reverse order.

    Args:
        keep_logs: folder that gets the servers' logs when something fails.
        with_mariadb: whether MariaDB is started, too.

    Raises:
        ServerError: something is missing or does not start; the message says what to do.
    """
    plugins = require_everything(with_mariadb)
    folder = Path(tempfile.mkdtemp(prefix="live-"))
    # The databases run as other users, who must be able to reach their folders.
    folder.chmod(0o711)

    def made(name: str) -> Path:
        path = folder / name
        path.mkdir()
        return path

    try:
        with ExitStack() as stack:
            enter = stack.enter_context
            shop = enter(postgres.Server(made("postgres")))
            web = enter(mariadb.Server(made("mariadb"))) if with_mariadb else None
            broker = enter(Broker(made("kafka")))
            tail = enter(Tail(made("tail"), broker.address))
            worker = enter(Worker(made("connect"), broker.address, plugins, FLUSH_SECONDS))
            yield Platform(shop, web, broker, worker, tail)
    except BaseException:
        keep_logs.mkdir(parents=True, exist_ok=True)
        for log in folder.glob("*/*.log"):
            shutil.copyfile(log, keep_logs / log.name)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
