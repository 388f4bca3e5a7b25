"""Debezium's connector plugins for Kafka Connect."""

from __future__ import annotations

from pathlib import Path

from dev.servers.jars import Artifact, jars

POSTGRESQL = Artifact(
    "io.debezium", "debezium-connector-postgres", "3.6.3.Final", "tar.gz", "plugin"
)
MARIADB = Artifact("io.debezium", "debezium-connector-mariadb", "3.5.0.Final", "tar.gz", "plugin")


def folder() -> Path:
    """Return a folder that holds one folder of jars for each connector."""
    return jars("debezium", [POSTGRESQL, MARIADB])
