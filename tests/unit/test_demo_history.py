"""The queries of docs/history.md on the demo."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

from tests.support.paths import REPOSITORY


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
