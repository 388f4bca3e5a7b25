"""What a broker's topics get, as it comes: for waiting on it, counting it and watching it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from dev.servers import ServerError

TOPICS_SECONDS = 0.3
REQUEST_SECONDS = 30
POLL_SECONDS = 0.05
WAIT_SECONDS = 240
BATCH = 10_000
HIDDEN = ("connect-configs", "connect-status", "__consumer_offsets")
"""Topics that are not followed: bookkeeping, and Connect keeps passwords in its configurations."""

Record = dict[str, Any]


class Tail:
    """Follows all topics of a broker from their beginning, as a context manager.

    What it has seen stands in `records` and, a line each, in the file `spool`, with the columns of
    Spark's Kafka source.
    """

    def __init__(self, folder: Path, broker: str) -> None:
        """Prepare to follow; `folder` gets the spool."""
        import confluent_kafka

        self._kafka = confluent_kafka
        self._broker = broker
        self._consumer = confluent_kafka.Consumer(
            {
                "bootstrap.servers": broker,
                # Needed and not used: partitions are assigned, nothing is committed.
                "group.id": "tail",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
            }
        )
        self._assigned: set[tuple[str, int]] = set()
        self._listed = 0.0
        self.spool = folder / "records.jsonl"
        self.records: list[Record] = []

    def __enter__(self) -> Tail:
        """Start to follow."""
        self.spool.touch()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following."""
        self._consumer.close()

    def poll(self) -> list[Record]:
        """Read what came since the last call; return it."""
        if time.monotonic() - self._listed > TOPICS_SECONDS:
            self._take_new_partitions()
        fresh = []
        for message in self._consumer.consume(BATCH, timeout=POLL_SECONDS):
            if message.error():
                raise ServerError(f"servers: reading Kafka's topics failed: {message.error()}")
            fresh.append(_columns(message))
        with open(self.spool, "a", encoding="utf-8", newline="\n") as spool:
            spool.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in fresh)
        self.records.extend(fresh)
        return fresh

    def catch_up(self, seconds: float = WAIT_SECONDS) -> None:
        """Read all that the topics hold now.

        Raises:
            ServerError: the time is over, or the topics cannot be read.
        """
        deadline = time.monotonic() + seconds
        self._take_new_partitions()
        partitions = [self._kafka.TopicPartition(*place) for place in sorted(self._assigned)]
        ends = self._ends(partitions)
        while True:
            # A position below 0 says that nothing was read yet.
            behind = [
                one
                for one in self._consumer.position(partitions)
                if max(one.offset, 0) < ends[one.topic, one.partition]
            ]
            if not behind:
                return
            self.poll()
            if time.monotonic() > deadline:
                raise ServerError(
                    f"servers: {len(behind)} partitions were not read to their ends in "
                    f"{seconds:.0f} s, the first of `{behind[0].topic}`. Is the broker alive?"
                )

    def wait_for(
        self,
        matches: Callable[[Record], bool],
        what: str,
        since: int = 0,
        seconds: float = WAIT_SECONDS,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Record:
        """Return the first record that matches, waiting for it.

        Args:
            matches: says whether a record is the one.
            what: the record in words, for the error.
            since: number of records to leave out, from the first one followed.
            seconds: time-out.
            meanwhile: is called while waiting; raises when waiting is of no use.

        Raises:
            ServerError: the time is over, or the topics cannot be read.
        """
        deadline = time.monotonic() + seconds
        while True:
            self.poll()
            for record in self.records[since:]:
                if matches(record):
                    return record
            since = len(self.records)
            meanwhile()
            if time.monotonic() > deadline:
                raise ServerError(
                    f"servers: {what} did not come in {seconds:.0f} s, of {len(self.records)} "
                    "records so far. Look into the log of Kafka Connect."
                )

    def _ends(self, partitions: list[Any]) -> dict[tuple[str, int], int]:
        # In one request of another client: the consumer's wait behind each other and its fetches.
        from confluent_kafka.admin import AdminClient, OffsetSpec

        # The client must live until its answers have come.
        client = AdminClient({"bootstrap.servers": self._broker})
        asked = client.list_offsets({one: OffsetSpec.latest() for one in partitions})
        return {
            (one.topic, one.partition): answer.result(REQUEST_SECONDS).offset
            for one, answer in asked.items()
        }

    def _take_new_partitions(self) -> None:
        topics = self._consumer.list_topics(timeout=REQUEST_SECONDS).topics
        self._listed = time.monotonic()
        found = {
            (name, number)
            for name, topic in topics.items()
            if name not in HIDDEN
            for number in topic.partitions
        }
        new = sorted(found - self._assigned)
        if new:
            beginning = self._kafka.OFFSET_BEGINNING
            self._consumer.incremental_assign(
                [self._kafka.TopicPartition(name, number, beginning) for name, number in new]
            )
            self._assigned |= found


def _columns(message: Any) -> Record:
    """Return a record with the columns of Spark's Kafka source."""
    kind, timestamp = message.timestamp()
    return {
        "topic": message.topic(),
        "partition": message.partition(),
        "offset": message.offset(),
        "timestamp": timestamp,
        # the client counts from 1, for times of creation
        "timestampType": kind - 1,
        "key": _text(message.key()),
        "value": _text(message.value()),
        "headers": [{"key": k, "value": _text(v)} for k, v in message.headers() or ()] or None,
    }


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
