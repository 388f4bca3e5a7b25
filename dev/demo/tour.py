"""What to look at after the demo: five commands, printed as they are typed in the clone."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console


@dataclass(frozen=True)
class Stop:
    """One thing to look at.

    Attributes:
        shows: what the command shows.
        command: its text, without the folder of the program.
        opens: the page that it writes.
    """

    shows: str
    command: str
    opens: str = ""


STOPS = (
    Stop(
        "A row explained: four of its records lack the TOAST value, and one arrived twice",
        "debezium-spark explain public.customers 10 --profiles-dir profiles",
    ),
    Stop(
        "A quarantined record: what was not read, and why (here: by `ignore_records`)",
        'dbt show --profiles-dir profiles --output json --inline "\n'
        "  select topic, partition, offset, reason from {{ ref('debezium_obs__quarantine') }}\"",
    ),
    Stop(
        "A table as of an instant: the customers in the middle of the recording",
        'dbt show --profiles-dir profiles --limit 30 --inline "\n'
        "  select id, name, balance, _cdc_began_by,\n"
        "      date_format(_cdc_valid_from, 'HH:mm:ss.SSS') as since,\n"
        "      date_format(_cdc_valid_to, 'HH:mm:ss.SSS') as until\n"
        "  from {{ debezium_spark.as_of(\n"
        "      ref('hist_shop__customers'), \\\"timestamp '2026-11-21 20:48:23'\\\"\n"
        "  ) }}\n"
        '  order by id"',
    ),
    Stop(
        "dbt docs: every table and column with its description, and the lineage",
        "dbt docs generate --static --profiles-dir profiles",
        "target/static_index.html",
    ),
    Stop(
        "The report: the state of every table, and the lag of every landing",
        "debezium-spark status --html target/status.html --profiles-dir profiles",
        "target/status.html",
    ),
)


def programs(folder: Path) -> str:
    """Return the folder of this environment's programs, as one types it in the clone."""
    path = Path(sys.executable).parent
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def show(console: Console, folder: Path) -> None:
    """Print the commands; `folder` is the clone."""
    console.rule("Five things to look at, each one command")
    for number, stop in enumerate(STOPS, start=1):
        opens = f"; then open {stop.opens}" if stop.opens else ""
        console.print(f"\n{number}. {stop.shows}{opens}\n", markup=False, highlight=False)
        # as it is, so that it can be copied
        text = f"{programs(folder)}/{stop.command}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
