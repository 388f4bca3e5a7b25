"""A table as of a position of the source's log, from docs/transactions.md and not from the SQL."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reference.config import Config
from reference.envelope import payload_of, read_event
from reference.folded import Row
from reference.record import KafkaRecord
from reference.transactions import place_in_log, transaction_id
from reference.versions import Version


class Places:
    """Where the events of a table lie in the source's log, and where its transactions end."""

    def __init__(self, records: Iterable[KafkaRecord], config: Config) -> None:
        """Read the places of all events."""
        self._of_event: dict[str, Any] = {}
        spans: dict[Any, tuple[Any, Any]] = {}
        for record in records:
            event = read_event(record, config)
            place = None if event is None else place_in_log(event, config)
            if event is None or place is None:
                continue
            self._of_event[f"{record.topic}:{record.partition}:{record.offset}"] = place
            block = payload_of(record.value).get("transaction") or {}
            if event.op in ("c", "u", "d", "t") and block.get("id"):
                key = transaction_id(block["id"], config)
                low, high = spans.get(key, (place, place))
                spans[key] = min(low, place), max(high, place)
        self._spans = list(spans.values())

    def ends(self) -> list[Any]:
        """Return the ends of transactions that no other one lies across."""
        return sorted(
            {
                end
                for _, end in self._spans
                if not any(low <= end < high for low, high in self._spans)
            }
        )

    def rows_at(self, versions: Iterable[Version], position: Any) -> dict[str, Row]:
        """Return the rows that hold at a position, by key: what each key's last change left."""
        last: dict[str, tuple[int, Row | None]] = {}
        for version in versions:
            begin = self._of_event.get(version.from_event_id)
            changes: list[tuple[int, Any, Row | None]] = [(2 * version.version, begin, version.row)]
            if version.ended_by not in (None, "update"):
                end = self._of_event.get(version.to_event_id or "", begin)
                changes.append((2 * version.version + 1, end, None))
            for number, place, row in changes:
                is_up_to = place is not None and place <= position
                if is_up_to and number > last.get(version.key, (0, None))[0]:
                    last[version.key] = (number, row)
        return {key: row for key, (_, row) in last.items() if row is not None}
