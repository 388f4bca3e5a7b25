"""What a broker's offsets are, as Spark reports them."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

from dbt_debezium_spark.landing.kafka_broker import Partition, Span, available


def progress(end: int) -> Any:
    """Return the report of a micro-batch of a topic with seven offsets."""
    offsets = {"endOffset": {"orders": {"0": end}}, "latestOffset": {"orders": {"0": 7}}}
    return SimpleNamespace(json=json.dumps({"sources": [offsets]}))


def test_the_first_report_tells_the_first_offset_when_more_have_come() -> None:
    query = MagicMock(recentProgress=[progress(1), progress(2)], lastProgress=progress(2))
    session = MagicMock()
    stream = session.readStream.format.return_value.options.return_value
    stream.option.return_value = stream
    written = stream.load.return_value.select.return_value.writeStream.format.return_value
    written.trigger.return_value.start.return_value = query

    assert available(session, {}, "orders") == {Partition("orders", 0): Span(0, 7)}
    query.stop.assert_called_once_with()
