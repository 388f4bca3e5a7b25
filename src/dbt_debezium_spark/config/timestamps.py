"""Timestamps in the configuration: ISO text with a time zone, stored in UTC."""

from __future__ import annotations

import datetime as dt
from typing import Any

from dbt_debezium_spark.config.errors import problem

EXAMPLE = '"2026-02-01T00:00:00Z"'


def utc_text(value: Any) -> str:
    """Return a timestamp as `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`, in which texts sort by time.

    YAML turns unquoted timestamps into datetime objects, so both forms are accepted. A timestamp
    without a time zone is refused, because it would depend on the machine that runs dbt.

    Raises:
        PydanticCustomError: the value is no timestamp, or has no time zone.
    """
    moment: dt.datetime | None = None
    if isinstance(value, dt.datetime):
        moment = value
    elif isinstance(value, str):
        try:
            moment = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            moment = None
    if moment is None:
        raise problem(
            f" is {value!r}, not a timestamp", f"Write ISO 8601 with a zone, like {EXAMPLE}"
        )
    if moment.tzinfo is None:
        raise problem(f" is {value!r}, which has no time zone", f"Add one, like {EXAMPLE}")
    in_utc = moment.astimezone(dt.UTC).replace(tzinfo=None)
    return in_utc.isoformat(timespec="microseconds" if in_utc.microsecond else "seconds") + "Z"
