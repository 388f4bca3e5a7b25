"""The cases of tests/claims.yml: their records, whole or in batches."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from reference import KafkaRecord
from tests.cases.table import Story, Table
from tests.cases.tables import column
from tests.support.raw import kafka_record

RECORDS = Path(__file__).with_name("records_of_cases")
# columns of several cases
ID, V, A = column("id", "int32"), column("v"), column("a", "int32")


def lines(name: str, table: str | None = None) -> list[KafkaRecord]:
    """Return the records of a case, or those of one of its tables."""
    text = (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines() if line]
    return [
        kafka_record(one) for one in found if table is None or one["topic"].endswith(f".{table}")
    ]


def stories_of(case: Table, name: str, table: str | None = None, **more: Any) -> list[Story]:
    """Tell a case as a whole and in three batches."""
    records = lines(name, table)
    if not case.key:
        records = [replace(record, key=None) for record in records]
    third = -(-len(records) // 3)
    thirds = [records[start : start + third] for start in range(0, len(records), third)]
    short = (table or name).replace("-", "_").replace(".", "_")
    return [case.story(short, records, **more), case.story(f"{short}_cut", *thirds, **more)]


def whole(case: Table, name: str) -> Story:
    """Tell a case's records as they are, in one batch."""
    return case.story("whole", lines(name))


def one_by_one(case: Table, name: str) -> Story:
    """Tell them in as many batches as there are records."""
    return case.story("one_by_one", *[[record] for record in lines(name)])
