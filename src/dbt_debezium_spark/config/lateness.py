"""Options about heartbeats, and about how old the newest sign of a source may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.errors import in_words, problem
from dbt_debezium_spark.config.values import as_text, unless_none

HEARTBEAT_PREFIX = "__debezium-heartbeat"
_TOPIC_NAME = re.compile(r"[A-Za-z0-9._-]+")
_DURATION = re.compile(r"([0-9]+) *([a-z]+)")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_LONGEST_DAYS = 3650
_REMEDY = (
    "Write a number and a unit, like `15 minutes`; units: "
    + in_words(f"{unit}s" for unit in _SECONDS)
    + f"; at most {_LONGEST_DAYS} days"
)


def heartbeat_topic(source: Mapping[str, Any]) -> str:
    """Return the topic to which a connector writes its heartbeats.

    Args:
        source: result of `SourceConfig.to_dict`.
    """
    return f"{source.get('topic_heartbeat_prefix', HEARTBEAT_PREFIX)}.{source['topic_prefix']}"


def _prefix(value: Any) -> str:
    prefix = as_text(value, HEARTBEAT_PREFIX)
    if not _TOPIC_NAME.fullmatch(prefix):
        raise problem(
            f" is {prefix!r}",
            "Use letters, digits, `.`, `_` and `-`: topic names have no other characters",
        )
    return prefix


def _seconds(value: Any) -> int:
    """Return a duration in seconds; a number is one already, as in `SourceConfig.to_dict`."""
    seconds = None
    if isinstance(value, int) and not isinstance(value, bool):
        seconds = value
    elif isinstance(value, str) and (found := _DURATION.fullmatch(value.strip().lower())):
        unit = _SECONDS.get(found[2].removesuffix("s"))
        seconds = None if unit is None else int(found[1]) * unit
    if seconds is None or not 0 < seconds <= _LONGEST_DAYS * _SECONDS["day"]:
        raise problem(f" is {value!r}", _REMEDY)
    return seconds


HeartbeatPrefix = Annotated[str, BeforeValidator(_prefix)]
MaxLag = Annotated[int | None, unless_none(_seconds)]
