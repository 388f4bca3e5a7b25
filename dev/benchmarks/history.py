"""`python -m dev.benchmarks.history`: a batch on a large history, ours against a bare MERGE.

The bare side closes the last version of each key and inserts the new ones, by the order of offsets
alone: what a person writes by hand for a type 2 dimension.
"""

from __future__ import annotations

from typing import Annotated

import typer

from dev.benchmarks import frame
from dev.benchmarks.bench import VERSIONS, Bench, Log

SCHEMA = "versions"


def versions_of(events: str, condition: str) -> str:
    """Return SQL for the versions that events make, each until the next of its key."""
    return f"""
        select *, lead(source_at) over (partition by id order by `offset`) as valid_to
        from {events} where {condition}"""


def merge(history: str, events: str, batch_id: int) -> str:
    """Return the MERGE that closes the last versions and inserts new ones."""
    new = versions_of(events, f"_cdc_batch_id = {batch_id}")
    return f"""
        merge into {history} as t
        using (
            with new as ({new}),
            firsts as (
                select * from (
                    select *, row_number() over (partition by id order by `offset`) as place
                    from new
                ) as numbered where place = 1
            )
            select id as merge_id, * from (select * except (place) from firsts) as closing
            union all
            select cast(null as int) as merge_id, * from new where op <> 'd'
        ) as s
        on t.id = s.merge_id and t.valid_to is null
        when matched then update set t.valid_to = s.source_at
        when not matched and s.merge_id is null then insert *"""


def measure(bench: Bench, keys: int, versions: int, batch: int, repeats: int) -> None:
    """Build a history of about so many versions, and measure batches on it."""
    log = Log(bench, SCHEMA, keys, versions - keys, history=True)
    bench.spark.sql(bench.bare_events(SCHEMA))
    events, rows = f"{SCHEMA}.bare_events", f"{SCHEMA}.bare_history"
    first = f"select * from ({versions_of(events, 'true')}) as v where op <> 'd'"
    bench.spark.sql(bench.bare_rows(rows, first))
    stored = bench.spark.table(f"{log.project.schema}.versions_bench__customers")
    typer.echo(f"{stored.where('_cdc_version > 0').count():,} versions")
    log.compare(batch, repeats, VERSIONS, lambda number: merge(rows, events, number))


def main(
    keys: Annotated[int, typer.Option(help="Keys of the table.")] = 1_000_000,
    versions: Annotated[int, typer.Option(help="Events before the batches.")] = 5_000_000,
    batch: Annotated[int, typer.Option(help="Events of a batch.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Batches; the median counts.")] = 3,
    target: frame.Target = "iceberg",
) -> None:
    """Measure batches on a history, after one that warms up."""
    title = "a batch on a history: seconds (median), and ratio to a bare MERGE"
    table = frame.table(title, "work", "bare", "ours", "ratio")
    with frame.new_folder("history") as folder:
        bench = Bench(folder, target)
        measure(bench, keys, versions, batch, repeats)
        table.add_row(VERSIONS, *bench.sides(f"batch: {VERSIONS}"))
        frame.show(table)


if __name__ == "__main__":
    typer.run(main)
