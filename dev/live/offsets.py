"""How far Connect has committed what a connector delivered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dev.recorder.events import payload
from dev.servers.connect import OFFSETS_TOPIC

Place = tuple[int, ...]


def committed(record: Mapping[str, Any], connector: str) -> Place | None:
    """Return the place in the source's log that a record of any topic commits, if it does.

    The offsets of a snapshot that is not over are none: after a crash it is taken again.
    """
    if record["topic"] != OFFSETS_TOPIC or record["value"] is None:
        return None
    offset = json.loads(record["value"])
    if json.loads(record["key"])[0] != connector or offset.get("snapshot") not in (None, False):
        return None
    return place(offset) if offset.keys() & {"lsn", "file"} else None


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
