"""Write a random history of one table: record files as a landing finds them, and the true rows."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from dev.recorder.writer import write_json, write_json_lines
from dev.simulator.history import CONNECTORS, random_history
from dev.simulator.landing import to_jsonl

FILES = 3


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m dev.simulator", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--connector", choices=sorted(CONNECTORS), default="sqlserver")
    parser.add_argument("--out", type=Path, required=True, help="folder to write; new or empty")
    options = parser.parse_args(arguments)

    history = random_history(options.seed, options.connector)
    out: Path = options.out
    for folder in ("records", "truth"):
        (out / folder).mkdir(parents=True)
    write_json(out / "source.json", history.source_config())
    size = -(-len(history.records) // FILES)
    for number in range(FILES):
        part = to_jsonl(history.records[number * size : (number + 1) * size])
        (out / "records" / f"part-{number + 1:04d}.jsonl").write_text(part, encoding="utf-8")
    rows = [*history.truth.values(), *map(json.loads, history.truth_multiset.elements())]
    write_json_lines(out / "truth" / f"{history.table.name}.jsonl", rows)


if __name__ == "__main__":
    main()
