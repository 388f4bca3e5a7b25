"""Topics of a broker as a test needs them: records, transactions, deletions."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable

from confluent_kafka import OFFSET_END, Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

SECONDS = 30
_serial = itertools.count(1)


class Topics:
    """One broker's topics; names begin with a prefix of the test's own."""

    def __init__(self, brokers: str) -> None:
        self.brokers = brokers
        self.prefix = f"t{next(_serial)}"
        self._admin = AdminClient({"bootstrap.servers": brokers})

    def name(self, topic: str) -> str:
        """Return a topic's whole name."""
        return f"{self.prefix}.{topic}"

    def create(self, topic: str, partitions: int = 1, **config: str) -> None:
        """Create a topic, and wait until it is there."""
        new = NewTopic(self.name(topic), partitions, 1, config=config)
        self._admin.create_topics([new])[self.name(topic)].result(SECONDS)
        _until(lambda: self._partitions(topic) == partitions)

    def delete(self, topic: str) -> None:
        """Delete a topic, and wait until it is gone."""
        self._admin.delete_topics([self.name(topic)])[self.name(topic)].result(SECONDS)
        _until(lambda: self._partitions(topic) == 0)

    def send(
        self,
        topic: str,
        values: Iterable[str | bytes | None],
        *,
        partition: int = 0,
        timestamp: int = 1_795_000_000_000,
        key: str | None = None,
    ) -> None:
        """Write records, `key` or the value as key."""
        producer = Producer({"bootstrap.servers": self.brokers, "log_level": 0})
        self._produce(producer, topic, values, partition, timestamp, key)
        assert producer.flush(SECONDS) == 0

    def send_in_transaction(self, topic: str, values: Iterable[str], *, commits: bool) -> None:
        """Write records in one transaction, which is committed or aborted."""
        producer = Producer(
            {
                "bootstrap.servers": self.brokers,
                "transactional.id": f"x{next(_serial)}",
                "log_level": 0,
            }
        )
        producer.init_transactions(SECONDS)
        producer.begin_transaction()
        self._produce(producer, topic, values, 0, 1_795_000_000_000, None)
        producer.flush(SECONDS)
        (producer.commit_transaction if commits else producer.abort_transaction)(SECONDS)

    def expire(self, topic: str, before: int = OFFSET_END, partition: int = 0) -> None:
        """Let the records below an offset be gone, as retention does."""
        place = TopicPartition(self.name(topic), partition, before)
        for future in self._admin.delete_records([place]).values():
            future.result(SECONDS)

    def wait_for_compaction(self, topic: str, since: int) -> None:
        """Write other keys until the record at an offset is gone: the last segment stays whole."""
        consumer = Consumer({"bootstrap.servers": self.brokers, "group.id": "compaction"})
        first = since
        deadline = time.monotonic() + SECONDS
        while first == since:
            assert time.monotonic() < deadline, "the broker did not compact the topic"
            now = int(time.time() * 1000)  # segments roll by the records' own time
            self.send(topic, [f"other {now}"], timestamp=now)
            time.sleep(0.3)
            consumer.assign([TopicPartition(self.name(topic), 0, since)])
            message = consumer.poll(SECONDS)
            first = message.offset() if message is not None else since
        consumer.close()

    def add_partitions(self, topic: str, total: int) -> None:
        """Give a topic more partitions."""
        from confluent_kafka.admin import NewPartitions

        new = NewPartitions(self.name(topic), total)
        self._admin.create_partitions([new])[self.name(topic)].result(SECONDS)
        _until(lambda: self._partitions(topic) == total)

    def _produce(
        self,
        producer: Producer,
        topic: str,
        values: Iterable[str | bytes | None],
        partition: int,
        timestamp: int,
        key: str | None,
    ) -> None:
        for value in values:
            producer.produce(
                self.name(topic),
                value=value,
                key=key or value,
                partition=partition,
                timestamp=timestamp,
                headers={"h": b"v"},
            )

    def _partitions(self, topic: str) -> int:
        found = self._admin.list_topics(timeout=SECONDS).topics.get(self.name(topic))
        return len(found.partitions) if found is not None else 0


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "the broker did not follow"
        time.sleep(0.05)
