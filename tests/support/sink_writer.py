"""Write records as the object-store sinks of Kafka Connect do, from their documented layouts.

Records are mappings with Kafka's columns; key and value are texts.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support import avro_writer, parquet_writer

Record = Mapping[str, Any]
HEADERS_SCHEMA = {
    "type": "array",
    "items": {
        "type": "record",
        "name": "ConnectDefault",
        "namespace": "io.confluent.connect.avro",
        "fields": [{"name": "key", "type": "string"}, {"name": "value", "type": "string"}],
    },
}


def write_connect(
    folder: Path,
    records: Iterable[Record],
    *,
    form: str = "json",
    flush: int = 50,
    keys: str | None = None,
    headers: str | None = None,
    partitioner: Callable[[Record], str] | None = None,
) -> list[Path]:
    """Write the values of records below `folder/topics`, with keys and headers beside them.

    Tombstones are written with keys only, below `tombstone`, or left out without keys.

    Args:
        folder: folder above `topics`.
        records: records in the order of their offsets.
        form: `json`, `json.gz`, `string.json` (texts of StringConverter), `bin`, `avro` or
            `parquet`.
        flush: `flush.size`.
        keys: format of the keys, `json`, `avro` or `parquet`; None for none.
        headers: format of the headers.
        partitioner: returns the folder of a record's value; by default that of its partition.
    """
    written = []
    for (topic, partition), of_partition in _by_partition(records).items():
        for batch in _batches(of_partition, flush, form):
            open_files: dict[str, list[Record]] = defaultdict(list)
            for one in batch:
                if one["value"] is None:
                    if keys:
                        open_files["tombstone"].append(one)
                    continue
                place = partitioner(one) if partitioner else f"partition={partition}"
                open_files[place].append(one)
            for place, ours in open_files.items():
                base = folder / "topics" / topic / place
                base.mkdir(parents=True, exist_ok=True)
                name = f"{topic}+{partition}+{ours[0]['offset']:010d}"
                if place != "tombstone":
                    content = _values([one["value"] for one in ours], form)
                    extension = form.removeprefix("string.")
                    written.append(_write(base / f"{name}.{extension}", content))
                if keys:
                    content = _values([one["key"] for one in ours], keys, "key")
                    written.append(_write(base / f"{name}.keys.{keys}", content))
                if headers:
                    content = _headers([one["headers"] or [] for one in ours], headers)
                    written.append(_write(base / f"{name}.headers.{headers}", content))
    return written


def write_aiven(
    folder: Path,
    records: Iterable[Record],
    *,
    form: str = "csv",
    fields: Sequence[str] = ("key", "value", "offset", "timestamp", "headers"),
    encoding: str = "base64",
    flush: int = 50,
    envelope: bool = True,
    compression: str = "",
) -> list[Path]:
    """Write records as `<topic>-<partition>-<first offset>`, one file per flush."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for (topic, partition), of_partition in _by_partition(records).items():
        for batch in _batches(of_partition, flush, "avro" if form == "avro" else ""):
            lines = [_aiven_line(one, form, fields, encoding, envelope) for one in batch]
            text = "[\n" + ",\n".join(lines) + "\n]" if form == "json" else "\n".join(lines)
            content = text.encode()
            if compression == ".gz":
                content = gzip.compress(content)
            name = f"{topic}-{partition}-{batch[0]['offset']}{compression}"
            written.append(_write(folder / name, content))
    return written


def write_lenses(folder: Path, records: Iterable[Record], *, flush: int = 50) -> list[Path]:
    """Write envelopes as JSON lines."""
    written = []
    for (topic, partition), of_partition in _by_partition(records).items():
        base = folder / topic / f"{partition:012d}"
        base.mkdir(parents=True, exist_ok=True)
        for batch in _batches(of_partition, flush, ""):
            lines = []
            for one in batch:
                metadata = f'"topic":{json.dumps(topic)},"partition":{partition}'
                metadata += f',"offset":{one["offset"]},"timestamp":{one["timestamp"]}'
                headers = {header["key"]: header["value"] for header in one["headers"] or []}
                lines.append(
                    f'{{"headers":{json.dumps(headers)},"metadata":{{{metadata}}}'
                    f',"value":{_json_of(one["value"])},"key":{_json_of(one["key"])}}}\n'
                )
            name = f"{batch[-1]['offset']:012d}.json"
            written.append(_write(base / name, "".join(lines).encode()))
    return written


