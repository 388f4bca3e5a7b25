"""JSON and JSON lines on disk, written the same way on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def write_json(path: Path, value: Any) -> None:
    """Write one indented JSON document."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_json_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write one compact JSON object a line, lines end with LF; return their number."""
    count = 0
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            # U+2028 and its like stay as they are: only LF ends a line of JSON lines.
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    return count


def write_parts(folder: Path, records: Sequence[Mapping[str, Any]], rows_per_part: int) -> int:
    """Write records as `part-0001.jsonl` and on, in arrival order.

    Args:
        folder: is created.
        records: in the order the broker got them.
        rows_per_part: at least one.

    Returns:
        The number of files.
    """
    if rows_per_part < 1:
        raise ValueError(f"rows_per_part must be at least 1, got {rows_per_part}")
    folder.mkdir(parents=True)
    parts = 0
    for start in range(0, len(records), rows_per_part):
        parts += 1
        write_json_lines(folder / f"part-{parts:04d}.jsonl", records[start : start + rows_per_part])
    return parts
