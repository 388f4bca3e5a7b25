"""Line numbers from one reading: lines are counted per block of a file, then added up.

Spark reads a file in blocks, in any order; within a block `seq` grows line by line. The number of a
line is the number of lines in earlier blocks plus its distance from the first line of its block.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Block:
    """One block of one file: `start` is its first byte, `first_seq` the `seq` of its first line."""

    path: str
    start: int
    first_seq: int
    last_seq: int
    lines: int
    line_bytes: int
    lines_before: int = 0

    def number(self, seq: int) -> int:
        """Return the 1-based line number of the line with this `seq`."""
        return self.lines_before + seq - self.first_seq + 1


def number_blocks(blocks: list[Block]) -> None:
    """Fill in `lines_before`."""
    before: dict[str, int] = {}
    for block in sorted(blocks, key=lambda block: (block.path, block.start)):
        block.lines_before = before.get(block.path, 0)
        before[block.path] = block.lines_before + block.lines


BYTE_ORDER_MARK_BYTES = 3


def ends_with_newline(line_bytes: int, lines: int, size: int) -> bool:
    """Return whether an uncompressed file ended with a newline when it was listed.

    Its size is then that of the lines with one newline each, and of a byte order mark, which Spark
    drops. A file that grew while it was read has another size. It counts as unfinished and will be
    read again.
    """
    return size - (line_bytes + lines) in (0, BYTE_ORDER_MARK_BYTES)


def unread_bytes(line_bytes: int, lines: int, size: int) -> int:
    """Return how many bytes of an uncompressed file belong to no line that Spark read."""
    return max(size - (line_bytes + lines) - BYTE_ORDER_MARK_BYTES, 0)
