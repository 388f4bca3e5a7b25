"""What a run does with the frames that Spark keeps for it."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.landing.reading_result import Reading


class Frame:
    """Notes when it is released, and fails if told to."""

    def __init__(self, name: str, released: list[str], error: str = "") -> None:
        self.name, self.released, self.error = name, released, error

    def unpersist(self) -> None:
        self.released.append(self.name)
        if self.error:
            raise RuntimeError(self.error)


def test_a_frame_that_spark_cannot_release_keeps_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    released: list[str] = []
    told: list[str] = []
    monkeypatch.setattr("dbt_debezium_spark.landing.reading_result.report", told.append)
    frames: list[Any] = [
        Frame("rows", released),
        Frame("repeats", released, "assertion failed\nat V2ExpressionBuilder"),
    ]
    reading = Reading(records=None, entries={}, persisted=frames)
    reading.release()
    assert released == ["repeats", "rows"]
    assert reading.persisted == []
    assert told == ["Spark released a cached frame with an error: assertion failed"]
