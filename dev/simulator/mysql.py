"""The MySQL connector."""

from __future__ import annotations

import random

from dev.simulator import binlog
from dev.simulator import columns as of
from dev.simulator.columns import Column
from dev.simulator.features import Features
from dev.simulator.table import Table

SERVER = "24bc7850-2c16-11e6-a073-0242ac110002"


def table(features: Features, name: str = "articles") -> Table:
    """Return the standard table."""
    return binlog.table(features, (Column("doc", "string", of.json_texts, of.JSON),), name)


class MySql(binlog.Binlog):
    """GTIDs count on each server, where they are on."""

    name = "mysql"
    file_name = "mysql-bin"

    def __init__(self, table: Table, topic: str, features: Features, rng: random.Random) -> None:
        """Set up the connector for one table."""
        super().__init__(table, topic, features, rng)
        self.has_gtids = rng.random() < 0.5

    def gtid(self, number: int) -> str | None:
        """Return server and number."""
        return f"{SERVER}:{number}" if self.has_gtids else None
