"""The process that writes Parquet as Confluent's sinks do; started by `tests.avro.parquet_files`.

A JVM inside a Python process cannot be ended alone. It reads one JSON file: `class_path`, `result`
(where to write), and `files`, each with `path`, `topic`, `old_lists` (whether lists are written in
the older layout, which has no nulls), and `records` as JSON texts with schemas, all of one. It
writes the files, and for each of their records the text that Kafka's own JsonConverter makes of
the very data that was written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jpype

OLD_LISTS = "parquet.avro.write-old-list-structure"


def _options(values: dict[str, str]) -> Any:
    options = jpype.JClass("java.util.HashMap")()
    for name, value in values.items():
        options.put(name, value)
    return options


class Host:
    """Connect's data in Avro, as the sinks' format for Parquet has it."""

    def __init__(self) -> None:
        """Make the converters."""
        self.json = jpype.JClass("org.apache.kafka.connect.json.JsonConverter")()
        self.json.configure(_options({"schemas.enable": "true"}), False)
        # Avro allows no hyphens, which topics may have.
        options = _options({"scrub.invalid.names": "true"})
        config = jpype.JClass("io.confluent.connect.avro.AvroDataConfig")(options)
        self.avro_data = jpype.JClass("io.confluent.connect.avro.AvroData")(config)
        self.output = jpype.JClass("org.apache.parquet.io.LocalOutputFile")
        self.writer = jpype.JClass("org.apache.parquet.avro.AvroParquetWriter")
        self.paths = jpype.JClass("java.nio.file.Paths")

    def write(self, file: dict[str, Any]) -> list[str]:
        """Write a file; return the texts of its records."""
        topic, texts, writer = file["topic"], [], None
        for text in file["records"]:
            read = self.json.toConnectData(topic, text.encode())
            schema, value = read.schema(), read.value()
            if writer is None:
                output = self.output(self.paths.get(file["path"]))
                lists = str(file["old_lists"]).lower()
                builder = self.writer.builder(output).config(OLD_LISTS, lists)
                writer = builder.withSchema(self.avro_data.fromConnectSchema(schema)).build()
            writer.write(self.avro_data.fromConnectData(schema, value))
            texts.append(bytes(self.json.fromConnectData(topic, schema, value)).decode())
        if writer is not None:
            writer.close()
        return texts


def main(path: str) -> None:
    """Do what a file asks for."""
    asked = json.loads(Path(path).read_text(encoding="utf-8"))
    jpype.startJVM(
        "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.timezone=UTC",
        classpath=asked["class_path"],
    )  # fmt: skip
    host = Host()
    result = [host.write(file) for file in asked["files"]]
    Path(asked["result"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
