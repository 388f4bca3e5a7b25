"""An explanation, from what the macros found: records with verdicts, and what came of the row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dbt_debezium_spark.verdicts import PAGE, VERDICTS

Answer = dict[str, Any]
Records = list[dict[str, Any]]
QUARANTINED, IGNORED = "docs/operations.md#quarantine", "docs/operations.md#leaving-a-record-out"
# rules that the walk's table does not have: verdict, rule, link
_OTHERS = {
    "quarantined": ("it is no event", QUARANTINED),
    "counts": ("it adds or removes a row", f"{PAGE}#tables-without-a-key"),
    "ended": ("a later snapshot or a truncate ended it", f"{PAGE}#tables-without-a-key"),
}
_ENDS = {
    "truncate": ("removed by TRUNCATE", f"{PAGE}#truncates"),
    "drop": ("removed with its dropped table", f"{PAGE}#truncates"),
    "snapshot": ("closed by a complete snapshot without it", f"{PAGE}#closing"),
}


def read(texts: Iterable[str]) -> Records:
    """Return JSON objects; numbers that a float may round stay texts."""
    return [json.loads(text, parse_float=str) for text in texts]


def explained(
    model: Mapping[str, Any],
    key: str,
    texts: Sequence[str],
    facts: Mapping[str, Sequence[str]],
    as_of: str | None,
) -> Answer:
    """Return the explanation of a row of a table with a key.

    Args:
        model: of the table: `asked.find_table`.
        key: canonical text of the key.
        texts: of the key's events, in the order of arrival.
        facts: texts by kind: `state`, `quarantined`, `searched`, `ignored`, and `versions`.
        as_of: an instant; None for the row as it stands.
    """
    events = read(texts)
    for event in events:
        event["row"] = event["row"] and read([event["row"]])[0]
    return of_events(model, key, events, facts, as_of)


def chains(links: Iterable[str]) -> str:
    """Return every life that each life descends from, with the number of steps, as JSON."""
    nearest = {(link["row_key"], link["life"]): link for link in read(links)}
    found = []
    for life in nearest:
        depth, seen, place = 1, {life}, life
        while place in nearest:
            link = nearest[place]
            place = (link["origin_key"], link["origin_life"])
            if place in seen:
                break
            seen.add(place)
            found.append({**link, "row_key": life[0], "life": life[1], "depth": depth})
            depth += 1
    return json.dumps(found)


def of_events(
    model: Mapping[str, Any],
    key: str,
    events: Records,
    facts: Mapping[str, Sequence[str]],
    as_of: str | None,
) -> Answer:
    """Return the explanation of a row whose events are read: see `explained`."""
    versions = read(facts["versions"]) if as_of is not None else None
    quarantined = [record for record in read(facts["quarantined"]) if record["row_key"] == key]
    state = {row["key"]: row for row in read(facts["state"])}
    if versions is not None:
        events = _until(events, versions)
        quarantined = []
    steps = [event for event in events if event["is_applied"]]
    for place, event in enumerate(steps):
        event["before"] = steps[place - 1]["row"] if place else None
        event["ends"] = _ends(event, steps[place + 1] if place + 1 < len(steps) else None, steps)
    notes: list[str] = []
    row = steps[-1]["row"] if steps else None
    if versions:
        outcome, row = _at(versions)
    else:
        outcome = _outcome(steps, quarantined, facts)
    held = state.get(key)
    if held and not held["is_deleted"] and not versions:
        row = read([held["row"]])[0]
        if held["unavailable"]:
            notes.append(f"No record has the values of: {', '.join(held['unavailable'])}.")
    if outcome["what"] != "stands":
        row = None
    folded = state.get("!watermark", {}).get("batch_id")
    newest = max((event["batch_id"] for event in events), default=0)
    if folded is not None and folded < newest:
        notes.append(f"Batch {newest} is staged, and not folded yet: run `dbt build`.")
    records = _merged([record_of(event) for event in events], map(_refused, quarantined))
    return answer(model, key, as_of, records, outcome, row, notes)


def answer(
    model: Mapping[str, Any],
    key: str,
    as_of: str | None,
    records: Records,
    outcome: Answer,
    row: Any,
    notes: Sequence[str] = (),
) -> Answer:
    """Return an explanation, also as lines of a table."""
    for number, record in enumerate(records, 1):
        record["number"] = number
    lines = [
        record
        | {
            "event": record["event_id"],
            "changed": "; ".join(f"{n}: {short(a)} -> {short(b)}" for n, a, b in record["changed"]),
            "ended": "; ".join(end["text"] for end in record["ends"]),
        }
        for record in records
    ]
    last = {"verdict": outcome["what"], "rule": outcome["text"], "event": outcome.get("event")}
    return {
        **{"source": model["source"], "table": model["table"], "key": key, "as_of": as_of},
        **{"records": records, "outcome": outcome, "row": row, "notes": list(notes)},
        "lines": [*lines, last | {"changed": None if row is None else short(row)}],
    }


def short(value: Any) -> str:
    """Return a value on one line."""
    return json.dumps(value, ensure_ascii=False)


_SHOWN = (
    *("event_id", "topic", "partition", "offset", "recorded_at", "source_at", "landed_at", "op"),
    *("position", "batch_id", "run_id", "tx_id", "verdict", "is_applied", "mark", "lacks"),
    *("previous_key", "next_key"),
)


def record_of(event: Mapping[str, Any]) -> Answer:
    """Return a record as it is shown."""
    verdict = event["verdict"]
    if verdict in VERDICTS:
        rule, link = VERDICTS[verdict].rule, VERDICTS[verdict].link
    else:
        rule, link = _OTHERS[verdict]
    now, before = event.get("row") or {}, event.get("before") or {}
    if event.get("changed") is None:
        changed = [[name, None, value] for name, value in now.items() if value is not None]
    else:
        changed = [[name, before.get(name), now.get(name)] for name in event["changed"]]
    record = {name: event.get(name) for name in _SHOWN}
    ends = event.get("ends", [])
    is_first = event.get("changed") is None
    record |= {"rule": rule, "link": link, "changed": changed, "is_first": is_first}
    return record | {"ends": ends}


def _refused(record: Mapping[str, Any]) -> Answer:
    shown = record_of({**record, "verdict": "quarantined", "is_applied": False, "changed": []})
    return shown | {"rule": record["reason"]}


def _merged(records: Records, others: Iterable[Answer]) -> Records:
    """Put records that are no events before the first event that is recorded later."""
    for other in others:
        place = (other["topic"], other["partition"])
        behind = (
            number
            for number, record in enumerate(records)
            if (
                record["offset"] > other["offset"]
                if (record["topic"], record["partition"]) == place
                else (record["recorded_at"] or "") > (other["recorded_at"] or "")
            )
        )
        records.insert(next(behind, len(records)), other)
    return records


def _ends(event: Answer, following: Answer | None, steps: Records) -> Records:
    """Return the truncates and snapshots that reach a row behind an event, before the next one."""
    if not event["is_upsert"]:
        return []
    later = [] if following is None else [*following["removed_by"], *following["closed_by"]]
    own = [_snapshot(step) for step in steps if step["kind"] == "full"] if following else []
    ends = []
    for cut in event["removed_by"]:
        if cut not in later:
            place = ":".join(str(cut[name]) for name in ("topic", "partition", "offset"))
            ends.append(_end("drop" if cut["is_drop"] else "truncate", place, cut))
    for cut in event["closed_by"]:
        if cut not in later and _snapshot(cut) not in own:
            ends.append(_end("snapshot", cut["event_id"], cut))
    return ends


def _end(what: str, event: str, cut: Mapping[str, Any]) -> Answer:
    words, link = _ENDS[what]
    at = cut["source_at"] or cut["timestamp"]
    return {
        "what": what,
        "event": event,
        "at": at,
        "link": link,
        "text": f"{words}: {event} at {at}",
    }


def _snapshot(event: Mapping[str, Any]) -> tuple[Any, ...]:
    position = event.get("epoch_stream_pos", event.get("stream_position"))
    return event["topic"], event["incarnation"], position, event["run_id"]


def _outcome(
    steps: Records, quarantined: Records, facts: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return what came of the row: it stands, or where it went."""
    if not steps:
        return _never(quarantined, facts)
    last = steps[-1]
    event, at = last["event_id"], last["source_at"] or last["recorded_at"]
    if last["is_upsert"]:
        for end in last["ends"][:1]:
            return {**end, "text": f"The row is gone, {end['text']}."}
        return {
            "what": "stands",
            "event": event,
            "at": at,
            "text": f"The row stands since {event}.",
        }
    how = "a tombstone" if last["op"] == "tombstone" else "the event"
    moved = f"; its key changed to {last['next_key']}" if last.get("next_key") else ""
    text = f"The row is gone, deleted by {how} {event} at {at}{moved}."
    return {
        "what": "deleted",
        "event": event,
        "at": at,
        "link": VERDICTS[last["verdict"]].link,
        "text": text,
    }


