"""Take an Avro container file apart: its schema, and the bytes of the records in each block.

Only the frame is read here; Spark decodes the records (`avro_blocks`). A block becomes the bytes of
an Avro array, which is how Avro writes several values of one type.

Standard library only, and pyarrow for two codecs: its text runs on Spark's workers.
"""

from __future__ import annotations

import bz2
import json
import lzma
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

MAGIC = b"Obj\x01"
SYNC_BYTES = 16
# No sink writes blocks of this size; a damaged one may decompress to any size.
MAX_BLOCK_BYTES = 512 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 31


class ContainerError(ValueError):
    """The content of a file is no whole container; the text begins with the code of the reason."""


class Block(NamedTuple):
    """Records that stand together in a file.

    Attributes:
        first: number of records before the block.
        records: number of records.
        items: the records as an Avro array.
    """

    first: int
    records: int
    items: bytes


class Container(NamedTuple):
    """The head of a file: the text of its schema, its codec, sync marker, and length."""

    schema: str
    codec: str
    sync: bytes
    length: int


def content_of(content: bytes) -> bytes:
    """Return the content of a file, decompressed if the whole file is compressed with gzip.

    Raises:
        ContainerError: the compressed content is damaged.
    """
    if not content.startswith(_GZIP):
        return content
    try:
        return zlib.decompress(content, _GZIP_WINDOW)
    except zlib.error as error:
        raise ContainerError(f"truncated_file: not whole gzip: {error}") from error


def head_of(content: bytes) -> Container:
    """Return the head of a container.

    Raises:
        ContainerError: there is none.
    """
    if not content.startswith(MAGIC):
        raise ContainerError("foreign_file: it does not begin like an Avro container")
    try:
        metadata, at = _metadata(content, len(MAGIC))
        schema = metadata["avro.schema"].decode("utf-8")
        codec = metadata.get("avro.codec", b"null").decode("utf-8")
        json.loads(schema)
    except (IndexError, KeyError, ValueError) as error:
        raise ContainerError(f"truncated_file: its head is not whole: {error!r}") from error
    sync = content[at : at + SYNC_BYTES]
    if len(sync) < SYNC_BYTES:
        raise ContainerError("truncated_file: it ends in its head")
    return Container(schema, codec, sync, at + SYNC_BYTES)


def blocks_of(
    content: bytes, head: Container, most_bytes: int = MAX_BLOCK_BYTES
) -> Iterator[Block]:
    """Yield the blocks of a container, none of which has more bytes.

    Raises:
        ContainerError: a block is not whole; the blocks before it are.
    """
    at, first = head.length, 0
    while at < len(content):
        try:
            records, at = long_at(content, at)
            size, at = long_at(content, at)
        except (IndexError, ValueError) as error:
            raise ContainerError(f"truncated_file: it ends after {first} records") from error
        end = at + size
        if records < 0 or size < 0:
            raise ContainerError(f"malformed_file: a block after {first} records has no length")
        if end + SYNC_BYTES > len(content):
            raise ContainerError(f"truncated_file: it ends after {first} whole records")
        if content[end : end + SYNC_BYTES] != head.sync:
            raise ContainerError(f"malformed_file: a block after {first} records is damaged")
        try:
            data = decompressed(content[at:end], head.codec, most_bytes)
        except ContainerError:
            raise
        except Exception as error:  # each codec has its own
            raise ContainerError(
                f"malformed_file: a block after {first} records is no {head.codec}: {error}"
            ) from error
        if records > len(data):
            # Every record has a byte, and Spark would make room for as many as are announced.
            raise ContainerError(f"malformed_file: a block after {first} records lacks some")
        if records:
            yield Block(first, records, written_long(records) + data + b"\x00")
        at, first = end + SYNC_BYTES, first + records


def decompressed(data: bytes, codec: str, most_bytes: int = MAX_BLOCK_BYTES) -> bytes:
    """Return the records of a block.

    Raises:
        ContainerError: the codec is unknown, or the block is too large.
        Exception: that of the codec, for damaged data.
    """
    if codec == "null":
        return data
    if codec == "deflate":
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        result = inflater.decompress(data, most_bytes)
        if inflater.unconsumed_tail:
            raise ContainerError(f"malformed_file: a block has over {most_bytes} bytes")
        if not inflater.eof:
            raise ValueError("it has no end")
        return result
    if codec == "snappy":
        result = _by_arrow(data[:-4], "snappy", number_at(data, 0)[0], most_bytes)
        if zlib.crc32(result) != int.from_bytes(data[-4:], "big"):
            raise ValueError("its checksum is another one")
        return result
    if codec == "zstandard":
        import pyarrow as pa

        stream: Any = pa.input_stream(pa.py_buffer(data), compression="zstd")
        return bytes(stream.read(most_bytes))
    if codec == "bzip2":
        return bz2.BZ2Decompressor().decompress(data, most_bytes)
    if codec == "xz":
        return lzma.LZMADecompressor().decompress(data, most_bytes)
    raise ContainerError(f"malformed_file: its codec is `{codec[:50]}`, which is not supported")


def written_long(number: int) -> bytes:
    """Return a number as Avro writes it."""
    zigzag = (number << 1) ^ (number >> 63)
    content = bytearray()
    while zigzag > 0x7F:
        content.append(zigzag & 0x7F | 0x80)
        zigzag >>= 7
    content.append(zigzag)
    return bytes(content)


def _by_arrow(data: bytes, codec: str, length: int, most_bytes: int) -> bytes:
    import pyarrow as pa

    if length > most_bytes:
        raise ContainerError(f"malformed_file: a block has over {most_bytes} bytes")
    return bytes(pa.decompress(data, decompressed_size=length, codec=codec, asbytes=True))


def _metadata(content: bytes, at: int) -> tuple[dict[str, bytes], int]:
    metadata: dict[str, bytes] = {}
    while True:
        count, at = long_at(content, at)
        if count == 0:
            return metadata, at
        if count < 0:
            _, at = long_at(content, at)  # the size of the entries, for readers that skip them
        for _ in range(abs(count)):
            name, at = bytes_at(content, at)
            metadata[name.decode("utf-8")], at = bytes_at(content, at)


def bytes_at(content: bytes, at: int) -> tuple[bytes, int]:
    """Return bytes with their length before them, and the position after them."""
    length, at = long_at(content, at)
    if length < 0 or at + length > len(content):
        raise ValueError("a length is outside of the file")
    return content[at : at + length], at + length


def long_at(content: bytes, at: int) -> tuple[int, int]:
    """Return a number, and the position after it."""
    zigzag, at = number_at(content, at)
    return (zigzag >> 1) ^ -(zigzag & 1), at


def number_at(content: bytes, at: int) -> tuple[int, int]:
    """Return a number without sign, and the position after it."""
    number, shift = 0, 0
    while True:
        byte = content[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7
        if shift > 63:
            raise ValueError("a number has too many bytes")
