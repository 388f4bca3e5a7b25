"""What the source tables held when a recording had come so far, by replaying it in arrival order.

`recorder.replay` shares no code with the models, and knows the whole order, which no consumer of
the files does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from dev.recorder.replay import _replay

SIGNALS = "public.debezium_signal"


def write_prefix_truth(folder: Path, recording: Path, parts: Sequence[Path]) -> int:
    """Write `truth/` for the first parts of a recording into a folder; returns how many rows."""
    records = [
        json.loads(line)
        for part in parts
        for line in part.read_text(encoding="utf-8").split("\n")
        if line
    ]
    described = json.loads((recording / "truth" / "_columns.json").read_text(encoding="utf-8"))
    columns = _newest_columns(records)
    truth = folder / "truth"
    truth.mkdir(parents=True)
    written: dict[str, Any] = {}
    count = 0
    for table, rows in _replay(records).items():
        if table == SIGNALS:
            continue
        types = {column["name"]: column["type"] for column in described[table]["columns"]}
        names = columns[table]
        # of a column that is gone in the end no type is known: it is compared as it is
        written[table] = {"columns": [{"name": n, "type": types.get(n, "text")} for n in names]}
        lines = [json.dumps({n: _plain(row.get(n)) for n in names}) + "\n" for row in rows]
        (truth / f"{table}.jsonl").write_text("".join(lines), encoding="utf-8")
        count += len(lines)
    (truth / "_columns.json").write_text(json.dumps(written), encoding="utf-8")
    return count


def _newest_columns(records: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    columns = {}
    for record in records:
        value = json.loads(record["value"]) if record["value"] else {}
        payload = value.get("payload")
        if not isinstance(payload, dict) or not payload.get("after"):
            continue
        table = f"{payload['source']['schema']}.{payload['source']['table']}"
        columns[table] = list(payload["after"])
    return columns


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Decimal) else value
