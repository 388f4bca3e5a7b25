"""`python -m dev.benchmarks.rare`: what a batch costs when it holds what is rare.

Each case is a batch of as many events on the same state, as a ratio to an ordinary batch in the
same run: updates that lack a value, events that arrive behind later ones, events that were
delivered before, key changes whose new row has unavailable values, ordinary events of such rows,
and a TRUNCATE.
"""

from __future__ import annotations

from typing import Annotated

import typer
from pyspark.sql import DataFrame
from pyspark.sql.functions import expr
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.bench import WINNERS, WRITE, Bench, Log
from dev.benchmarks.frame import OURS
from dev.benchmarks.records import NO_HEADERS, event_records

ORDINARY, LACKING = "ordinary", "updates that lack a value (TOAST)"
LATE, REPEATED = "late: a file arrives behind the next one", "repeated: a file again, as new events"
MOVED, TRUNCATED = "key changes with unavailable values", "a TRUNCATE among the events"
AFTER_MOVED = "ordinary, rows of such key changes among them"
CASES = (LACKING, LATE, REPEATED, MOVED, AFTER_MOVED, TRUNCATED)
PLACEHOLDER = "__debezium_unavailable_value"
SCHEMA = "rare"


class RareLog(Log):
    """A log that what is rare is landed in."""

    def lacking(self, count: int) -> DataFrame:
        """Return events whose updates lack the value of `note`."""
        value = f"""case when value like '%"op":"u"%'
            then regexp_replace(value, '"note":"[^"]*"', '"note":"{PLACEHOLDER}"') else value end"""
        return self.events(count).withColumn("value", expr(value))

    def moved(self, count: int) -> DataFrame:
        """Return `count` records of key changes, from keys of the snapshot to keys beyond them.

        Each is a delete, its tombstone, and an insert whose `note` is unavailable.
        """
        first, self.next = self.next, self.next + count
        number = f"((n - {first}) div 3)"
        old = f"({number} * {max(self.rows * 3 // count, 1)})"
        new = f"({number} + {first + self.rows})"

        def header(name: str, key: str) -> str:
            value = f"concat('{{\"id\":', {key}, '}}')"
            return f"array(named_struct('key', '__debezium.{name}', 'value', {value}))"

        return event_records(
            self.bench.spark,
            first,
            count,
            0,
            key=f"if((n - {first}) % 3 = 2, {new}, {old})",
            op=f"element_at(array('d', 'tombstone', 'c'), cast((n - {first}) % 3 as int) + 1)",
            note=f"'{PLACEHOLDER}'",
            headers=f"""case (n - {first}) % 3
                when 0 then {header("newkey", new)}
                when 2 then {header("oldkey", old)}
                else {NO_HEADERS}
            end""",
        )

    def truncated(self, count: int) -> DataFrame:
        """Return events with a TRUNCATE in their middle."""
        half = count // 2
        before = self.events(half)
        first, self.next = self.next, self.next + 1
        truncate = event_records(self.bench.spark, first, 1, 0, key="n", op="'t'")
        return before.union(truncate).union(self.events(count - half - 1))


def measure(bench: Bench, rows: int, count: int, repeats: int) -> None:
    """Run ordinary batches, and after them the cases in turn."""
    log = RareLog(bench, SCHEMA, rows)
    log.run("warm-up", log.events(count))
    for _round in range(repeats):
        log.run(ORDINARY, log.events(count))
        log.run(LACKING, log.lacking(count))
        missing, log.next = log.next, log.next + count
        log.run(ORDINARY, log.events(count))
        log.run(LATE, log.events(count, missing))
        again = log.events(count)
        log.run(ORDINARY, again)
        log.next += count
        log.run(REPEATED, again.withColumn("offset", expr(f"`offset` + {count}")))
    # later batches that touch these rows are folded from the log: behind what is compared
    for _round in range(repeats):
        log.run(MOVED, log.moved(count))
        log.run(AFTER_MOVED, log.events(count))
    # it leaves few rows, so that it is the last
    for _round in range(repeats):
        log.run(TRUNCATED, log.truncated(count))


def cases_table(bench: Bench) -> Table:
    """Return the medians of every case, and their ratio to an ordinary batch."""
    title = "batches: seconds (median), and ratio to an ordinary one"
    table = frame.table(title, "batch", "staging", "state", "ratio")
    ordinary = sum(bench.median(f"{ORDINARY}: {layer}", OURS) for layer in (WRITE, WINNERS))
    for case in (ORDINARY, *CASES):
        layers = [bench.median(f"{case}: {layer}", OURS) for layer in (WRITE, WINNERS)]
        ratio = sum(layers) / ordinary
        table.add_row(case, *(f"{seconds:.1f}" for seconds in layers), f"{ratio:.2f}")
    return table


def main(
    rows: Annotated[int, typer.Option(help="Rows of the state.")] = 500_000,
    events: Annotated[int, typer.Option(help="Events of a batch.")] = 5_000,
    repeats: frame.Repeats = 3,
    target: frame.Target = "iceberg",
) -> None:
    """Measure the cases; by default a batch touches 1 % of the keys."""
    with frame.new_folder("rare") as folder:
        bench = Bench(folder, target)
        measure(bench, rows, events, repeats)
        frame.show(cases_table(bench))


if __name__ == "__main__":
    typer.run(main)
