"""Line numbers without a second reading: counted per piece of a file, then added up.

Spark reads a file in blocks, in any order; within a block `seq` grows line by line. The number of a
line is the number of lines in the blocks before it plus its distance from the first of its block.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Block:
    """One piece of one file: `start` is its first byte, `first_seq` the `seq` of its first line."""

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
    """Return whether a file that is not compressed ended with a newline when it was listed.

    Lines and one newline each make up the file, less a byte order mark that Spark drops. A file
    that grew while it was read fits neither way and counts as unfinished: it will be read again.
    """
    return size - (line_bytes + lines) in (0, BYTE_ORDER_MARK_BYTES)


def bytes_not_seen(line_bytes: int, lines: int, size: int) -> int:
    """Return how many bytes of a file that is not compressed belong to no line that was read."""
    return max(size - (line_bytes + lines) - BYTE_ORDER_MARK_BYTES, 0)
