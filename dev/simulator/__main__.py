"""Write a simulated source: record files as a landing finds them, and the true tables.

Without `--history` it writes the connector's demo; with it, or for PostgreSQL, a random history of
one table. MongoDB has its demo only.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dev.simulator.content import Content
from dev.simulator.demos import Billing, Inventory, Shop, Web
from dev.simulator.history import CONNECTORS, random_history
from dev.simulator.landing import to_jsonl
from reference import KafkaRecord

FILES = 3
DEMOS = {
    "mariadb": Web,
    "mongodb": Content,
    "mysql": Inventory,
    "oracle": Billing,
    "sqlserver": Shop,
}


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m dev.simulator", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--connector", choices=sorted({*CONNECTORS, *DEMOS}), default="sqlserver")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--history", action="store_true", help="a random history, not the demo")
    parser.add_argument("--transactions", action="store_true", help="with a transaction topic, too")
    options = parser.parse_args(arguments)
    out: Path = options.out

    if options.history and options.connector not in CONNECTORS:
        parser.error(f"--history: {options.connector} has none; leave it out for its demo")
    if options.connector in DEMOS and not options.history:
        demo = DEMOS[options.connector](options.seed, transactions=options.transactions)
        records, truth = demo.records, demo.truth()
        _write(out / "truth" / "_columns.json", json.dumps(demo.described(), indent=2) + "\n")
    else:
        history = random_history(
            options.seed, options.connector, transaction_topic=options.transactions
        )
        records = [*history.records, *history.boundaries]
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
