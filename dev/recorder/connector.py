"""The Debezium configuration of a recording."""

from __future__ import annotations

from pathlib import Path

TOPIC_PREFIX = "shop"
SIGNAL_TABLE = "public.debezium_signal"
MARKER_TABLE = "public.recorder_marker"
NOTIFICATION_TOPIC = f"{TOPIC_PREFIX}.notifications"
CHUNK_ROWS = 8
"""Rows of one incremental-snapshot chunk: small, so that a small table needs several windows."""

PARTITIONS = {
    f"{TOPIC_PREFIX}.public.order_lines": 2,
    f"{TOPIC_PREFIX}.public.documents": 1,
    f"{TOPIC_PREFIX}.public.Order": 1,
    f"{TOPIC_PREFIX}.public.debezium_signal": 1,
    f"{TOPIC_PREFIX}.public.recorder_marker": 1,
    NOTIFICATION_TOPIC: 1,
    f"__debezium-heartbeat.{TOPIC_PREFIX}": 1,
}
"""Partitions by topic; the others, transactions included, have the broker's default."""


def connector_options(port: int, user: str, password: str, database: str) -> dict[str, str]:
    """Return the options of the PostgreSQL connector, wherever it runs.

    Args:
        port: of the server on 127.0.0.1.
        user: role with the replication right.
        password: of `user`.
        database: to capture.
    """
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "127.0.0.1",
        "database.port": str(port),
        "database.user": user,
        "database.password": password,
        "database.dbname": database,
        "plugin.name": "pgoutput",
        "slot.name": "recorder",
        "publication.name": "recorder",
        "publication.autocreate.mode": "filtered",
        "schema.include.list": "public,archive",
        "topic.prefix": TOPIC_PREFIX,
        "snapshot.mode": "initial",
        "tombstones.on.delete": "true",
        # The default skips truncates since 2.0.
        "skipped.operations": "none",
        "provide.transaction.metadata": "true",
        "heartbeat.interval.ms": "4000",
        "signal.data.collection": SIGNAL_TABLE,
        "signal.enabled.channels": "source",
        "incremental.snapshot.chunk.size": str(CHUNK_ROWS),
        "notification.enabled.channels": "sink",
        "notification.sink.topic.name": NOTIFICATION_TOPIC,
        # An incremental snapshot after an ALTER fails with "cached plan must not change result
        # type" when the driver prepares its statements on the server.
        "driver.prepareThreshold": "0",
        "poll.interval.ms": "50",
    }


def properties(port: int, user: str, password: str, database: str, offsets: Path) -> dict[str, str]:
    """Return the options of the connector and of the embedded engine.

    Args:
        port: of the server on 127.0.0.1.
        user: role with the replication right.
        password: of `user`.
        database: to capture.
        offsets: file that holds the source offsets; survives the engine's death.
    """
    return {
        "name": "recorder",
        **connector_options(port, user, password, database),
        "errors.max.retries": "0",
        "offset.storage": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
        "offset.storage.file.filename": str(offsets),
        # Every acknowledged batch is flushed at once; what an unclean stop repeats is then exactly
        # what the host was told to hold back.
        "offset.flush.interval.ms": "0",
    }
