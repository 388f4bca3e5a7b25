"""The walk of one document's events in arrival order (docs/semantics.md, docs/mongodb.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark import verdicts
from dbt_debezium_spark.mongodb import deltas, ejson

DOCUMENT = "document"
MAX_IMAGES = 8  # texts of a document that wait to be parsed
_Deliveries = dict[str, Counter[str | None]]


@dataclass(slots=True)
class Change:
    """A staged event. Images and deltas are texts as the connector wrote them.

    Attributes:
        kind: `stream`, `full`, `incremental` (reads) or `tombstone`.
        position: sortable text that begins with the epoch, None if the source has no order.
        identity: equal for repeated events.
        run_id: run of the connector that sent the event, None if it is unknown.
        timestamp: timestamp of the record.
    """

    op: str
    kind: str
    position: str | None = None
    identity: str | None = None
    run_id: str | None = None
    event_id: str | None = None
    timestamp: Any = None
    after: str | None = None
    before: str | None = None
    patch: str | None = None
    update_description: str | None = None

    @property
    def partition(self) -> str | None:
        """Topic and number of the partition that it lies in."""
        return self.event_id and self.event_id.rsplit(":", 1)[0]

    def has_no_order_with(self, other: Change | None) -> bool:
        """Return whether nothing but positions orders the two: their timestamps are equal."""
        return (
            other is not None
            and self.timestamp is not None
            and self.timestamp == other.timestamp
            and self.partition != other.partition
        )


class _OpsBefore:
    """The operation before a tombstone.

    An event of another partition with the tombstone's timestamp does not count: the delete of a
    tombstone lies in its own partition.
    """

    def __init__(self, last_op: str | None) -> None:
        self.last = last_op
        self._timestamp: Any = None
        self._before = last_op
        self._at_timestamp: dict[str | None, str] = {}

    def of(self, tombstone: Change) -> str | None:
        self._go_to(tombstone)
        return self._at_timestamp.get(tombstone.partition, self._before)

    def add(self, event: Change) -> None:
        self._go_to(event)
        self._at_timestamp[event.partition] = self.last = event.op

    def _go_to(self, event: Change) -> None:
        if event.timestamp is None or event.timestamp != self._timestamp:
            self._timestamp, self._before = event.timestamp, self.last
            self._at_timestamp = {}


class Walk:
    """The state of one document after the events so far.

    Attributes:
        key: canonical `_id`.
        winner: the last event that was applied, None if it precedes this walk.
        mark: highest position so far.
        tombstone_at: timestamp of the last tombstone.
        alive: whether the document exists.
        incomplete: whether the document lacks parts that no event contains.
        replays: number of repeated or older events.
        unexplained: number of these that were not delivered before.
        first_unexplained: id of the first of these.
        verdict: on the last event, a line of docs/semantics.md.
    """

    def __init__(self, key: str) -> None:
        """Create the state before the first event."""
        self.key = key
        self.winner: Change | None = None
        self.mark: str | None = None
        self._marked_by: Change | None = None
        self._ops = _OpsBefore(None)
        self.tombstone_at: Any = None
        self.alive = False
        self.incomplete = False
        self.replays = 0
        self.unexplained = 0
        self.first_unexplained: str | None = None
        self.verdict: str | None = None
        self._document: deltas.Document | None = None
        # full images since the last one that was parsed; the last readable one is, on demand
        self._images: list[str] = []
        # deliveries by identity and run
        self._deliveries: _Deliveries = {}

    @property
    def last_op(self) -> str | None:
        """Operation of the last event that is no tombstone."""
        return self._ops.last

    def resume(
        self,
        *,
        document: str | None,
        incomplete: bool,
        mark: str | None,
        last_op: str | None,
        tombstone_at: Any,
        replays: int,
        unexplained: int,
        first_unexplained: str | None,
    ) -> None:
        """Continue with the state of an earlier walk."""
        self._images = [] if document is None else [document]
        self.alive = document is not None
        self.incomplete = incomplete
        self.mark = mark
        self._ops = _OpsBefore(last_op)
        self.tombstone_at = tombstone_at
        self.replays = replays
        self.unexplained = unexplained
        self.first_unexplained = first_unexplained

    def take(self, event: Change, *, may_be_repeated: bool = True) -> None:
        """Apply the next event; `may_be_repeated` if another event has its identity."""
        applied = self._counts(event, may_be_repeated)
        if not applied:
            return
        self.winner = event
        if event.op in ("d", "tombstone"):
            self._forget()
        else:
            self._change(event)
            self.alive = True

    def document_text(self) -> str | None:
        """Return the canonical document, None if it does not exist."""
        if not self.alive:
            return None
        try:
            return ejson.document_text(self.document())
        except RecursionError:
            # Changes can nest documents deeper than a server allows.
            self._document = None
            return ejson.document_text(self.document())

    def document(self) -> deltas.Document:
        """Return the document; after an unreadable image it is the previous one, incomplete."""
        while self._images:
            document = _parsed_object(self._images.pop())
            if document is None:
                self.incomplete = True
            else:
                self._document = document
                self._images.clear()
        if self._document is None:
            self._document = {"_id": _id_of(self.key)}
            self.incomplete = True
        return self._document

    def _counts(self, event: Change, may_be_repeated: bool) -> bool:
        """Return whether an event counts; others are replays or contain nothing new."""
        is_tombstone = event.kind == "tombstone"
        self.verdict = (
            self._of_tombstone(event) if is_tombstone else self._of_change(event, may_be_repeated)
        )
        return verdicts.VERDICTS[self.verdict].is_applied

    def _of_tombstone(self, event: Change) -> str:
        is_sent_again = event.timestamp is not None and event.timestamp == self.tombstone_at
        self.tombstone_at = event.timestamp
        if self._ops.of(event) == "d":
            return verdicts.TOMBSTONE_OF_DELETE
        if is_sent_again:
            return verdicts.TOMBSTONE_AGAIN
        # All later events count, also those that were delivered before.
        self.mark = None
        self._deliveries.clear()
        return verdicts.DELETING_TOMBSTONE

    def _of_change(self, event: Change, may_be_repeated: bool) -> str:
        self._ops.add(event)
        is_known = event.identity in self._deliveries
        if may_be_repeated and self._is_repeat(event):
            self.replays += 1
            return verdicts.REPEAT
        if event.kind == "full":
            self.mark = None
            return verdicts.FULL_READ
        if event.kind == "incremental":
            return verdicts.INCREMENTAL_READ
        if event.position is None:
            return verdicts.WITHOUT_POSITION
        if self.mark is None or event.position >= self.mark:
            self.mark, self._marked_by = event.position, event
            return verdicts.CHANGE
        self.replays += 1
        # one run of the connector can send an old change twice
        if is_known:
            return verdicts.REPEAT
        if event.has_no_order_with(self._marked_by):
            return verdicts.MOVED
        self.unexplained += 1
        self.first_unexplained = self.first_unexplained or event.event_id
        return verdicts.UNEXPLAINED

    def _is_repeat(self, event: Change) -> bool:
        """Record a delivery, and return whether it is a repeat.

        Equal identities from one run of a connector are different changes, so a change counts as
        often as in the run that delivered it most often. Deliveries without a run count once. The
        identity of a read covers all its bytes.
        """
        if event.identity is None:
            return False
        runs = self._deliveries.setdefault(event.identity, Counter())
        runs[event.run_id] += 1
        if event.run_id is None or event.kind != "stream":
            return runs.total() > 1
        most = max(
            (count if run else 1 for run, count in runs.items() if run != event.run_id), default=0
        )
        return runs[event.run_id] <= most

    def _forget(self) -> None:
        self._document = None
        self._images.clear()
        self.alive = False
        self.incomplete = False

    def _change(self, event: Change) -> None:
        if event.after is not None:
            self._replace(event.after)
            return
        if event.before is not None:
            # the image before the change is exact, whatever the state of the document is
            self._replace(event.before)
        elif not self.alive:
            self._forget()
        if event.patch is not None:
            self._patch(event.patch)
        elif event.update_description is not None:
            description = _parsed_object(event.update_description)
            updated = (description or {}).get("updatedFields")
            if isinstance(updated, str) and description is not None:
                description["updatedFields"] = _parsed_object(updated)
                if description["updatedFields"] is None:
                    description = None
            if description is None:
                self.document()
                self.incomplete = True
            else:
                self._apply(deltas.apply_description, description)
        else:
            self.document()
            self.incomplete = True

    def _replace(self, text: str) -> None:
        if len(self._images) == MAX_IMAGES:
            self.document()
        self._images.append(text)
        self.incomplete = False

    def _patch(self, text: str) -> None:
        patch = _parsed_object(text)
        if patch is None:
            self.document()
            self.incomplete = True
        elif deltas.is_replacement(patch):
            self._document = deltas.replacement(patch, _id_of(self.key))
            self._images.clear()
            self.incomplete = False
        else:
            self._apply(deltas.apply_patch, patch)

    def _apply(
        self, apply: Callable[[deltas.Document, deltas.Document], None], change: deltas.Document
    ) -> None:
        try:
            apply(change, self.document())
        except deltas.UnknownChange:
            self.incomplete = True


def _id_of(key: str) -> Any:
    try:
        return ejson.parse(key)
    except ejson.NotEjson:
        return key


def _parsed_object(text: str) -> deltas.Document | None:
    try:
        value = ejson.parse(text)
    except ejson.NotEjson:
        return None
    return value if ejson.is_document(value) else None
