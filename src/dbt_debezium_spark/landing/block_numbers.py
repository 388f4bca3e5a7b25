"""What the blocks of a reading tell of its files: line numbers, a cut last line, missing bytes.

Spark reads a file in blocks, in any order; within a block `seq` grows line by line. The number of a
line is the number of lines in earlier blocks plus its distance from the first line of its block.
So lines get numbers from one reading: they are counted per block, then added up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from dbt_debezium_spark.landing.ledger import Entry
from dbt_debezium_spark.landing.reading_result import Group
from dbt_debezium_spark.landing.statements import rows_as_sql

PLACES = {
    "path": "string",
    "block": "bigint",
    "file": "string",
    "shift": "bigint",
    "cut_seq": "bigint",
    "compressed": "boolean",
}
_BYTE_ORDER_MARK_BYTES = 3


@dataclass
class Block:
    """One block of one file: `start` is its first byte, `first_seq` the `seq` of its first line."""

    start: int
    first_seq: int
    last_seq: int
    lines: int = 0
    line_bytes: int = 0


def blocks_of(groups: Iterable[Group]) -> dict[str, list[Block]]:
    """Return the blocks of each file in their order."""
    blocks: dict[tuple[str, int], Block] = {}
    for group in groups:
        new = Block(group.block, group.first_seq, group.last_seq)
        block = blocks.setdefault((group.path, group.block), new)
        block.first_seq = min(block.first_seq, group.first_seq)
        block.last_seq = max(block.last_seq, group.last_seq)
        block.lines += group.rows
        block.line_bytes += group.line_bytes
    by_path: dict[str, list[Block]] = defaultdict(list)
    for path, start in sorted(blocks):
        by_path[path].append(blocks[path, start])
    return by_path


def places_of(entries: Mapping[str, Entry], blocks: Mapping[str, list[Block]]) -> str:
    """Return the SELECT of a row for each block, from which its lines get their numbers.

    `seq + shift` is the number of a line. `cut_seq` is the `seq` of the last line of a file, if
    that line may be unfinished.

    Args:
        entries: by path the entry of each file.
        blocks: by path the blocks of each file.
    """
    rows = []
    for path, of_file in blocks.items():
        file = entries[path].file
        # The size is that of the lines with one newline each, and of a byte order mark, which Spark
        # drops. A file that grew while it was read has another size: it will be read again.
        is_whole = file.size - _size(of_file) in (0, _BYTE_ORDER_MARK_BYTES)
        may_be_cut = not file.is_parquet and (file.is_compressed or not is_whole)
        cut = of_file[-1].last_seq if may_be_cut else None
        before = 0
        for block in of_file:
            shift = before - block.first_seq + 1
            rows.append((path, block.start, file.name, shift, cut, file.is_compressed))
            before += block.lines
    return rows_as_sql(rows, PLACES)


def whole_places(entries: Mapping[str, Entry]) -> str:
    """Return the SELECT of places for files whose rows have their numbers, from 0, as `seq`."""
    rows = [(path, 0, entry.file.name, 1, None, False) for path, entry in entries.items()]
    return rows_as_sql(rows, PLACES)


def missing_bytes(
    entries: Mapping[str, Entry], blocks: Mapping[str, list[Block]], unread: Collection[str]
) -> dict[str, int]:
    """Return how many bytes of each uncompressed file belong to no line that Spark read.

    Args:
        entries: by path the entry of each file.
        blocks: by path the blocks of each file.
        unread: paths of files that were not read at all.
    """
    missing = {
        path: entry.file.size - _size(blocks.get(path, ())) - _BYTE_ORDER_MARK_BYTES
        for path, entry in entries.items()
        if path not in unread and not entry.file.is_parquet and not entry.file.is_compressed
    }
    return {path: count for path, count in missing.items() if count > 0}


def _size(blocks: Collection[Block]) -> int:
    return sum(block.line_bytes + block.lines for block in blocks)
