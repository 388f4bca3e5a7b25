"""The beginning of a file, decompressed as Spark does it: by its name, and without Spark."""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa

from dbt_debezium_spark.config.inputs import MAX_LINE_BYTES
from dbt_debezium_spark.inputs.sinks.avro_container import number_at

# Longer lines are read only if they are the first: a file may decompress to any size.
FIRST_BYTES = 4 * 1024 * 1024
# Arrow's reader of gzip reads zlib's format, too, which Hadoop calls deflate.
STREAMS = {".gz": "gzip", ".deflate": "gzip", ".bz2": "bz2", ".zst": "zstd"}
# Hadoop writes a frame of its own around these.
BLOCKS = {".lz4": "lz4_raw", ".snappy": "snappy"}
GZIP = b"\x1f\x8b"
_CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True)
class SampledFile:
    """A file of an input.

    Attributes:
        name: its path.
        open: opens its content.
    """

    name: str
    open: Callable[[], BinaryIO | io.FileIO]

    @property
    def compression(self) -> str:
        """The extension by which Spark decompresses the file; empty if it does not."""
        extension = f".{self.name.lower().rpartition('.')[2]}"
        return extension if extension in {**STREAMS, **BLOCKS} else ""

    def beginning(self, compression: str | None = None) -> tuple[bytes, bool]:
        """Return the first bytes, with a whole line at least, and whether they are all.

        Args:
            compression: extension of another compression than that of the name.

        Raises:
            OSError: the file cannot be read or decompressed, or its first line is too long.
        """
        content = bytearray()
        has_line = False
        with self.open() as file:
            for chunk in _chunks(file, self.compression if compression is None else compression):
                content += chunk
                has_line = has_line or b"\n" in chunk
                if len(content) >= (FIRST_BYTES if has_line else MAX_LINE_BYTES):
                    return bytes(content), False
        return bytes(content), True


def _chunks(file: BinaryIO | io.FileIO, compression: str) -> Iterator[bytes]:
    if compression in BLOCKS:
        yield from _blocks(file, BLOCKS[compression])
        return
    stream: Any = file
    if compression:
        stream = pa.input_stream(file, compression=STREAMS[compression])
    while chunk := stream.read(_CHUNK_BYTES):
        yield chunk


def _blocks(file: BinaryIO | io.FileIO, codec: str) -> Iterator[bytes]:
    """Yield the parts of a file of Hadoop's: a block is its length, and parts with theirs."""
    while length_bytes := file.read(4):
        left = int.from_bytes(length_bytes, "big")
        while left > 0:
            length = int.from_bytes(file.read(4), "big")
            if not 0 < length <= MAX_LINE_BYTES:
                raise OSError(f"it is not compressed as Hadoop's {codec.removesuffix('_raw')}")
            part = file.read(length)
            if len(part) < length:
                raise OSError("it ends in a block")
            content = _decompressed(part, codec, min(left, MAX_LINE_BYTES))
            left -= len(content)
            yield content


def _decompressed(part: bytes, codec: str, most: int) -> bytes:
    def content(size: int) -> bytes:
        return bytes(pa.decompress(part, decompressed_size=size, codec=codec, asbytes=True))

    def fits(size: int) -> bool:
        try:
            content(size)
        except OSError:
            return False
        return True

    if codec == "snappy":
        size = number_at(part, 0)[0]
        if size > most:
            raise OSError("a block is longer than it says")
        return content(size)
    # A part does not say its length: it is the smallest room in which it fits.
    return content(bisect_left(range(most), True, key=fits))
