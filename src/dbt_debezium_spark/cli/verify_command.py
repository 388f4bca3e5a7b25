"""`debezium-spark verify`."""

from __future__ import annotations

import json
from typing import Any

import typer

from dbt_debezium_spark.cli.console import EXIT_DRIFT, exit_codes, out
from dbt_debezium_spark.verify import NotVerified, verify
from dbt_debezium_spark.verify.text import lines


def run(table: str, against: str, as_json: bool, **options: Any) -> None:
    """Compare a table and print what differs; the process ends with 1 if something does."""
    with exit_codes(NotVerified):
        found = verify(table, against, **options)
    for row in found["rows"]:
        row["explained"].pop("lines", None)
    text = json.dumps(found, indent=2) if as_json else "\n".join(lines(found))
    out.print(text, markup=False)
    if found["differing"]:
        raise typer.Exit(EXIT_DRIFT)