def _never(quarantined: Records, facts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return why there is no row of a key without events."""
    if quarantined:
        record = quarantined[-1]
        text = f"No row: quarantined, {record['reason'].removeprefix('record: ')}."
        return {
            **{"what": "quarantined", "event": record["event_id"], "at": record["recorded_at"]},
            **{"link": QUARANTINED, "text": text},
        }
    for record in read(facts["ignored"]):
        event = ":".join(str(record[name]) for name in ("topic", "partition", "offset"))
        text = f"No row: ignored by ignore_records, {event}: {record['reason']}."
        return {"what": "ignored", "event": event, "link": IGNORED, "text": text}
    searched = (read(facts["searched"]) or [{"records": 0, "without_key": 0}])[0]
    without = searched["without_key"]
    unread = f" {without} of them are quarantined without a readable key." if without else ""
    text = (
        f"Never seen: no record of this key is among the {searched['records']} staged ones"
        f" up to batch {searched.get('batch_id', 'none')}.{unread}"
    )
    return {"what": "never seen", "event": None, "searched": searched, "text": text}


def _until(events: Records, versions: Records) -> Records:
    """Return the events up to an instant: those before the first that begins behind it."""
    behind = {version["from_event"] for version in versions if version["begins_behind"]}
    behind |= {version["to_event"] for version in versions if version["ends_behind"]}
    places = (place for place, event in enumerate(events) if event["event_id"] in behind)
    return events[: next(places, len(events))]


def _at(versions: Records) -> tuple[dict[str, Any], Any]:
    """Return what came of the row until an instant, from its versions (docs/history.md)."""
    begun = [version for version in versions if not version["begins_behind"]]
    if not begun:
        text = f"No row yet: its first version begins at {versions[0]['from']}."
        return {"what": "not yet", "event": versions[0]["from_event"], "text": text}, None
    last = begun[-1]
    since = f"{last['from']}, by {last['began_by']} {last['from_event']}"
    if last["ends_behind"]:
        text = f"The row stood since {since}, until {last['to'] or 'now'}."
        row = read([last["row"]])[0]
        return {
            "what": "stands",
            "event": last["from_event"],
            "at": last["from"],
            "text": text,
        }, row
    text = f"The row was gone since {last['to']}, ended by {last['ended_by']} {last['to_event']}."
    ended = {"what": "gone", "event": last["to_event"], "at": last["to"], "text": text}
    return ended, None
