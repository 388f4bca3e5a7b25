"""What the live run reads out of the topics: commits, places, repeats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dev.live import offsets
from dev.live.redelivery import RUN, repeats


def commit(connector: str, **offset: Any) -> dict[str, Any]:
    return {
        "topic": "connect-offsets",
        "key": json.dumps([connector, {"server": connector}]),
        "value": json.dumps(offset),
    }


def change(run: str, op: str, key: int, *, topic: str = "web.web.t", **source: Any) -> Any:
    value = {"op": op, "before": None, "source": source}
    return {
        "topic": topic,
        "key": json.dumps({"id": key}),
        "value": json.dumps(value),
        "headers": [{"key": RUN, "value": run}],
    }


def test_the_last_commit_of_a_connector_is_its_place() -> None:
    records = [
        commit("shop", lsn=10, snapshot="INITIAL"),
        commit("shop", lsn=20),
        commit("web", file="mysql-bin.000009", pos=7),
        commit("shop", lsn=30),
        commit("web", file="mysql-bin.000010", pos=4, event=3),
        {"topic": "shop.public.t", "key": '["shop"]', "value": '{"lsn": 99}'},
    ]
    assert offsets.committed(records, "shop") == (30,)
    assert offsets.committed(records, "web") == (10, 4)
    assert offsets.committed(records[:1], "shop") is None


def test_binlog_files_compare_by_their_number() -> None:
    later = offsets.place({"file": "mysql-bin.1000000", "pos": 4})
    assert later > offsets.place({"file": "mysql-bin.999999", "pos": 900})


@pytest.mark.parametrize(
    "source", [{"lsn": 12, "txId": 5}, {"file": "mysql-bin.000012", "pos": 12, "row": 1}]
)
def test_a_change_names_its_place(source: dict[str, Any]) -> None:
    record = change("1", "u", 1, **source)
    wrapped = {
        **record,
        "value": json.dumps({"schema": {}, "payload": json.loads(record["value"])}),
    }
    assert offsets.place_of(record) == offsets.place_of(wrapped) == offsets.place(source)


def test_what_a_later_run_delivers_again_is_a_repeat() -> None:
    first = [
        change("1", "c", 1, gtid="0-1-5", file="f.000001", pos=10, row=0),
        change("1", "c", 2, gtid="0-1-5", file="f.000001", pos=10, row=1),
        change("1", "u", 1, gtid="0-1-6", file="f.000001", pos=20, row=0),
    ]
    again = [{**record, "headers": [{"key": RUN, "value": "2"}]} for record in first[1:]]
    further = [change("2", "u", 1, gtid="0-1-7", file="f.000001", pos=30, row=0)]
    assert repeats([*first, *again, *further], "web") == 2
    assert repeats([*first, *again, *further], "shop") == 0


def test_reads_tombstones_and_other_topics_repeat_nothing() -> None:
    read = change("1", "r", 1, file="f.000001", pos=10, row=0)
    delete = change("1", "d", 1, file="f.000001", pos=20, row=0)
    tombstone = {**delete, "value": None}
    beat = {"topic": "web.heartbeat", "key": "{}", "value": "{}", "headers": None}
    second = [{**one, "headers": [{"key": RUN, "value": "2"}]} for one in (read, delete, tombstone)]
    assert repeats([read, delete, tombstone, beat, *second, beat], "web") == 1
