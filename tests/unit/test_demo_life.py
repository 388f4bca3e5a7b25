"""Which columns of a row's versions the demo shows."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from pyspark.sql import Row

from dev.demo.life import changed_columns
from tests.support.paths import REPOSITORY


def test_the_columns_that_changed_most_are_shown() -> None:
    versions = [
        Row(id=1, city="a", name="x", _cdc_version=1),
        Row(id=1, city="b", name="x", _cdc_version=2),
        Row(id=1, city="c", name="y", _cdc_version=3),
    ]

    assert changed_columns(versions) == ["city", "name"]


def test_a_row_that_never_changed_has_none() -> None:
    assert changed_columns([Row(id=1, _cdc_version=1)]) == []


def test_the_instant_of_the_page_lies_within_the_recording() -> None:
    page = (REPOSITORY / "docs" / "history.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"of\(\n.*\n?.*timestamp '([^']+)'", page[page.index("on the demo") :])
    instant = datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000
    times = []
    for file in (REPOSITORY / "dev/demo/data/postgresql/records").glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record["topic"] == "shop.public.customers" and record["value"]:
                value = json.loads(record["value"])
                value = value.get("payload", value)
                times.append(int(value["source"]["ts_ms"]))

    assert min(times) < instant < max(times)
