"""The process that hosts Debezium's transforms; started by `test_flattened_by_debezium.py`.

A JVM inside a Python process cannot be ended alone. It reads one JSON file: `class_path`, `result`
(where to write), and `jobs`, each with `class`, the transform's `options`, and `records` as JSON
texts with schemas (`topic`, `key`, `value`). It writes for each job and record what is left of the
record (`key`, `value`, `headers`), null where the transform drops it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jpype


def _options(values: dict[str, str]) -> Any:
    options = jpype.JClass("java.util.HashMap")()
    for name, value in values.items():
        options.put(name, value)
    return options


class Host:
    """Kafka's converters around a transform, as in a worker of Kafka Connect."""

    def __init__(self) -> None:
        """Make the converters."""
        converter = jpype.JClass("org.apache.kafka.connect.json.JsonConverter")
        self.record = jpype.JClass("org.apache.kafka.connect.source.SourceRecord")
        self.json = []
        for is_key in (True, False):
            made = converter()
            # what was null when it was written must not become a default now
            made.configure(
                _options({"schemas.enable": "true", "replace.null.with.default": "false"}), is_key
            )
            self.json.append(made)
        self.headers = jpype.JClass("org.apache.kafka.connect.storage.SimpleHeaderConverter")()

    def run(self, job: dict[str, Any]) -> list[dict[str, Any] | None]:
        """Return what a transform leaves of each record."""
        transform = jpype.JClass(job["class"])()
        transform.configure(_options(job["options"]))
        found = [self._transformed(transform, one) for one in job["records"]]
        transform.close()
        return found

    def _transformed(self, transform: Any, one: dict[str, Any]) -> dict[str, Any] | None:
        topic = one["topic"]
        sides = []
        for side, name in enumerate(("key", "value")):
            text = one[name]
            if text is None:
                sides += [None, None]
                continue
            read = self.json[side].toConnectData(topic, text.encode())
            sides += [read.schema(), read.value()]
        record = self.record(None, None, topic, None, *sides)
        made = transform.apply(record)
        if made is None:
            return None
        return {
            "key": self._text(0, topic, made.keySchema(), made.key()),
            "value": self._text(1, topic, made.valueSchema(), made.value()),
            "headers": [
                (str(header.key()), self._header(topic, header)) for header in made.headers()
            ],
        }

    def _text(self, side: int, topic: str, schema: Any, value: Any) -> str | None:
        made = self.json[side].fromConnectData(topic, schema, value)
        return None if made is None else bytes(made).decode()

    def _header(self, topic: str, header: Any) -> str | None:
        made = self.headers.fromConnectHeader(topic, header.key(), header.schema(), header.value())
        return None if made is None else bytes(made).decode()


def main(path: str) -> None:
    """Do what a file asks for."""
    asked = json.loads(Path(path).read_text(encoding="utf-8"))
    jpype.startJVM(
        "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.timezone=UTC",
        classpath=asked["class_path"],
    )  # fmt: skip
    host = Host()
    result = [host.run(job) for job in asked["jobs"]]
    Path(asked["result"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
