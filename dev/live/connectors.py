"""How the two connectors are configured."""

from __future__ import annotations

from dbt_debezium_spark.flattened.positions import recommended_fields
from dev.recorder import connector
from dev.servers import mariadb, postgres

SHOP = connector.TOPIC_PREFIX
"""Source and topic prefix of PostgreSQL."""

WEB = "web"
"""Source and topic prefix of MariaDB."""

WEB_SIGNALS = "web.debezium_signal"

PARTITIONS = 3

TOPICS = {
    "topic.creation.default.partitions": str(PARTITIONS),
    "topic.creation.default.replication.factor": "1",
}


def flattening(connector: str) -> dict[str, str]:
    """Return the options with which a connector flattens its records (docs/flattened.md)."""
    return {
        "transforms": "unwrap",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.delete.tombstone.handling.mode": "rewrite",
        "transforms.unwrap.add.fields": ",".join(recommended_fields(connector)),
        "transforms.unwrap.replace.null.with.default": "false",
    }


def shop(server: postgres.Server) -> dict[str, str]:
    """Return the configuration of the PostgreSQL connector: the recorder's, on a broker."""
    return {
        **connector.connector_options(
            server.port, postgres.USER, server.password, postgres.DATABASE
        ),
        # After a crash the server may hold the slot for a moment.
        "slot.max.retries": "60",
        "slot.retry.delay.ms": "500",
        **TOPICS,
    }


def web(server: mariadb.Server, broker: str) -> dict[str, str]:
    """Return the configuration of the MariaDB connector."""
    return {
        "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
        "database.hostname": "127.0.0.1",
        "database.port": str(server.port),
        "database.user": mariadb.USER,
        "database.password": server.password,
        "database.server.id": "4711",
        "database.include.list": mariadb.DATABASE,
        "topic.prefix": WEB,
        "schema.history.internal.kafka.bootstrap.servers": broker,
        "schema.history.internal.kafka.topic": "schema-history",
        "snapshot.mode": "initial",
        "skipped.operations": "none",
        "provide.transaction.metadata": "true",
        "heartbeat.interval.ms": "4000",
        "signal.data.collection": WEB_SIGNALS,
        "signal.enabled.channels": "source",
        "incremental.snapshot.chunk.size": str(connector.CHUNK_ROWS),
        "notification.enabled.channels": "sink",
        "notification.sink.topic.name": f"{WEB}.notifications",
        "poll.interval.ms": "50",
        **TOPICS,
    }