def compressed(content: bytes, extension: str) -> bytes:
    """Return a content as Hadoop compresses it for an extension; empty for none."""
    import bz2
    import zlib

    import pyarrow as pa

    if extension in (".lz4", ".snappy"):
        codec = {".lz4": "lz4_raw", ".snappy": "snappy"}[extension]
        written = b""
        for start in range(0, len(content), 5000):
            block = content[start : start + 5000]
            written += len(block).to_bytes(4, "big")
            # a block of several parts, as of a line that is longer than Hadoop's buffer
            for part in (block[:1000], block[1000:]):
                data = pa.compress(part, codec=codec, asbytes=True)
                written += len(data).to_bytes(4, "big") + data if part else b""
        return written
    codecs: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".deflate": zlib.compress,
        ".zst": lambda one: bytes(pa.compress(one, codec="zstd", asbytes=True)),
    }
    return codecs[extension](content)


def _by_partition(records: Iterable[Record]) -> dict[tuple[str, int], list[Record]]:
    found: dict[tuple[str, int], list[Record]] = defaultdict(list)
    for one in sorted(records, key=lambda record: record["offset"]):
        of_partition = found[one["topic"], one["partition"]]
        # Kafka delivers each offset once, files of a demo may repeat some.
        if not of_partition or of_partition[-1]["offset"] < one["offset"]:
            of_partition.append(one)
    return found


def _batches(records: Sequence[Record], flush: int, form: str) -> Iterator[list[Record]]:
    """Yield the records of each flush; another schema begins another file, where there is one."""
    batch: list[Record] = []
    schema = None
    for one in records:
        told = _schemas(one) if form in ("avro", "parquet") else None
        is_other = schema is not None and told is not None and told != schema
        if batch and (len(batch) == flush or is_other):
            yield batch
            batch, schema = [], None
        batch.append(one)
        schema = told if told is not None else schema
    if batch:
        yield batch


def _schemas(one: Record) -> str | None:
    if one["value"] is None:
        return None
    value = json.loads(one["value"])["schema"]
    return json.dumps([value, _key_schema(one["key"])])


def _key_schema(key: str | None) -> Any:
    try:
        return json.loads(key or "null")["schema"]
    except (TypeError, ValueError, KeyError):
        return None


def _values(texts: Sequence[str | None], form: str, column: str | None = None) -> bytes:
    if form == "avro":
        return avro_writer.values_container(texts, codec="deflate", block=20)
    if form == "parquet":
        # Keys are wrapped: a row of Parquet is a record.
        return parquet_writer.values_file([text for text in texts if text is not None], column)
    lines = [json.dumps(text) if form == "string.json" else _json_of(text) for text in texts]
    content = "".join(f"{line}\n" for line in lines).encode()
    return gzip.compress(content) if form.endswith(".gz") else content


def _headers(headers: Sequence[Sequence[Mapping[str, str]]], form: str) -> bytes:
    if form == "avro":
        records = [
            (avro_writer.written_long(len(one)) if one else b"")
            + b"".join(
                avro_writer.written_bytes(header[part].encode())
                for header in one
                for part in ("key", "value")
            )
            + b"\x00"
            for one in headers
        ]
        return avro_writer.container(HEADERS_SCHEMA, [records])
    if form == "parquet":
        fields = [{"name": "headers", "type": HEADERS_SCHEMA}]
        wrapped = {"type": "record", "name": "Wrapped", "fields": fields}
        return parquet_writer.written(wrapped, [{"headers": list(one)} for one in headers])
    return "".join(json.dumps({"headers": list(one)}) + "\n" for one in headers).encode()


def _aiven_line(
    one: Record, form: str, fields: Sequence[str], encoding: str, envelope: bool
) -> str:
    if form != "csv":
        if not envelope:
            return _json_of(one["value"])
        told = {
            "key": _json_of(one["key"]),
            "value": _json_of(one["value"]),
            "offset": str(one["offset"]),
            "timestamp": json.dumps(_iso(one["timestamp"])),
            "headers": json.dumps(one["headers"] or []),
        }
        return "{" + ",".join(f'"{name}":{told[name]}' for name in fields) + "}"
    told = {
        "key": _base64(one["key"]),
        "value": (one["value"] or "") if encoding == "none" else _base64(one["value"]),
        "offset": str(one["offset"]),
        "timestamp": str(one["timestamp"]),
        "headers": "".join(
            f"{_base64(header['key'])}:{_base64(header['value'])};"
            for header in one["headers"] or []
        ),
    }
    return ",".join(told[name] for name in fields)


def _iso(milliseconds: int) -> str:
    from datetime import UTC, datetime

    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def _base64(text: str | None) -> str:
    return "" if text is None else base64.b64encode(text.encode()).decode()


def _json_of(text: str | None) -> str:
    """Return a text as the converters of a sink without schemas see it: JSON, or a string."""
    if text is None:
        return "null"
    try:
        json.loads(text)
    except ValueError:
        return json.dumps(text)
    return text


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
