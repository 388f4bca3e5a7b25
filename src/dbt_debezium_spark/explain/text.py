"""An explanation as text. Names and values are strangers': all of it is made printable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dbt_debezium_spark.explain.events import short
from dbt_debezium_spark.text.literals import printable

MOST = 200  # characters of a value


def lines(explained: Mapping[str, Any]) -> list[str]:
    """Return the lines that a person reads."""
    return [printable(line) for line in _lines(explained)]


def _lines(explained: Mapping[str, Any]) -> Iterator[str]:
    at = f", as of {explained['as_of']}" if explained["as_of"] else ""
    yield f"{explained['table']} (source {explained['source']}), key {explained['key']}{at}"
    for record in explained["records"]:
        yield ""
        yield from _record_lines(record)
    yield ""
    outcome = explained["outcome"]
    yield f"{outcome['text']}{_link(outcome)}"
    rows = explained["row"] if isinstance(explained["row"], list) else [explained["row"]]
    for row in filter(None, rows):
        for name, value in row.items():
            yield f"  {name}: {cut(value)}"
    yield from explained["notes"]


def _record_lines(record: Mapping[str, Any]) -> Iterator[str]:
    effect = "applied" if record["is_applied"] else "not applied"
    yield f"{record['number']}. {record['op'] or 'no event'} {record['event_id']}: {effect}"
    yield f"   {record['verdict']}: {record['rule']}{_link(record)}"
    mark = f", below the mark {record['mark']}" if record["mark"] else ""
    yield f"   batch {record['batch_id']}, position {record['position'] or 'none'}{mark}"
    yield (
        f"   recorded {record['recorded_at']}, at the source {record['source_at'] or 'unknown'},"
        f" landed {record['landed_at'] or 'unknown'}"
    )
    for words, name in (("its key was", "previous_key"), ("its key became", "next_key")):
        if record[name]:
            yield f"   {words} {record[name]}"
    if record["lacks"]:
        yield f"   came without: {', '.join(record['lacks'])}"
    for name, before, now in record["changed"]:
        was = "" if record["is_first"] else f"{cut(before)} -> "
        yield f"     {name}: {was}{cut(now)}"
    if "change" in record:
        yield f"     {record['change']:+d} {short(record['row'])}"
    for end in record["ends"]:
        yield f"   then {end['text']}{_link(end)}"


def cut(value: Any) -> str:
    """Return a value on one line, of which the end is left out if it is long."""
    text = short(value)
    return text if len(text) <= MOST else f"{text[:MOST]}… ({len(text):,} characters)"


def _link(linked: Mapping[str, Any]) -> str:
    return f" ({linked['link']})" if linked.get("link") else ""
