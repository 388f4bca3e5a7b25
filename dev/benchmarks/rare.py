"""`python -m dev.benchmarks.rare`: what a batch costs when it holds what is rare.

Each case is a batch of as many events on the same state, as a ratio to an ordinary batch in the
same run: events that arrive behind later ones, events that were delivered before, key changes
whose new row has unavailable values, ordinary events of such rows, and a TRUNCATE.
"""

from __future__ import annotations

from typing import Annotated

import typer
from pyspark.sql import DataFrame
from pyspark.sql.functions import expr
from rich.table import Table

from dev.benchmarks import frame
from dev.benchmarks.bench import WINNERS, WRITE, Bench
from dev.benchmarks.frame import OURS
from dev.benchmarks.records import NO_HEADERS, change_records, event_records

ORDINARY = "ordinary"
LATE, REPEATED = "late: a file arrives behind the next one", "repeated: a file again, as new events"
MOVED, TRUNCATED = "key changes with unavailable values", "a TRUNCATE among the events"
AFTER_MOVED = "ordinary, rows of such key changes among them"
CASES = (LATE, REPEATED, MOVED, AFTER_MOVED, TRUNCATED)
PLACEHOLDER = "__debezium_unavailable_value"
SCHEMA = "rare"


class Log:
    """The landed records of one table: batches, each behind the last one in offsets."""

    def __init__(self, bench: Bench, rows: int) -> None:
        """Land a snapshot of `rows` rows."""
        self.bench, self.rows = bench, rows
        self.next, self.batch = rows, 1
        bench.land(SCHEMA, change_records(bench.spark, 0, rows, rows, 1, reads=True))

    def events(self, count: int, first: int | None = None) -> DataFrame:
        """Return new events, or those that begin at `first`."""
        if first is None:
            first, self.next = self.next, self.next + count
        return change_records(self.bench.spark, first, count, self.rows, 0)

    def land(self, records: DataFrame) -> None:
        """Append records as the next batch."""
        self.batch += 1
        columns = ", ".join(name for name in records.columns if name != "_cdc_batch_id")
        records.selectExpr(
            *(f"`{name}`" for name in columns.split(", ")),
            f"cast({self.batch} as bigint) as _cdc_batch_id",
        ).writeTo(f"{SCHEMA}.landed").append()

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
    log = Log(bench, rows)
    project = bench.project(SCHEMA)
    bench.ours("build", project)
    log.land(log.events(count))
    bench.ours("warm-up", project)

    def run(name: str, records: DataFrame) -> None:
        log.land(records)
        bench.ours(name, project)

    for _round in range(repeats):
        run(ORDINARY, log.events(count))
        missing, log.next = log.next, log.next + count
        run(ORDINARY, log.events(count))
        run(LATE, log.events(count, missing))
        again, log.next = log.next, log.next + count
        shift = f"`offset` + {count}"
        again_events = log.events(count, again)
        run(ORDINARY, again_events)
        log.next += count
        run(REPEATED, again_events.withColumn("offset", expr(shift)))
    # later batches that touch these rows are folded from the log: behind what is compared
    for _round in range(repeats):
        run(MOVED, log.moved(count))
        run(AFTER_MOVED, log.events(count))
    # it leaves few rows, so that it is the last
    for _round in range(repeats):
        run(TRUNCATED, log.truncated(count))


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
