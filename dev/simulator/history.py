"""Random histories: a Kafka log, the table it must lead to, and the configuration it needs."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from dev.simulator import mariadb, mysql, oracle, postgresql, sqlserver
from dev.simulator.broker import Broker, Said
from dev.simulator.columns import PLACEHOLDER
from dev.simulator.compaction import compact_topic
from dev.simulator.features import Features, random_features
from dev.simulator.simulation import Simulation
from dev.simulator.table import Row, Table
from reference import Config, KafkaRecord, canonical_json

CONNECTORS = {
    "oracle": (oracle.Oracle, oracle.table),
    "postgresql": (postgresql.PostgreSQL, postgresql.table),
    "mariadb": (mariadb.MariaDb, mariadb.table),
    "mysql": (mysql.MySql, mysql.table),
    "sqlserver": (sqlserver.SqlServer, sqlserver.table),
}


@dataclass
class History:
    """A simulated history.

    `records` are in the order Kafka took them; `said` tells for each what it says about the table.
    `truth`: canonical key -> row of raw JSON values; `truth_multiset` for tables without a key.
    `doubts`: reasons why log and table differ; when there are any, compare with the fold only.
    `complete`: every value can be known from the log. When false, columns that the fold lists as
    unknown are null and differ from the truth; all others must agree.
    `key_base`: ids are above it. `flattened`: the block of that name, for records that a transform
    flattened. `boundaries`: of its transactions, with `transaction_topic`.
    """

    connector: str
    seed: int
    features: Features
    topic: str  # the first of its topics
    table: Table
    records: list[KafkaRecord]
    said: list[Said]
    truth: dict[str, Row]
    truth_multiset: Counter[str]
    config: Config
    doubts: list[str] = field(default_factory=list)
    complete: bool = True
    key_base: int = 0
    flattened: dict[str, str] | None = None
    boundaries: list[KafkaRecord] = field(default_factory=list)

    @property
    def truth_holds(self) -> bool:
        """Tell whether the log leads to the table."""
        return not self.doubts

    @property
    def topics(self) -> list[str]:
        """The topics of its records."""
        return sorted({self.topic, *(record.topic for record in self.records)})

    def declared_columns(self) -> list[dict[str, Any]]:
        """Return the columns as configuration and staging models declare them."""
        return [column.declared() for column in self.table.columns]

    def declared_key(self) -> list[dict[str, Any]]:
        """Return the key columns as staging models declare them."""
        return [
            {name: value for name, value in column.declared().items() if name != "optional"}
            for column in (self.table.column(name) for name in self.table.key)
        ]

    def source_config(self) -> dict[str, Any]:
        """Return the source's block in `debezium_sources`, without its input."""
        name = f"{self.table.schema}.{self.table.name}"
        table: dict[str, Any] = {"columns": self.declared_columns()}
        if self.connector == "postgresql" and self.table.full:
            table["replica_identity"] = "full"
        if self.features.close_unseen:
            table["close_unseen"] = True
        block: dict[str, Any] = {
            "connector": self.connector,
            "topic_prefix": self.topic.split(".")[0],
            "tables": {name: table},
        }
        if self.flattened is not None:
            block["flattened"] = self.flattened
        if self.features.binary != "bytes":
            block["binary_handling_mode"] = self.features.binary
        if self.config.binlog_transaction_compression:
            block["binlog_transaction_compression"] = True
        if self.config.epochs:
            block["epochs"] = [
                (
                    {"from": iso(epoch.from_ms)}
                    if epoch.from_ms is not None
                    else {
                        "topic": epoch.topic,
                        "offsets": {str(p): offset for p, offset in epoch.offsets.items()},
                    }
                )
                for epoch in self.config.epochs
            ]
        if self.config.incarnations:
            block["incarnations"] = [iso(start) for start in self.config.incarnations]
        return block


def iso(timestamp_ms: int) -> str:
    """Return epoch milliseconds as ISO text in UTC."""
    moment = datetime.fromtimestamp(timestamp_ms / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{timestamp_ms % 1000:03d}Z"


def random_history(
    seed: int,
    connector: str,
    *,
    topic: str | None = None,
    key_base: int = 0,
    keys: int = 6,
    steps: int = 30,
    features: Features | None = None,
    **fixed: Any,
) -> History:
    """Return the history of this seed.

    Args:
        seed: decides everything that the other arguments leave open.
        connector: one of `CONNECTORS`.
        topic: the record topic; histories of one table with different topics may lie together
            when their `key_base` keeps their keys apart.
        key_base: keys are `key_base + 1` to `key_base + keys` in column `id`. Tables without a
            key have these numbers in `id`, too, in few different rows.
        keys: number of different keys.
        steps: length; about two changes a step.
        features: all switches; drawn from the seed when absent.
        **fixed: single switches of `Features` that are not to be drawn.
    """
    rng = random.Random(seed)
    if features is None:
        features = random_features(rng, connector, **fixed)
    else:
        features = replace(features, **fixed).for_connector(connector)
    make, make_table = CONNECTORS[connector]
    table = make_table(features)
    if topic is None:
        topic = f"simulated.{table.schema}.{table.name}"
        if connector == "sqlserver":
            topic = f"simulated.{table.database}.{table.schema}.{table.name}"
    broker = Broker(topic, features.partitions, rng, features.gaps, features.retries)
    key_rows = _key_rows(table, key_base, keys, rng)
    simulation = Simulation(
        table, make(table, topic, features, rng), broker, features, key_rows, rng
    )
    simulation.run(steps)
    history = History(
        connector=connector,
        seed=seed,
        features=features,
        topic=topic,
        table=table,
        records=broker.records,
        said=broker.said,
        truth={},
        truth_multiset=Counter(),
        config=Config(
            connector=connector,
            placeholder=PLACEHOLDER,
            epochs=tuple(simulation.epochs),
            incarnations=tuple(simulation.incarnations),
            complete_before=table.full,
            close_unseen=features.close_unseen,
            keyless=not table.key,
            key=table.key,
            columns={column.name: column.declared() for column in table.columns},
            binlog_transaction_compression=features.compressed,
        ),
        doubts=simulation.doubts,
        key_base=key_base,
        boundaries=simulation.transactions.broker.records,
    )
    rows = [stored.row for stored in simulation.database.committed.values()]
    if table.key:
        told = {said.key for said in broker.said}
        of_key = {canonical_json(table.key_of(row)): row for row in rows}
        # Rows from before the log that never changed since cannot be known.
        history.truth = {key: row for key, row in of_key.items() if key in told}
        history.complete = features.initial != "unread" or _says_old_values(features)
    else:
        history.truth_multiset = Counter(canonical_json(row) for row in rows)
    if features.compaction:
        compact_topic(history, rng)
    return history


def _says_old_values(features: Features) -> bool:
    """Tell whether every change of a row never read shows all its values."""
    moves = features.key_changes or features.swaps
    return not features.toast or (features.full_identity and not moves)


def _key_rows(table: Table, key_base: int, keys: int, rng: random.Random) -> list[Row]:
    if not table.key:
        return [
            table.random_row({"id": key_base + number}, rng)
            for number in range(1, max(2, keys // 2) + 1)
        ]
    others = [name for name in table.key if name != "id"]
    rows = []
    for number in range(1, keys + 1):
        row: Row = {"id": key_base + number}
        for name in others:
            row[name] = table.column(name).values(rng)
        rows.append(row)
    return rows
