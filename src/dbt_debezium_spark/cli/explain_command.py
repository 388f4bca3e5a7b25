"""`debezium-spark explain`."""

from __future__ import annotations

import json
from pathlib import Path

from dbt_debezium_spark.cli.console import exit_codes, out
from dbt_debezium_spark.explain import NotExplained, explain
from dbt_debezium_spark.explain.text import lines


def run(
    table: str,
    key: list[str],
    *,
    source: str | None,
    as_of: str | None,
    as_json: bool,
    project_dir: Path,
    profiles_dir: Path | None,
    target: str | None,
) -> None:
    """Explain a row and print it; the process ends with 2 if the table or the key is none."""
    with exit_codes(NotExplained):
        explained = explain(
            table,
            key,
            source=source,
            as_of=as_of,
            project_dir=project_dir,
            profiles_dir=profiles_dir,
            target=target,
        )
    del explained["lines"]
    text = json.dumps(explained, indent=2) if as_json else "\n".join(lines(explained))
    out.print(text, markup=False)
