"""Options of histories: `history: true`, or a mapping of these. docs/history.md#options."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import as_list, as_text, flag, one_of, unless_none

_DURATION = re.compile(r"([1-9][0-9]{0,5}) (day|hour)s?")
_MICROSECONDS = {"day": 86_400_000_000, "hour": 3_600_000_000}


def _instant(value: Any) -> str:
    """Return a time in UTC as `YYYY-MM-DD HH:MM:SS`, the text of a Spark timestamp."""
    moment: dt.datetime | None = None
    if isinstance(value, dt.datetime):
        moment = value
    elif isinstance(value, dt.date):
        moment = dt.datetime(value.year, value.month, value.day)
    elif isinstance(value, str):
        try:
            moment = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            moment = None
    if moment is None:
        raise problem(f" is {value!r}, not a time", "Write for example '1900-01-01', in UTC")
    if moment.tzinfo is not None:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    return moment.isoformat(" ", timespec="microseconds" if moment.microsecond else "seconds")


def _duration(value: Any) -> int:
    """Return a duration in microseconds."""
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        raise problem(f" is {value!r}, not a duration", "Write for example `400 days`")
    return int(match[1]) * _MICROSECONDS[match[2]]


def _names(value: Any) -> tuple[str, ...]:
    names = tuple(as_text(one, "price", f"[{number}]") for number, one in enumerate(as_list(value)))
    if not names:
        raise problem(" is empty", "Name columns, or remove the option")
    return names


class HistoryConfig(Block):
    """What makes versions of a table's rows, and how they are shown.

    Attributes:
        enabled: false for a table without a history in a source with one.
        keep: in microseconds.
    """

    unset = {
        "enabled": True,
        "within_transaction": "last",
        "track": None,
        "ignore": None,
        "valid_to_current": None,
        "first_from": None,
        "deleted_rows": False,
        "keep": None,
        "names": "cdc",
    }

    enabled: Annotated[bool, flag("Use true or false")] = True
    within_transaction: Annotated[str, one_of(("last", "all"))] = "last"
    track: Annotated[tuple[str, ...] | None, unless_none(_names)] = None
    ignore: Annotated[tuple[str, ...] | None, unless_none(_names)] = None
    valid_to_current: Annotated[str | None, unless_none(_instant)] = None
    first_from: Annotated[str | None, unless_none(_instant)] = None
    deleted_rows: Annotated[bool, flag("Use true or false")] = False
    keep: Annotated[int | None, unless_none(_duration)] = None
    names: Annotated[str, one_of(("cdc", "dbt"))] = "cdc"

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options; only one of `track` and `ignore` can be said."""
        if options.get("track") is not None and options.get("ignore") is not None:
            raise problem(" has `track` and `ignore`", "Give one: each says what the other leaves")
        return options


def _history(value: Any) -> Any:
    if isinstance(value, bool):
        return {"enabled": value}
    if value is None or isinstance(value, Mapping | HistoryConfig):
        return value
    raise problem(f" is {value!r}", "Write true, false, or a mapping of options")


def is_kept(history: HistoryConfig | None) -> bool:
    """Tell whether a history is wanted."""
    return history is not None and history.enabled


History = Annotated[HistoryConfig | None, BeforeValidator(_history)]
