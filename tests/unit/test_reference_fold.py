"""One sentence of docs/semantics.md each, on PostgreSQL-like records made by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.reference import Config, Epoch, KafkaRecord, fold

TOPIC = "p.public.t"
GONE = "__debezium_unavailable_value"
POSTGRESQL = Config("postgresql")
FULL = Config("postgresql", complete_before=True)


class Log:
    """Records one after another; timestamps rise unless given."""

    def __init__(self) -> None:
        self.records: list[KafkaRecord] = []

    def add(
        self,
        op: str | None,
        key: int | None,
        lsn: int | None = None,
        after: Any = None,
        *,
        before: Any = None,
        commit: int | None = 1,
        snapshot: str = "false",
        partition: int = 0,
        offset: int | None = None,
        at: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> Log:
        number = len(self.records)
        value = None
        if op is not None:
            if op in ("c", "u", "r") and not isinstance(after, dict):
                after = {"id": key, "v": after}
            pair = [None if commit is None else str(commit), None if lsn is None else str(lsn)]
            value = json.dumps(
                {
                    "op": op,
                    "before": before,
                    "after": after,
                    "source": {
                        "lsn": None if snapshot == "incremental" else lsn,
                        "sequence": json.dumps(pair),
                        "snapshot": snapshot,
                    },
                }
            )
        self.records.append(
            KafkaRecord(
                TOPIC,
                partition,
                number if offset is None else offset,
                1_000 + number if at is None else at,
                None if key is None else json.dumps({"id": key}),
                value,
                tuple((headers or {}).items()),
            )
        )
        return self

    def tombstone(self, key: int | None, **more: Any) -> Log:
        return self.add(None, key, **more)

    def fold(self, config: Config = POSTGRESQL) -> Any:
        return fold(self.records, config)

    def values(self, config: Config = POSTGRESQL) -> dict[int, Any]:
        return {row["id"]: row["v"] for row in self.fold(config).rows.values()}


KEY_1 = '{"id":1}'


def test_a_record_counts_once():
    log = Log().add("c", 1, 10, "a")
    log.records *= 3
    got = log.fold()
    assert got.rows == {KEY_1: {"id": 1, "v": "a"}} and not got.replays


def test_records_that_cannot_be_read_are_no_events():
    log = Log().add("c", 1, 10, "a").add("m", 1, 20, "b").add("x", 1, 30, "c")
    log.add("c", None, 40, "d").add("u", 1, 50, {"id": 1, "v": "e"})
    broken = log.records[-1]
    log.records[-1] = KafkaRecord(TOPIC, 0, 4, 1_004, broken.key, broken.value[:-3])  # type: ignore[index]
    assert log.values() == {1: "a"}


@pytest.mark.parametrize("form", [None, "", "null", ' {"schema":null,"payload":null}'])
def test_a_tombstone_is_known_in_every_form(form):
    log = Log().add("c", 1, 10, "a")
    log.records.append(KafkaRecord(TOPIC, 0, 9, 2_000, KEY_1, form))
    assert log.values() == {}


def test_key_and_value_may_carry_their_schemas():
    log = Log().add("c", 1, 10, "a")
    bare = log.records[0]
    assert bare.key is not None and bare.value is not None
    schema = {"type": "struct", "fields": []}
    log.records.append(
        KafkaRecord(
            TOPIC,
            0,
            1,
            2_000,
            json.dumps({"schema": schema, "payload": json.loads(bare.key)}),
            json.dumps(
                {
                    "schema": schema,
                    "payload": json.loads(bare.value.replace("10", "20").replace('"a"', '"b"')),
                }
            ),
        )
    )
    assert log.values() == {1: "b"}


def test_a_bare_scalar_is_the_only_key_column():
    log = Log().add("c", 1, 10, "a").add("u", 1, 20, "b")
    log.records.append(KafkaRecord(TOPIC, 0, 9, 2_000, "1", None))
    assert log.values(Config("postgresql", key=("id",))) == {}
    assert log.values() == {1: "b"}


def test_a_column_may_be_called_payload():
    row = {"id": 1, "schema": "s", "payload": {"op": "d"}}
    assert Log().add("c", 1, 10, row).fold().rows == {KEY_1: row}


def test_a_repeat_is_not_applied_and_the_first_delivery_counts():
    log = Log().add("c", 1, 10, {"id": 1, "v": "a", "dropped": 1}).add("c", 1, 10, "a")
    got = log.fold()
    assert got.rows[KEY_1] == {"id": 1, "v": "a", "dropped": 1}
    assert got.replays == {KEY_1: 1} and not got.unexplained


def test_a_lower_position_never_seen_before_is_unexplained():
    log = Log().add("u", 1, 20, "new").add("u", 1, 10, "old")
    assert log.values() == {1: "new"}
    assert log.fold().unexplained == {KEY_1: 1}


def test_positions_are_numbers():
    assert Log().add("u", 1, 99, "a").add("u", 1, 100, "b").values() == {1: "b"}


def test_a_delete_and_its_tombstone_end_a_row_and_a_repeat_does_not_bring_it_back():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1)
    log.add("c", 1, 10, "a")
    assert log.values() == {}
    log.add("d", 1, 20).tombstone(1)
    assert log.values() == {}
    assert log.fold().replays == {KEY_1: 2}


def test_a_repeated_delete_with_its_tombstone_does_not_hurt_a_later_life():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1).add("c", 1, 30, "b")
    log.add("d", 1, 20).tombstone(1)
    assert log.values() == {1: "b"}


def test_a_tombstone_alone_deletes_and_whatever_follows_counts():
    log = Log().add("c", 1, 10, "a").tombstone(1)
    assert log.values() == {}
    log.add("c", 1, 10, "a")
    assert log.values() == {1: "a"}


def test_a_full_read_resets_the_mark_and_an_incremental_one_does_not():
    log = Log().add("u", 1, 500, "a").add("r", 1, 9, "b", snapshot="true").add("u", 1, 10, "c")
    assert log.values() == {1: "c"}
    log = Log().add("u", 1, 500, "a").add("r", 1, 9, "b", snapshot="incremental")
    assert log.values() == {1: "b"}
    log.add("u", 1, 10, "c")
    assert log.values() == {1: "b"}


def test_a_key_in_several_partitions_is_ordered_by_record_time():
    log = Log().add("u", 1, 10, "a", partition=0, offset=7)
    log.add("r", 1, None, "b", snapshot="incremental", partition=1, offset=0)
    assert log.values() == {1: "b"}
    log.records.reverse()
    assert log.values() == {1: "b"}


def test_an_epoch_by_time_or_by_offset_starts_positions_again():
    log = Log().add("u", 1, 500, "a").add("u", 1, 10, "b")
    assert log.values() == {1: "a"}
    for epoch in (Epoch(from_ms=1_001), Epoch(topic=TOPIC, offsets={0: 1})):
        assert log.values(Config("postgresql", epochs=(epoch,))) == {1: "b"}
    for epoch in (Epoch(from_ms=1_002), Epoch(topic="other", offsets={0: 1}), Epoch(topic=TOPIC)):
        assert log.values(Config("postgresql", epochs=(epoch,))) == {1: "a"}


def test_a_topic_created_anew_starts_offsets_again():
    log = Log().add("c", 1, 10, "a", offset=5).add("u", 1, 20, "b", offset=0)
    log.add("u", 1, 30, "c", offset=5, at=2_000)
    assert log.values(Config("postgresql", incarnations=(1_001,))) == {1: "c"}
    assert log.values() == {1: "b"}


# Unavailable values.


def test_a_value_not_sent_is_the_one_before_it_in_the_same_life():
    log = Log().add("c", 1, 10, "a").add("u", 1, 20, GONE).add("u", 1, 30, GONE)
    assert log.values() == {1: "a"}


def test_a_value_not_sent_is_unknown_in_a_new_life():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1).add("u", 1, 30, GONE)
    assert log.values() == {1: None}
    assert log.fold().unknown == {KEY_1: {"v"}}
    log.add("u", 1, 40, "b").add("u", 1, 50, GONE)
    assert log.values() == {1: "b"} and not log.fold().unknown


def test_a_complete_before_tells_the_value_and_a_partial_one_does_not():
    log = Log().add("u", 1, 20, GONE, before={"id": 1, "v": "a"})
    assert log.values(FULL) == {1: "a"}
    assert log.values() == {1: None}
    log = Log().add("u", 1, 20, GONE, before={"id": 1, "v": GONE})
    assert log.values(FULL) == {1: None}


@pytest.mark.parametrize("headers", [{}, {"__debezium.oldkey": '{"id": 1}'}])
def test_values_cross_a_chain_of_key_changes(headers):
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1)
    log.add("c", 2, 20, GONE, headers=headers)
    log.add("d", 2, 30).tombstone(2)
    log.add("c", 3, 30, GONE, headers={"__debezium.oldkey": '{"id":2}'} if headers else {})
    assert log.values() == {3: "a"}


def test_the_old_key_may_live_again():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1).add("c", 2, 20, GONE)
    log.add("c", 1, 30, "other")
    assert log.values() == {1: "other", 2: "a"}


def test_without_the_delete_the_life_below_the_position_is_the_origin():
    header = {"__debezium.oldkey": KEY_1}
    log = Log().add("c", 1, 10, "a").tombstone(1).add("c", 1, 30, "b").tombstone(1)
    log.add("c", 2, 20, GONE, headers=header)
    assert log.values() == {2: "a"}
    log = Log().add("c", 1, 30, "b").tombstone(1).add("c", 2, 20, GONE, headers=header)
    assert log.values() == {2: "b"}


def test_only_a_first_c_looks_for_an_origin():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).add("u", 2, 20, GONE)
    assert log.values() == {2: None}


def test_an_origin_that_is_its_own_origin_is_unknown():
    log = Log().add("c", 1, 10, GONE, headers={"__debezium.oldkey": '{"id":2}'})
    log.add("c", 2, 10, GONE, headers={"__debezium.oldkey": '{"id":1}'})
    assert log.values() == {1: None, 2: None}


# Truncates.


def test_a_truncate_removes_what_lies_below_it_wherever_it_lies():
    log = Log().add("t", None, 20, commit=15, partition=1).add("c", 1, 10, "a", commit=5)
    log.add("c", 2, 30, "b", commit=25)
    assert log.values() == {2: "b"}
    log.records.reverse()
    assert log.values() == {2: "b"}


def test_a_truncate_meets_winners_by_the_order_of_commits():
    log = Log().add("t", None, 20, commit=15).add("c", 1, 10, "a", commit=25)
    log.add("c", 2, 30, "b", commit=None)
    assert log.values() == {1: "a", 2: "b"}
    log = Log().add("t", None, 20, commit=15, partition=1)
    log.add("r", 1, 10, "a", snapshot="incremental", commit=25)
    log.add("r", 2, 30, "b", snapshot="incremental", commit=None)
    assert log.values() == {1: "a"}


def test_a_truncate_says_nothing_about_a_row_that_a_full_read_showed_later():
    log = Log().add("t", None, 500, commit=400).add("r", 1, 10, "a", snapshot="true", commit=None)
    assert log.values() == {1: "a"}
    log.add("u", 1, 20, "b", commit=15)
    assert log.values() == {1: "b"}
    log = Log().add("r", 1, 10, "a", snapshot="true", commit=None).add("t", None, 500, commit=400)
    assert log.values() == {}


def test_a_truncate_in_another_partition_comes_before_a_full_read_by_record_time():
    for at, expected in ((900, {1: "a"}), (1_100, {})):
        log = Log().add("r", 1, 10, "a", snapshot="true", commit=None)
        log.add("t", None, 500, commit=400, partition=1, at=at)
        assert log.values() == expected


def test_a_later_epoch_survives_an_earlier_truncate():
    log = Log().add("t", None, 500, commit=400).add("c", 1, 10, "a")
    assert log.values() == {}
    assert log.values(Config("postgresql", epochs=(Epoch(from_ms=1_001),))) == {1: "a"}


def test_an_incremental_read_obeys_truncates_of_its_partition_by_offset():
    log = Log().add("r", 1, 90, "a", snapshot="incremental", commit=80)
    log.add("t", None, 70, commit=60)
    assert log.values() == {}
    log = Log().add("t", None, 90, commit=80)
    log.add("r", 1, 70, "a", snapshot="incremental", commit=60)
    assert log.values() == {1: "a"}


def test_an_incremental_read_obeys_truncates_of_other_partitions_by_position():
    for lsn, expected in ((70, {1: "a"}), (110, {})):
        log = Log().add("r", 1, 90, "a", snapshot="incremental", commit=80)
        log.add("t", None, lsn, commit=lsn - 10, partition=1)
        assert log.values() == expected


def test_without_positions_the_record_time_decides():
    for at, expected in ((1_500, {}), (500, {1: "a"})):
        log = Log().add("c", 1, None, "a", commit=None)
        log.add("t", None, 70, partition=1, at=at)
        assert log.values() == expected


def test_truncates_of_other_topics_and_repeats_say_nothing_new():
    log = Log().add("c", 1, 10, "a", commit=5)
    log.records.append(
        KafkaRecord("p.public.other", 0, 9, 9_999, None, Log().add("t", None, 90).records[0].value)
    )
    assert log.values() == {1: "a"}


def test_a_truncate_leaves_marks_alone():
    log = Log().add("c", 1, 10, "a").add("t", None, 20, commit=15).add("c", 1, 10, "a")
    got = log.fold()
    assert got.rows == {} and got.replays == {KEY_1: 1}


# Tables without a key.

KEYLESS = Config("postgresql", complete_before=True, keyless=True)
ROW = {"v": "x"}
TEXT = '{"v":"x"}'


def run(name: str) -> dict[str, str]:
    return {"__debezium.context.runId": name}


def test_equal_changes_of_one_run_are_different_and_those_of_two_runs_are_repeats():
    log = Log()
    for name in ("one", "one", "two", "two"):
        log.add("c", None, 10, ROW, headers=run(name))
    assert log.fold(KEYLESS).multiset == {TEXT: 2}
    assert Log().add("c", None, 10, ROW).add("c", None, 10, ROW).fold(KEYLESS).multiset == {TEXT: 1}
    assert Log().add("c", None, 10, ROW).add("c", None, 11, ROW).fold(KEYLESS).multiset == {TEXT: 2}


def test_an_update_replaces_one_row_and_takes_missing_values_from_its_before():
    log = Log().add("c", None, 10, {"v": "x", "n": 1}).add("c", None, 11, {"v": "x", "n": 1})
    log.add("u", None, 20, {"v": GONE, "n": 2}, before={"v": "x", "n": 1})
    assert log.fold(KEYLESS).multiset == {'{"n":1,"v":"x"}': 1, '{"n":2,"v":"x"}': 1}


def test_the_latest_snapshot_replaces_everything_before_it():
    log = Log().add("c", None, 10, ROW).add("r", None, 20, {"v": "old"}, snapshot="true")
    log.add("r", None, 30, {"v": "y"}, snapshot="first")
    log.add("r", None, 30, {"v": "y"}, snapshot="last").add("c", None, 40, ROW)
    log.add("r", None, 50, {"v": "z"}, snapshot="incremental")
    assert log.fold(KEYLESS).multiset == {'{"v":"y"}': 2, TEXT: 1}


def test_a_truncate_empties_a_table_without_a_key():
    log = Log().add("c", None, 10, ROW, partition=1).add("t", None, 20).add("c", None, 30, ROW)
    log.add("d", None, 15, before=ROW)
    assert log.fold(KEYLESS).multiset == {TEXT: 1}


def test_without_complete_before_images_rows_are_only_added():
    log = Log().add("c", None, 10, ROW).add("d", None, 20, before={"v": None}).tombstone(None)
    log.add("c", None, 10, ROW)
    assert log.fold(Config("postgresql", keyless=True)).multiset == {TEXT: 1}


COMPRESSED = Config("mysql", complete_before=True, binlog_transaction_compression=True)


def binlog(*changes: tuple[str | None, str, str, str]) -> list[KafkaRecord]:
    """Return changes of one row: (run, gtid, old value, new value), all at one position."""
    records = []
    for number, (run, gtid, before, after) in enumerate(changes):
        envelope = {
            "op": "u",
            "before": {"id": 1, "v": before},
            "after": {"id": 1, "v": after},
            "source": {"file": "b.000001", "pos": 9, "row": 0, "gtid": gtid},
            "ts_ms": number,
        }
        headers = (("__debezium.context.runId", run),) if run else ()
        records.append(KafkaRecord(TOPIC, 0, number, number, KEY_1, json.dumps(envelope), headers))
    return records


@pytest.mark.parametrize(
    ("changes", "value", "replays"),
    [
        ([("x", "s:1", "a", "b"), ("x", "s:1", "b", "a"), ("x", "s:1", "a", "b")], "b", 0),
        ([("x", "s:1", "a", "b"), ("x", "s:2", "b", "c"), ("y", "s:1", "a", "b")], "c", 1),
        ([("x", "s:1", "a", "b"), ("y", "s:1", "b", "c"), ("y", "s:1", "a", "b")], "c", 1),
        ([(None, "s:1", "a", "b"), (None, "s:1", "b", "a"), (None, "s:1", "a", "b")], "a", 1),
        ([("x", "s:1", "a", "b"), ("x", "s:2", "b", "a"), ("y", "s:3", "a", "b")], "b", 0),
    ],
    ids=["one run", "repeat", "repeat behind", "without runs", "other transactions"],
)
def test_without_a_position_what_was_seen_before_is_a_replay(changes, value, replays):
    got = fold(binlog(*changes), COMPRESSED)
    assert got.rows[KEY_1]["v"] == value
    assert got.replays[KEY_1] == replays and not got.unexplained


def test_an_epoch_makes_equal_changes_new():
    records = binlog(("x", "s:1", "a", "b"), ("x", "s:2", "b", "c"), ("y", "s:1", "a", "b"))
    epoch = Epoch(topic=TOPIC, offsets={0: 2})
    config = Config(
        "mysql", complete_before=True, binlog_transaction_compression=True, epochs=(epoch,)
    )
    assert fold(records, config).rows[KEY_1]["v"] == "b"


def test_a_repeat_of_a_truncate_removes_no_row_read_since():
    log = Log().add("c", 1, 10, "a").add("t", None, 20)
    log.add("r", 1, 30, "read", snapshot="incremental").add("t", None, 20)
    assert log.values() == {1: "read"}
