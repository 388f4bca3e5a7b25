"""How far Connect has committed what a connector delivered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from dev.recorder.events import payload
from dev.servers.connect import OFFSETS_TOPIC

Place = tuple[int, ...]


def is_commit(record: Mapping[str, Any], connector: str) -> bool:
    """Return whether a record commits a place in the source's log.

    The offsets of a snapshot that is not over are none: after a crash it is taken again.

    Args:
        record: of any topic.
        connector: its name.
    """
    if record["topic"] != OFFSETS_TOPIC or record["value"] is None:
        return False
    if json.loads(record["key"])[0] != connector:
        return False
    return json.loads(record["value"]).get("snapshot") in (None, False)


def committed(records: Iterable[Mapping[str, Any]], connector: str) -> Place | None:
    """Return the place that a connector committed last; None before its first commit.

    Args:
        records: of all topics, in arrival order.
        connector: its name.
    """
    commits = [record for record in records if is_commit(record, connector)]
    return place(json.loads(commits[-1]["value"])) if commits else None


def place(offset: Mapping[str, Any]) -> Place:
    """Return the place that a source offset or a source block names, to be compared.

    Of MariaDB it is the beginning of the event, and of its transaction while that lasts.
    """
    if "lsn" in offset:
        return (int(offset["lsn"]),)
    return (int(str(offset["file"]).rpartition(".")[2]), int(offset["pos"]))


def place_of(record: Mapping[str, Any]) -> Place:
    """Return the place of a change."""
    return place(payload(record["value"])["source"])
