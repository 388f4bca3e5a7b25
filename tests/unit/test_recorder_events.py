from __future__ import annotations

import json
from typing import Any

from dev.recorder.events import counts, operation, payload, redelivered


def change(op: str, lsn: int, key: int | None = 1, **source: Any) -> dict[str, Any]:
    value = {"op": op, "before": None, "source": {"txId": 5, "lsn": lsn, **source}}
    return {
        "topic": "shop.public.t",
        "key": None if key is None else json.dumps({"id": key}),
        "value": json.dumps(value),
    }


def tombstone(key: int = 1) -> dict[str, Any]:
    return {"topic": "shop.public.t", "key": json.dumps({"id": key}), "value": None}


def test_a_payload_is_found_with_and_without_its_schema() -> None:
    assert payload('{"schema":{"type":"struct"},"payload":{"id":1}}') == {"id": 1}
    assert payload('{"id":1}') == {"id": 1}
    assert payload(None) is None


def test_records_that_are_no_change_are_other() -> None:
    heartbeat = {"topic": "h", "key": "{}", "value": '{"ts_ms":1}'}
    assert operation(heartbeat) == "other"
    assert operation(tombstone()) == "tombstone"
    assert counts([heartbeat, tombstone(), change("u", 1), change("u", 2)]) == {
        "h": {"other": 1},
        "shop.public.t": {"tombstone": 1, "u": 2},
    }


def test_a_suffix_that_came_again_is_counted_with_its_tombstone() -> None:
    first = [change("c", 10), change("d", 20), tombstone()]
    second = [change("d", 20), tombstone(), change("c", 30)]
    assert redelivered([first, second]) == 2


def test_equal_rows_of_one_copy_are_no_repeats() -> None:
    copied = [change("c", 10, key=None)] * 3
    assert redelivered([copied]) == 0
    assert redelivered([copied, copied[:2]]) == 2


def test_a_third_delivery_is_a_repeat_again_and_a_read_never_is() -> None:
    run = [change("u", 10)]
    assert redelivered([run, run, run]) == 2
    assert redelivered([[change("r", 10)], [change("r", 10)]]) == 0
