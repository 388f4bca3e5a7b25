"""How every table is, as rows: what the macros found, and dbt's last run. Nothing is judged here.

What a test of a view does not allow is wrong (`observability.SUBJECTS`), so are late tables and
failed models.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Report = dict[str, Any]
# What is shown first, where several tables have something wrong; others follow.
WORST_FIRST = ("run", "late", "lost", "unexplained", "quarantine", "transactions")
FAILED = ("error", "fail", "runtime error", "partial success", "skipped")


class NoStatus(ValueError):
    """There is nothing to report on; the text says what to do."""


def read_last_run(target_dir: Path) -> Report | None:
    """Return what `run_results.json` says; None without.

    The result has `command`, `at`, `results` (count by status), and `failed`: `id` and `status` of
    the nodes that failed or were skipped.

    Raises:
        NoStatus: the file is not what dbt writes.
    """
    file = target_dir / "run_results.json"
    if not file.is_file():
        return None
    try:
        run = json.loads(file.read_text(encoding="utf-8"))
        results = [{"id": one["unique_id"], "status": one["status"]} for one in run["results"]]
        return {
            "command": run["args"].get("which"),
            "at": run["metadata"]["generated_at"],
            "results": dict(sorted(Counter(one["status"] for one in results).items())),
            "failed": [one for one in results if one["status"] in FAILED],
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NoStatus(
            f"debezium_spark: {file} is not what dbt writes ({error!r}). Delete it, or run dbt."
        ) from error


def report_of(facts: Mapping[str, Any], last_run: Mapping[str, Any] | None) -> Report:
    """Return the report.

    Args:
        facts: of macro `status_facts`, whose page shows them.
        last_run: of `read_last_run`.

    Returns:
        `is_well`, `wrong` (how many rows have something wrong), `as_of`, `last_run`, `findings`
        (names of the columns with counts), `batches`, and `tables`: the worst first, each with
        `source`, `table` (None for what belongs to no table), columns of the view, counts, bytes,
        and `wrong`, texts by what is wrong.
    """
    rows: dict[tuple[str, str | None], Report] = {}

    def row_of(source: str, table: str | None) -> Report:
        new: Report = {"source": source, "table": table, "wrong": {}}
        new |= dict.fromkeys(facts["findings"], 0)
        return rows.setdefault((source, table), new)

    for found in facts["tables"]:
        row = row_of(found["source_name"], found["table_name"])
        row.update({name: found[name] for name in found.keys() - {"source_name", "table_name"}})
        if found["is_late"]:
            waits = f" ({found['waits_for']})" if found.get("waits_for") else ""
            row["wrong"]["late"] = f"{found.get('late_because', 'since the last build')}{waits}"
        row["wrong"].update({name: str(found[name]) for name in row.pop("fails")})
    for size in facts["sizes"]:
        row_of(size["source_name"], size["table_name"])[f"{size['layer']}_bytes"] = size["bytes"]
    for name, counts in facts["findings"].items():
        for count in counts:
            row = row_of(count["source_name"], count.get("table_name"))
            row[name] = count["found"]
            row["wrong"][name] = str(count["found"])
    failed = last_run["failed"] if last_run else []
    # an error is why others were skipped
    for one in sorted(failed, key=lambda one: one["status"] != "skipped"):
        if one["id"] in facts["models"]:
            row_of(*facts["models"][one["id"]])["wrong"]["run"] = one["status"]
    for row in rows.values():
        row["wrong"] = dict(sorted(row["wrong"].items(), key=lambda one: _place(one[0])))
    wrong = sum(bool(row["wrong"]) for row in rows.values())
    return {
        "is_well": not wrong and not failed,
        "wrong": wrong,
        "as_of": next((row["as_of"] for row in rows.values() if "as_of" in row), None),
        "last_run": last_run,
        "findings": ["unexplained", "unavailable_values", *facts["findings"]],
        "tables": sorted(rows.values(), key=_order),
        "batches": facts["batches"],
    }


def _order(row: Report) -> tuple[int, str, bool, str]:
    worst = min(map(_place, row["wrong"]), default=len(WORST_FIRST) + 1)
    return worst, row["source"], row["table"] is None, row["table"] or ""


def _place(what: str) -> int:
    return WORST_FIRST.index(what) if what in WORST_FIRST else len(WORST_FIRST)
