"""Write Avro container files from Connect's JSON, as the sinks' own converter does.

The converter of Confluent is not here. This is the reverse of `avro.connect_schema`, written from
the specification of Avro and from the attributes that the converter documents.
"""

from __future__ import annotations

import base64
import itertools
import json
import struct
import zlib
from collections.abc import Sequence
from typing import Any

SYNC = bytes(range(16))
_DECIMAL = "org.apache.kafka.connect.data.Decimal"
_LOGICAL = {
    "org.apache.kafka.connect.data.Date": ("int", "date"),
    "org.apache.kafka.connect.data.Time": ("int", "time-millis"),
    "org.apache.kafka.connect.data.Timestamp": ("long", "timestamp-millis"),
}
_PLAIN = {
    "boolean": "boolean",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "int64": "long",
    "float": "float",
    "float32": "float",
    "double": "double",
    "float64": "double",
    "string": "string",
    "bytes": "bytes",
}


def avro_schema(connect: dict[str, Any], serial: itertools.count[int] | None = None) -> Any:
    """Return the Avro schema of a Connect schema."""
    serial = serial if serial is not None else itertools.count(1)
    kind, name = connect["type"], connect.get("name")
    schema: dict[str, Any]
    if kind == "struct":
        record = name or f"ConnectDefault{next(serial)}"
        schema = {
            "type": "record",
            "name": f"Value{next(serial)}",
            "namespace": "tests",
            "fields": [
                {"name": field["field"], "type": avro_schema(field, serial)}
                for field in connect["fields"]
            ],
        }
        schema["connect.name"] = record
        if name is None:
            del schema["connect.name"]
            schema["name"], schema["namespace"] = record, "io.confluent.connect.avro"
    elif kind == "array":
        schema = {"type": "array", "items": avro_schema(connect["items"], serial)}
    elif kind == "map":
        schema = {"type": "map", "values": avro_schema(connect["values"], serial)}
    else:
        schema = {"type": _PLAIN[kind]}
        if kind in ("int8", "int16"):
            schema["connect.type"] = kind
        if name == _DECIMAL:
            scale = int(connect["parameters"]["scale"])
            precision = int(connect["parameters"].get("connect.decimal.precision", 64))
            schema |= {"logicalType": "decimal", "scale": scale, "precision": precision}
        elif name in _LOGICAL:
            schema["logicalType"] = _LOGICAL[name][1]
    if name is not None and kind != "struct":
        schema["connect.name"] = name
    for attribute in ("version", "parameters", "doc"):
        if attribute in connect:
            schema[f"connect.{attribute}"] = connect[attribute]
    if connect.get("default") is not None and kind != "struct":
        schema["connect.default"] = connect["default"]
    return ["null", schema] if connect.get("optional") else schema


def encoded(connect: dict[str, Any], value: Any) -> bytes:
    """Return a value of Connect's JSON in Avro."""
    if connect.get("optional"):
        if value is None:
            return written_long(0)
        return written_long(1) + encoded({**connect, "optional": False}, value)
    kind = connect["type"]
    if kind == "struct":
        return b"".join(encoded(one, value.get(one["field"])) for one in connect["fields"])
    if kind == "array":
        items = b"".join(encoded(connect["items"], one) for one in value)
        return (written_long(len(value)) + items if value else b"") + written_long(0)
    if kind == "map":
        pairs = b"".join(
            written_bytes(name.encode()) + encoded(connect["values"], one)
            for name, one in value.items()
        )
        return (written_long(len(value)) + pairs if value else b"") + written_long(0)
    if kind == "string":
        return written_bytes(value.encode())
    if kind == "bytes":
        return written_bytes(base64.b64decode(value))
    if kind == "boolean":
        return b"\x01" if value else b"\x00"
    if kind in ("float", "float32"):
        return struct.pack("<f", float(value))
    if kind in ("double", "float64"):
        return struct.pack("<d", float(value))
    return written_long(int(value))


def container(
    schema: Any, blocks: Sequence[Sequence[bytes]], codec: str = "null", head: bytes = b""
) -> bytes:
    """Return a container of records that are already in Avro."""
    metadata = {"avro.schema": json.dumps(schema).encode(), "avro.codec": codec.encode()}
    pairs = b"".join(
        written_bytes(name.encode()) + written_bytes(one) for name, one in metadata.items()
    )
    content = b"Obj\x01" + written_long(len(metadata)) + pairs + written_long(0) + SYNC
    for block in blocks:
        data = compressed(b"".join(block), codec)
        content += written_long(len(block)) + written_long(len(data)) + data + SYNC
    return head + content


def compressed(data: bytes, codec: str) -> bytes:
    if codec == "deflate":
        deflater = zlib.compressobj(wbits=-15)
        return deflater.compress(data) + deflater.flush()
    if codec == "snappy":
        import pyarrow as pa

        checksum = zlib.crc32(data).to_bytes(4, "big")
        return bytes(pa.compress(data, codec="snappy", asbytes=True)) + checksum
    if codec == "zstandard":
        import pyarrow as pa

        return bytes(pa.compress(data, codec="zstd", asbytes=True))
    if codec == "bzip2":
        import bz2

        return bz2.compress(data)
    if codec == "xz":
        import lzma

        return lzma.compress(data)
    return data


def values_container(texts: Sequence[str | None], codec: str = "null", block: int = 100) -> bytes:
    """Return a container of records in Connect's JSON, all of one embedded schema, or null."""
    told = [json.loads(text or "null") for text in texts]
    schema = next((one["schema"] for one in told if one), {"type": "string"})
    if None in told:
        schema = {**schema, "optional": True}
    records = [encoded(schema, one and one["payload"]) for one in told]
    return container(
        avro_schema(schema),
        [records[start : start + block] for start in range(0, len(records), block)],
        codec,
    )


def written_long(number: int) -> bytes:
    zigzag = (number << 1) ^ (number >> 63)
    content = bytearray()
    while zigzag > 0x7F:
        content.append(zigzag & 0x7F | 0x80)
        zigzag >>= 7
    content.append(zigzag)
    return bytes(content)


def written_bytes(content: bytes) -> bytes:
    return written_long(len(content)) + content
