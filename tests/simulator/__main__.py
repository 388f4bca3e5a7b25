"""Write a simulated source: record files as a landing finds them, and the true tables.

`--connector sqlserver` without `--history` writes the demo shop, `--connector mongodb` the demo's
content store; with `--history`, or for PostgreSQL, a random history of one table.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.reference import KafkaRecord
from tests.simulator.content import Content
from tests.simulator.history import CONNECTORS, random_history
from tests.simulator.landing import to_jsonl
from tests.simulator.shop import run_shop

FILES = 3


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulator", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--connector", choices=[*sorted(CONNECTORS), "mongodb"], default="sqlserver"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--history", action="store_true", help="a random history, not the shop")
    options = parser.parse_args(arguments)
    out: Path = options.out

    if options.connector == "mongodb":
        content = Content(options.seed)
        records, truth = content.records, content.truth()
        _write(out / "truth" / "_columns.json", json.dumps(content.described(), indent=2) + "\n")
    elif options.connector == "sqlserver" and not options.history:
        shop = run_shop(options.seed)
        records, truth = shop.records, shop.truth()
        _write(out / "truth" / "_columns.json", json.dumps(shop.described(), indent=2) + "\n")
    else:
        history = random_history(options.seed, options.connector)
        records = history.records
        rows = list(history.truth.values())
        rows += [json.loads(text) for text in history.truth_multiset.elements()]
        truth = {history.table.name: rows}
        _write(out / "source.json", json.dumps(history.source_config(), indent=2) + "\n")
    _write_records(out / "records", records)
    for table, of_table in truth.items():
        _write(out / "truth" / f"{table}.jsonl", _lines(of_table))


def _write_records(folder: Path, records: list[KafkaRecord]) -> None:
    size = -(-len(records) // FILES)
    for number in range(FILES):
        part = records[number * size : (number + 1) * size]
        _write(folder / f"part-{number + 1:04d}.jsonl", to_jsonl(part))


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
