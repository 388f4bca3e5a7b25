"""A report as text: cells, which the page has too, and lines. Names are strangers'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.filesize import decimal

from dbt_debezium_spark.text.literals import printable

NOTHING = "-"
_MOST_FAILED = 10
_SECONDS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def lines(report: Mapping[str, Any]) -> list[str]:
    """Return the lines that a person reads."""
    rows = cells(report)
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    aligned = (
        "  ".join(set_cell_size(*cell) for cell in zip(row, widths, strict=True)) for row in rows
    )
    return [*headlines(report), "", *map(str.rstrip, aligned)]


def headlines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many rows have something wrong, and what the last run did."""
    count = len(report["tables"])
    yield f"{report['wrong']} of {count} need attention, as of {moment(report['as_of'])}"
    run = report["last_run"]
    if run is None:
        yield "Last run: none in target/run_results.json"
        return
    results = ", ".join(f"{count} {status}" for status, count in run["results"].items())
    yield printable(f"Last run: dbt {run['command']}, {moment(run['at'])}: {results or 'nothing'}")
    failed = [one for one in run["failed"] if one["status"] != "skipped"]
    for one in failed[:_MOST_FAILED]:
        # an id is `<kind>.<project>.<name>`, and a hash behind a test's
        yield printable(f"  {one['status']}: {one['id'].split('.')[2]}")
    if len(failed) > _MOST_FAILED:
        yield f"  and {len(failed) - _MOST_FAILED} more"


def cells(report: Mapping[str, Any]) -> list[list[str]]:
    """Return the headings, and the cells of each row, all printable."""
    findings, layers = report["findings"], ("raw", "staging", "state")
    heads = ["source", "table", "newest event", "lag", "bound", "waiting", *findings, *layers]
    rows = [
        [
            row["source"],
            _text(row["table"]),
            moment(row.get("newest_source_at")),
            *(duration(row.get(name)) for name in ("lag_seconds", "max_lag_seconds")),
            *(_text(row.get(name)) for name in ("waiting_records", *findings)),
            *(_size(row.get(f"{layer}_bytes")) for layer in layers),
            ", ".join(f"{what}: {how}" for what, how in row["wrong"].items()) or NOTHING,
        ]
        for row in report["tables"]
    ]
    return [[printable(cell) for cell in row] for row in ([*heads, "wrong"], *rows)]


def moment(text: str | None) -> str:
    """Return a time in ISO 8601 without what is below a second."""
    if text is None:
        return NOTHING
    try:
        time = datetime.fromisoformat(text)
    except ValueError:  # a year that Python has no date for
        return text
    return time.isoformat(" ", "seconds").replace("+00:00", "Z")


def duration(seconds: int | None) -> str:
    """Return a time in its largest whole unit, such as `3 h`."""
    if seconds is None:
        return NOTHING
    length, unit = next((one for one in _SECONDS if abs(seconds) >= one[0]), _SECONDS[-1])
    return f"{int(seconds / length)} {unit}"


def _size(count: int | None) -> str:
    return NOTHING if count is None else decimal(count)


def _text(value: Any) -> str:
    return NOTHING if value is None else str(value)
