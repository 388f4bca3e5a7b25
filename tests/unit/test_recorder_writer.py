from __future__ import annotations

import json
from pathlib import Path

import pytest

from dev.recorder.writer import write_json_lines, write_parts


def test_a_row_is_one_line_whatever_its_text(tmp_path: Path) -> None:
    rows = [{"text": "line\nbreak \u2028 🦕"}, {"text": None}]
    path = tmp_path / "rows.jsonl"
    assert write_json_lines(path, rows) == 2
    data = path.read_bytes()
    assert data.count(b"\n") == 2 and data.endswith(b"\n")
    assert [json.loads(line) for line in data.split(b"\n")[:-1]] == rows


def test_parts_keep_the_order_and_lose_nothing(tmp_path: Path) -> None:
    rows = [{"n": n} for n in range(7)]
    assert write_parts(tmp_path / "records", rows, rows_per_part=3) == 3
    files = sorted((tmp_path / "records").iterdir())
    assert [file.name for file in files] == [
        "part-0001.jsonl",
        "part-0002.jsonl",
        "part-0003.jsonl",
    ]
    read = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert read == rows


def test_a_part_needs_rows(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least 1, got 0"):
        write_parts(tmp_path / "records", [], rows_per_part=0)
