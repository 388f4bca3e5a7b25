"""The MariaDB connector."""

from __future__ import annotations

from dev.simulator import binlog
from dev.simulator import columns as of
from dev.simulator.columns import Column
from dev.simulator.features import Features
from dev.simulator.table import Table


def table(features: Features, name: str = "articles") -> Table:
    """Return the standard table. JSON is an alias of a text."""
    more = (Column("doc", "string", of.json_texts), Column("uid", "string", of.uuids))
    return binlog.table(features, more, name)


class MariaDb(binlog.Binlog):
    """GTIDs count in each domain."""

    name = "mariadb"
    file_name = "mariadb-bin"
    versions = ("2.7.4.Final", "3.5.0.Final")  # a connector of its own since 2.5

    def gtid(self, number: int) -> str | None:
        """Return domain, server and number."""
        return f"0-{self.server_id}-{number}"
