"""The transaction topic: what a connector says of the begin and end of transactions.

Debezium counts the envelopes that it sends, in all and by data collection, and numbers each; a key
change is two. PostgreSQL, MySQL and MariaDB report an END with the commit; the others learn of it
when the next transaction begins. Each record of PostgreSQL has the LSN of its own in its id.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dev.simulator.broker import Broker, Said
from dev.simulator.connect_schema import array, field, fields, struct
from dev.simulator.connector import Connector, compact
from dev.simulator.database import Change

ENDS_WITH_COMMIT = ("postgresql", "mysql", "mariadb")
_COLLECTION = struct(
    [field("data_collection", "string", False), field("event_count", "int64", False)],
    "event.collection",
    version=1,
)
_SCHEMA = struct(
    [
        *fields({"status": "string", "id": "string"}, False),
        field("event_count", "int64"),
        array("data_collections", _COLLECTION),
        field("ts_ms", "int64", False),
    ],
    "io.debezium.connector.common.TransactionMetadataValue",
    version=1,
)
_KEY_SCHEMA = struct(
    [field("id", "string", False)],
    "io.debezium.connector.common.TransactionMetadataKey",
    version=1,
)


@dataclass
class _Running:
    """The transaction whose events are being sent: how many there were, in all and by table."""

    number: Any
    last_id: str
    counts: Counter[str]


class TransactionTopic:
    """The topic of one connector, and the counters that the connector keeps for it."""

    def __init__(
        self,
        connector: str,
        prefix: str,
        *,
        partitions: int = 1,
        seed: int = 0,
        with_schema: bool = False,
        keeps_counters: bool = True,
    ) -> None:
        """Create the topic.

        Args:
            connector: name of the connector.
            prefix: its topic prefix.
            partitions: of the topic.
            seed: of the broker.
            with_schema: records have their schema.
            keeps_counters: a restart amid a transaction counts on (from Debezium 3.7 on).
        """
        self.connector = connector
        self.broker = Broker(f"{prefix}.transaction", partitions, random.Random(seed), gaps=False)
        self._with_schema = with_schema
        self._keeps_counters = keeps_counters
        self._running: _Running | None = None

    def event(self, number: Any, own_id: str, collection: str, now_ms: int) -> dict[str, Any]:
        """Return the member `transaction` of an envelope; the transaction may begin with it.

        Args:
            number: of the transaction.
            own_id: what its id is on this event.
            collection: the event's data collection.
            now_ms: the producer's time.
        """
        if self._running is not None and self._running.number != number:
            self.end(now_ms)
        if self._running is None:
            self._running = _Running(number, own_id, Counter())
            self._send("BEGIN", own_id, now_ms)
        self._running.counts[collection] += 1
        self._running.last_id = own_id
        return {
            "id": own_id,
            "total_order": self._running.counts.total(),
            "data_collection_order": self._running.counts[collection],
        }

    def committed(self, now_ms: int, own_id: str | None = None) -> None:
        """Tell the connector of a commit, which some report at once."""
        if self.connector in ENDS_WITH_COMMIT and self._running is not None:
            self._running.last_id = own_id or self._running.last_id
            self.end(now_ms)

    def begin_without_end(self, own_id: str, now_ms: int) -> None:
        """Report the begin of a statement without events, as MySQL does of DDL."""
        if self._running is not None:
            self.end(now_ms)
        self._send("BEGIN", own_id, now_ms)

    def end(self, now_ms: int) -> None:
        """Report the end of the running transaction, if there is one."""
        if self._running is None:
            return
        counts = self._running.counts
        self._send(
            "END",
            self._running.last_id,
            now_ms,
            event_count=counts.total(),
            data_collections=[
                {"data_collection": name, "event_count": count}
                for name, count in sorted(counts.items())
            ],
        )
        self._running = None

    def restart(self, number: Any, last_id: str, sent: Counter[str]) -> None:
        """Resume behind so many events of a transaction.

        A connector that keeps its counters goes on with them; another begins again, and reports
        another BEGIN.
        """
        self._running = None
        if self._keeps_counters and sent:
            self._running = _Running(number, last_id, Counter(sent))

    def resume(self, sent: Sequence[tuple[Connector, Change]]) -> None:
        """Resume behind the last of the changes that count as sent, each with its connector."""
        own = [one for one in sent if one[1].transaction == sent[-1][1].transaction]
        counts: Counter[str] = Counter()
        number, own_id = None, ""
        if own:
            last, change = own[-1]
            number, own_id = change.transaction, last.transaction_id(change)
            if not (change.is_last and self.connector in ENDS_WITH_COMMIT):
                for connector, one in own:
                    counts[connector.data_collection] += len(connector.emissions(one))
        self.restart(number, own_id, counts)

    def _send(self, status: str, own_id: str, now_ms: int, **counts: Any) -> None:
        value = {
            "status": status,
            "id": own_id,
            "event_count": None,
            "data_collections": None,
            "ts_ms": now_ms,
            **counts,
        }
        self.broker.now_ms = max(self.broker.now_ms, now_ms)
        self.broker.append(
            self._text({"id": own_id}, _KEY_SCHEMA),
            self._text(value, _SCHEMA),
            [],
            Said("nothing"),
        )

    def _text(self, payload: Any, schema: Any) -> str:
        return compact({"schema": schema, "payload": payload} if self._with_schema else payload)
