"""What a comparison found, as a mapping and as text. Names and values are strangers'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dbt_debezium_spark.explain.text import cut
from dbt_debezium_spark.explain.text import lines as explained_lines
from dbt_debezium_spark.text.literals import printable

_WORDS = {
    "missing here": "not in the table",
    "missing there": "not there",
    "count": "not equally often",
    "value": "with other values",
}
_SHOWN_RANGES = 10


def comparison(
    model: Mapping[str, Any],
    request: Mapping[str, Any],
    began: str | None,
    columns: Sequence[Mapping[str, str]],
    sums: Mapping[str, int],
    ranges: Sequence[Mapping[str, Any]],
    number_of_ranges: int,
    counts: Sequence[Mapping[str, Any]],
    rows: Sequence[Mapping[str, Any]],
    newest: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what was found: docs/verify.md.

    Args:
        model: of the table: `explain.find_table`.
        request: of `verify`.
        began: when the reading began, None if that is not known.
        columns: that are not compared, and why.
        sums: numbers of rows `here` and `there`.
        ranges: those whose rows were looked at.
        number_of_ranges: of all.
        counts: numbers of rows by verdict, and the columns of them that cannot be compared.
        rows: the first that differ, with their explanations.
        newest: record of the source, `at`, and whether it `is_before` the reading.
    """
    verdicts: Counter[str] = Counter()
    unavailable: Counter[str] = Counter()
    unreadable: Counter[str] = Counter()
    equal = sums["here"]
    for count in counts:
        verdicts[count["what"]] += count["rows"]
        equal -= count["here"]
        if count["what"] != "changed":
            unavailable.update(dict.fromkeys(count["unavailable"], count["rows"]))
            unreadable.update(dict.fromkeys(count["unreadable"], count["rows"]))
    different = {what: verdicts[what] for what in _WORDS if verdicts[what]}
    notes = []
    if different and newest["is_before"]:
        notes.append(
            f"The newest record of source {model['source']} is of {newest.get('at')}, before the"
            f" reading began at {began}: changes that have not landed look like differences."
            " Add --build, or run `dbt build` and verify again."
        )
    return {
        **{"source": model["source"], "table": model["table"], "as_of": request.get("as_of")},
        **{"against": request["against"].partition("?")[0], "began": began, **sums},
        **{"equal": equal, "different": different, "differing": sum(different.values())},
        "not_compared": {
            **{"columns": list(columns), "changed": verdicts["changed"]},
            **{"unavailable": dict(unavailable), "unreadable": dict(unreadable)},
        },
        "ranges": {"all": number_of_ranges, "looked_at": list(ranges)},
        **{"rows": list(rows), "notes": notes},
    }


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return the lines that a person reads."""
    return [printable(line) for line in _lines(found)]


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    at = f" as of {found['as_of']}" if found["as_of"] else ""
    began = f", read from {found['began']} on" if found["began"] else ""
    yield f"{found['table']} (source {found['source']}){at} against {found['against']}{began}"
    looked_at = found["ranges"]["looked_at"]
    told = f"{len(looked_at)} of {found['ranges']['all']} ranges looked at"
    yield f"{found['here']:,} rows here, {found['there']:,} there, {found['equal']:,} equal; {told}"
    for one in looked_at[:_SHOWN_RANGES]:
        if one.get("first") is not None:
            span = f"{one['first']} to {one['last']}"
            yield f"  range {span}: {one['here']:,} rows here, {one['there']:,} there"
    for what, rows in found["different"].items():
        yield f"{rows:,} rows differ: {_WORDS[what]}"
    yield from _not_compared(found["not_compared"])
    yield from found["notes"]
    for row in found["rows"]:
        yield ""
        times = f" ({row['here']} here, {row['there']} there)" if row["what"] == "count" else ""
        yield f"{row['row_key']}: {row['what']}{times}"
        for one in row["differs"]:
            yield f"  {one['column']}: {cut(one['here'])} here, {cut(one['there'])} there"
        explained = row["explained"]
        if "outcome" in explained:
            yield from (f"  | {line}" for line in explained_lines(explained))
        else:
            yield f"  | {explained['problem']}"


def _not_compared(found: Mapping[str, Any]) -> Iterator[str]:
    if found["changed"]:
        yield f"{found['changed']:,} rows not compared: they changed during the reading"
    for column, rows in found["unavailable"].items():
        yield f"{rows:,} rows not compared in {column}: no record has its value"
    for column, rows in found["unreadable"].items():
        yield f"{rows:,} rows not compared in {column}: the value there is none of its type"
    for one in found["columns"]:
        yield f"column {one['column']} not compared: {one['why']}"
