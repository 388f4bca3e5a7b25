"""A recording of some of its tables: what a test needs no more of runs faster."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path


def write_part(recording: Path, folder: Path, *, without: Collection[str]) -> Path:
    """Write `records/` and `truth/` of a recording without some tables, `<schema>.<table>`.

    Records of no table (transactions, heartbeats, messages) stay. Returns the folder.
    """
    for name in ("records", "truth"):
        (folder / name).mkdir(parents=True)
    for part in (recording / "records").iterdir():
        lines = part.read_text(encoding="utf-8").split("\n")
        kept = [line for line in lines if not line or _table(line) not in without]
        (folder / "records" / part.name).write_text("\n".join(kept), encoding="utf-8")
    described = json.loads((recording / "truth" / "_columns.json").read_text(encoding="utf-8"))
    assert set(without) <= set(described), f"{recording.name} has no table of {without}"
    kept_tables = {name: table for name, table in described.items() if name not in without}
    (folder / "truth" / "_columns.json").write_text(json.dumps(kept_tables), encoding="utf-8")
    for name in kept_tables:
        file = f"{name}.jsonl"
        (folder / "truth" / file).write_bytes((recording / "truth" / file).read_bytes())
    return folder


def _table(line: str) -> str:
    return str(json.loads(line)["topic"]).partition(".")[2]
