"""How the two connectors are configured."""

from __future__ import annotations

from dbt_debezium_spark.flattened.positions import recommended_fields
from dev.live.web_workload import WebWorkload
from dev.recorder.workload import Workload
from dev.servers import mariadb, postgres

SHOP = "shop"
"""Source and topic prefix of PostgreSQL."""

WEB = "web"
"""Source and topic prefix of MariaDB."""

CHUNK_ROWS = 8
"""Rows of one incremental-snapshot chunk: small, so that a small table needs several windows."""

SIGNALS = ("signal.", "notification.")
"""How the names of the options begin with which a connector obeys signals, and tells of it."""


def flattening(connector: str) -> dict[str, str]:
    """Return the options with which a connector flattens its records (docs/flattened.md)."""
    return {
        "transforms": "unwrap",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.delete.tombstone.handling.mode": "rewrite",
        "transforms.unwrap.add.fields": ",".join(recommended_fields(connector)),
        "transforms.unwrap.replace.null.with.default": "false",
    }


def shop(server: postgres.Server, prefix: str = SHOP) -> dict[str, str]:
    """Return the configuration of the PostgreSQL connector."""
    return {
        **_common(server, prefix, Workload.signal_table),
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.user": postgres.USER,
        "database.dbname": postgres.DATABASE,
        "plugin.name": "pgoutput",
        "slot.name": prefix,
        # After a crash the server may hold the slot for a moment.
        "slot.max.retries": "60",
        "slot.retry.delay.ms": "500",
        "publication.name": prefix,
        "publication.autocreate.mode": "filtered",
        "schema.include.list": "public,archive",
        # An incremental snapshot after an ALTER fails with "cached plan must not change result
        # type" when the driver prepares its statements on the server.
        "driver.prepareThreshold": "0",
    }


def web(server: mariadb.Server, broker: str, prefix: str = WEB) -> dict[str, str]:
    """Return the configuration of the MariaDB connector."""
    return {
        **_common(server, prefix, WebWorkload.signal_table),
        "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
        "database.user": mariadb.USER,
        "database.server.id": "4711",
        "database.include.list": mariadb.DATABASE,
        "schema.history.internal.kafka.bootstrap.servers": broker,
        "schema.history.internal.kafka.topic": f"{prefix}-schema-history",
    }


def _common(
    server: postgres.Server | mariadb.Server, prefix: str, signal_table: str
) -> dict[str, str]:
    return {
        "database.hostname": "127.0.0.1",
        "database.port": str(server.port),
        "database.password": server.password,
        "topic.prefix": prefix,
        "topic.creation.default.partitions": "3",
        "topic.creation.default.replication.factor": "1",
        "snapshot.mode": "initial",
        # The default skips truncates since 2.0.
        "skipped.operations": "none",
        "provide.transaction.metadata": "true",
        "heartbeat.interval.ms": "4000",
        "poll.interval.ms": "50",
        "signal.data.collection": signal_table,
        "signal.enabled.channels": "source",
        "incremental.snapshot.chunk.size": str(CHUNK_ROWS),
        "notification.enabled.channels": "sink",
        "notification.sink.topic.name": f"{prefix}.notifications",
    }
