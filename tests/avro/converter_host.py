"""The process that hosts Kafka Connect's converters; started by `tests.avro.converters`.

A JVM inside a Python process cannot be ended alone. It reads one JSON file (`class_path`,
`registry`, `connect`: records as JSON texts with schemas, `native`: values of Avro schemas that
Connect did not write, `cases`: groups of fields with values) and prints one JSON object.

The first line of text of every record is the other side of the comparison: what Kafka's own
JsonConverter makes of the very data that the Avro converters were given.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

import jpype

CONVERTERS = {
    "apicurio": "io.apicurio.registry.utils.converter.AvroConverter",
    "confluent": "io.confluent.connect.avro.AvroConverter",
}


def _options(values: dict[str, str]) -> Any:
    options = jpype.JClass("java.util.HashMap")()
    for name, value in values.items():
        options.put(name, value)
    return options


def _converter(name: str, values: dict[str, str], is_key: bool) -> Any:
    made = jpype.JClass(name)()
    made.configure(_options(values), is_key)
    return made


class Host:
    """The converters of keys and values."""

    def __init__(self, registry: str) -> None:
        """Make them; no request is made.

        Args:
            registry: Apicurio's address, without a path.
        """
        self.json = [self._json(is_key) for is_key in (True, False)]
        settings = {
            "apicurio": {
                "apicurio.registry.url": f"{registry}/apis/registry/v2",
                "apicurio.registry.auto-register": "true",
                "apicurio.registry.find-latest": "false",
                "apicurio.registry.headers.enabled": "false",
                "apicurio.registry.as-confluent": "true",
                "apicurio.registry.use-id": "contentId",
            },
            "confluent": {
                "schema.registry.url": f"{registry}/apis/ccompat/v7",
                # Apicurio checks no names; Avro allows no hyphens, which topics may have.
                "scrub.invalid.names": "true",
            },
        }
        self.avro = {
            name: [_converter(CONVERTERS[name], settings[name], is_key) for is_key in (True, False)]
            for name in CONVERTERS
        }
        config = jpype.JClass("io.confluent.connect.avro.AvroDataConfig")(_options({}))
        self.avro_data = jpype.JClass("io.confluent.connect.avro.AvroData")(config)

    @staticmethod
    def _json(is_key: bool) -> Any:
        # It writes a default in place of null, unless told otherwise, as the Avro converters do.
        options = {"schemas.enable": "true"}
        return _converter("org.apache.kafka.connect.json.JsonConverter", options, is_key)

    def convert(self, topic: str, side: int, text: str | None, converter: str) -> dict[str, Any]:
        """Return one side of a record as JSON text and as Avro bytes."""
        if text is None:
            return {"json": None, "avro": None}
        read = self.json[side].toConnectData(topic, text.encode())
        schema, value = read.schema(), read.value()
        printed = self.json[side].fromConnectData(topic, schema, value)
        made = self.avro[converter][side].fromConnectData(topic, schema, value)
        return {
            "json": bytes(printed).decode(),
            "avro": base64.b64encode(bytes(made)).decode(),
        }

    def record(self, one: dict[str, Any], converter: str) -> dict[str, Any]:
        """Return a record in both forms, or the converters' complaint."""
        topic = f"{converter}.{one['topic']}"
        try:
            return {
                "topic": topic,
                "key": self.convert(topic, 0, one.get("key"), converter),
                "value": self.convert(topic, 1, one.get("value"), converter),
            }
        except jpype.JException as error:
            return {"topic": topic, "failed": f"{error} {error.__cause__ or ''}"}

    def native(self, schema_text: str, value: Any) -> dict[str, Any]:
        """Return a value of an Avro schema as Avro's body, and as Connect reads and prints it."""
        schema = jpype.JClass("org.apache.avro.Schema$Parser")().parse(schema_text)
        decoder = (
            jpype.JClass("org.apache.avro.io.DecoderFactory")
            .get()
            .jsonDecoder(schema, json.dumps(value))
        )
        reader = jpype.JClass("org.apache.avro.generic.GenericDatumReader")(schema)
        datum = reader.read(None, decoder)
        stream = jpype.JClass("java.io.ByteArrayOutputStream")()
        encoder = (
            jpype.JClass("org.apache.avro.io.EncoderFactory").get().binaryEncoder(stream, None)
        )
        jpype.JClass("org.apache.avro.generic.GenericDatumWriter")(schema).write(datum, encoder)
        encoder.flush()
        read = self.avro_data.toConnectData(schema, datum)
        printed = self.json[1].fromConnectData("native", read.schema(), read.value())
        return {
            "json": bytes(printed).decode(),
            "body": base64.b64encode(bytes(stream.toByteArray())).decode(),
        }

    def fitting(self, fields: list[dict[str, Any]]) -> list[int]:
        """Return the places of those fields whose value the JSON converter reads by their schema.

        Args:
            fields: `schema` of a field, and `text`, the JSON text of its value.
        """
        found = []
        for place, one in enumerate(fields):
            schema = json.dumps({"type": "struct", "optional": False, "fields": [one["schema"]]})
            name = json.dumps(one["schema"]["field"])
            text = f'{{"schema":{schema},"payload":{{{name}:{one["text"]}}}}}'
            try:
                read = self.json[1].toConnectData("case", text.encode())
                self.json[1].fromConnectData("case", read.schema(), read.value())
            except (jpype.JException, TypeError, ValueError):
                continue
            found.append(place)
        return found


def main(path: str) -> None:
    """Do what a file asks for."""
    job = json.loads(Path(path).read_text(encoding="utf-8"))
    jpype.startJVM(
        "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.timezone=UTC",
        classpath=job["class_path"],
    )  # fmt: skip
    host = Host(job["registry"])
    result = {
        "fitting": [host.fitting(group) for group in job.get("cases", [])],
        "connect": [
            host.record(one, converter)
            for one in job.get("connect", [])
            for converter in CONVERTERS
        ],
        "native": [host.native(one["schema"], one["value"]) for one in job.get("native", [])],
    }
    Path(job["result"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
    sys.stdout.flush()
    # The JVM's other threads are not ours to wait for.
    os._exit(0)
