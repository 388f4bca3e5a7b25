"""What the blocks of a reading tell of its files: line numbers, a cut last line, missing bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.landing.blocks import (
    Block,
    ends_with_newline,
    number_blocks,
    unread_bytes,
)
from dbt_debezium_spark.landing.ledger import Entry
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


def blocks_of(counts: Iterable[Any]) -> list[Block]:
    """Return the blocks of the files read, with the number of lines before each.

    Args:
        counts: rows with `path`, `block`, `rows`, `first_seq`, `last_seq` and `line_bytes`.
    """
    blocks: dict[tuple[str, int], Block] = {}
    for row in counts:
        block = blocks.setdefault(
            (row.path, row.block), Block(row.path, row.block, row.first_seq, row.last_seq, 0, 0)
        )
        block.first_seq = min(block.first_seq, row.first_seq)
        block.last_seq = max(block.last_seq, row.last_seq)
        block.lines += row.rows
        block.line_bytes += row.line_bytes
    number_blocks(list(blocks.values()))
    return list(blocks.values())


def block_frame(session: SparkSession, reading: Reading, blocks: list[Block]) -> DataFrame:
    """Return a row per block, from which `numbered` computes the numbers of its lines.

    `cut_seq` is the `seq` of the last line of a file, if that line may be unfinished.
    """
    by_path: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        by_path[block.path].append(block)
    rows = []
    for path, of_file in by_path.items():
        file = reading.entries[path].file
        finished = ends_with_newline(
            sum(block.line_bytes for block in of_file),
            sum(block.lines for block in of_file),
            file.size,
        )
        last = max(of_file, key=lambda block: block.start)
        may_be_cut = not file.is_parquet and (file.is_compressed or not finished)
        for block in of_file:
            rows.append(
                (
                    path,
                    block.start,
                    file.name,
                    block.lines_before - block.first_seq + 1,
                    last.last_seq if may_be_cut else None,
                    file.is_compressed,
                )
            )
    return local_frame(
        session,
        rows,
        "path string, block bigint, file string, shift bigint, cut_seq bigint, compressed boolean",
    )


def missing_bytes(
    entries: Mapping[str, Entry], blocks: Iterable[Block], unread: Collection[str]
) -> dict[str, int]:
    """Return how many bytes of each uncompressed file belong to no line that Spark read.

    Args:
        entries: by path the entry of each file.
        blocks: the blocks read.
        unread: paths of files that were not read at all.
    """
    read: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for block in blocks:
        line_bytes, lines = read[block.path]
        read[block.path] = (line_bytes + block.line_bytes, lines + block.lines)
    missing = {
        path: unread_bytes(*read[path], entry.file.size)
        for path, entry in entries.items()
        if path not in unread and not entry.file.is_parquet and not entry.file.is_compressed
    }
    return {path: count for path, count in missing.items() if count}


def cut_line_reason() -> Column:
    """Return the `reason` of a numbered line, `truncated_line` for one that may be unfinished."""
    # A compressed file does not show whether its last line has a newline. A whole record ends with
    # a brace.
    cut = (
        (F.col("seq") == F.col("cut_seq"))
        & F.col("reason").startswith("malformed_line")
        & ~(F.col("compressed") & F.rtrim("content").endswith("}"))
    )
    return F.when(cut, F.regexp_replace("reason", "^malformed_line", "truncated_line")).otherwise(
        F.col("reason")
    )
