"""A process that writes what a broker's topics get to a file: `tail_host.py CONFIGURATION`.

It runs a JVM with Kafka's own consumer, and ends when it is told to.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

TOPICS_SECONDS = 0.3
POLL_MILLISECONDS = 100


def main() -> None:
    """Follow all topics from their beginning."""
    configuration = json.loads(Path(sys.argv[1]).read_text())
    import jpype
    import jpype.imports

    jpype.startJVM(
        "-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
        f"-Dlog4j2.configurationFile={configuration['logging']}",
        classpath=[f"{configuration['jars']}/*"],
    )  # fmt: skip
    from java.time import Duration
    from java.util import ArrayList, HashMap
    from org.apache.kafka.clients.consumer import KafkaConsumer
    from org.apache.kafka.common import TopicPartition

    options = HashMap()
    for name, value in {
        "bootstrap.servers": configuration["broker"],
        "key.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
        "value.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
        "auto.offset.reset": "earliest",
        "enable.auto.commit": "false",
        "metadata.max.age.ms": "500",
    }.items():
        options.put(name, value)
    consumer = KafkaConsumer(options)
    hidden = set(configuration["hidden"])
    assigned: set[tuple[str, int]] = set()
    listed = 0.0
    with open(configuration["spool"], "w", encoding="utf-8", newline="\n") as spool:
        while True:
            if time.monotonic() - listed > TOPICS_SECONDS:
                wanted = {
                    (str(entry.getKey()), int(partition.partition()))
                    for entry in consumer.listTopics().entrySet()
                    for partition in entry.getValue()
                    if str(entry.getKey()) not in hidden
                }
                listed = time.monotonic()
                if wanted - assigned:
                    assigned |= wanted
                    partitions = ArrayList()
                    for topic, number in sorted(assigned):
                        partitions.add(TopicPartition(topic, number))
                    consumer.assign(partitions)
            if not assigned:
                time.sleep(POLL_MILLISECONDS / 1000)
                continue
            for record in consumer.poll(Duration.ofMillis(POLL_MILLISECONDS)):
                spool.write(json.dumps(_columns(record), ensure_ascii=False) + "\n")
            spool.flush()


def _columns(record: Any) -> dict[str, Any]:
    """Return a record with the columns of Spark's Kafka source."""
    return {
        "topic": str(record.topic()),
        "partition": int(record.partition()),
        "offset": int(record.offset()),
        "timestamp": int(record.timestamp()),
        "timestampType": int(record.timestampType().id),
        "key": _text(record.key()),
        "value": _text(record.value()),
        "headers": [
            {
                "key": str(header.key()),
                "value": None if header.value() is None else bytes(header.value()).decode(),
            }
            for header in record.headers()
        ]
        or None,
    }


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


if __name__ == "__main__":
    main()
