"""Traps of the specification as MySQL and MariaDB spring them, except positions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from reference import KafkaRecord
from tests.cases.log import again, late, recorded
from tests.cases.table import Table
from tests.cases.tables import (
    COMPRESSED,
    MARIADB,
    MYSQL,
    MYSQL_KEYLESS,
    binlog,
    column,
    decimal,
    row,
)
from tests.support.examples import example

ANNE = {
    "id": 1004,
    "first_name": "Anne",
    "last_name": "Kretchmar",
    "email": "annek@noanswer.org",
}

# 1

FORMS = MYSQL.story(
    "forms",
    example("mysql_3.6_create_with_schema"),
    late(example("mysql_3.6_update_payload_only"), 1),
    late(example("mysql_3.6_delete_payload_only"), 2),
)
MARIADB_CREATED = MARIADB.story("created", example("mariadb_3.6_create_payload_only"))


def test_01_records_of_mysql_and_mariadb_are_read_with_and_without_a_schema(built):
    assert built.current(FORMS, 1) == [ANNE]
    assert built.current(FORMS, 2) == [ANNE | {"first_name": "Anne Marie"}]
    assert built.current(FORMS) == []
    assert built.current(MARIADB_CREATED) == [ANNE]


# 20

RESET = binlog().say("u", 1, 9_000, "old", source={"file": "mysql-bin.000700"})
RESET.say("u", 1, 157, "after RESET MASTER", source={"file": "mysql-bin.000001"})
FAILED_OVER = binlog("mariadb").say("u", 1, 9_000, "old", source={"gtid": "0-1-900"})
FAILED_OVER.say("u", 1, 400, "on the replica", source={"gtid": "0-2-901", "server_id": 2})
UNDECLARED = MYSQL.story("reset_undeclared", RESET.records)
BY_OFFSET = MYSQL.story("reset", RESET.records, epochs=[{"offsets": {"0": 1}}])
ON_THE_REPLICA = MARIADB.story("failed_over", FAILED_OVER.records, epochs=[{"offsets": {"0": 1}}])


def test_20_binlog_files_that_start_again_are_an_epoch_or_unexplained(built):
    assert built.values(UNDECLARED, "email") == {1: "old"}
    assert built.replays(UNDECLARED) == (1, 1)
    assert built.values(BY_OFFSET, "email") == {1: "after RESET MASTER"}
    assert built.values(ON_THE_REPLICA, "email") == {1: "on the replica"}
    assert built.replays(ON_THE_REPLICA) == (0, 0)


# 21

SHOP_COLUMNS = [
    column("id", "int32"),
    column("name"),
    column("email"),
    decimal("balance", 12, 4),
    column("vip", "int16"),
    column("born", "int32", "io.debezium.time.Date"),
    column("joined", "int32", "io.debezium.time.Year"),
    column("created", "string", "io.debezium.time.ZonedTimestamp"),
    column("updated_at", "int64", "io.debezium.time.MicroTimestamp"),
]
SHOP = Table("ma_shop", "mariadb", SHOP_COLUMNS, table="shop.customers")
REAL = SHOP.story(
    "moved",
    recorded("mariadb_op_r_true", "mariadb_op_u_false", "mariadb_op_c_false")
    + recorded("mariadb_op_r_incremental", "mariadb_tombstone", "mariadb_key_change"),
)


@pytest.mark.covers("support MariaDB: key changes")
def test_21_both_halves_of_a_real_key_change_count_at_one_position(built):
    assert set(built.values(REAL, "name")) == {1, 20, 1136}
    assert built.replays(REAL) == (0, 0)
    born, created = (
        [event for event in built.staged(REAL) if event["_cdc_offset"] == offset][0]
        for offset in (59, 61)
    )
    assert (born["_cdc_op"], created["_cdc_op"]) == ("d", "c")
    assert born["_cdc_pos"] == created["_cdc_pos"]
    assert created["_cdc_old_key"] == born["_cdc_key"]


# 22: compressed transactions


RUN = "__debezium.context.runId"


def change(op: str, before: str, after: str, gtid: str, pos: int) -> KafkaRecord:
    """Return a change of row 1 in a transaction whose changes share one position."""
    log = binlog().say(
        op,
        1,
        pos,
        after,
        before=row(1, before) if op != "c" else None,
        source={"gtid": gtid},
        headers={RUN: "one"},
    )
    return log.records[0]


def in_run(records: list[KafkaRecord], run: str) -> list[KafkaRecord]:
    """Return the records as another run of the connector delivers them."""
    return [replace(one, headers=((RUN, run),)) for one in records]


# one transaction changes the row three times, the third time as the first
CHANGED = [
    replace(record, offset=offset)
    for offset, record in enumerate(
        [
            change("c", "", "a", "s:1", 100),
            change("u", "a", "b", "s:2", 500),
            change("u", "b", "a", "s:2", 500),
            change("u", "a", "b", "s:2", 500),
        ]
    )
]
ONE_RUN = COMPRESSED.story("one_run", CHANGED)
REPEATED = COMPRESSED.story("repeated", CHANGED + in_run(again(CHANGED), "two"))
REPEATED_CUT = {
    cut: COMPRESSED.story(f"cut_{cut}", CHANGED, repeats[:cut], repeats[cut:])
    for repeats in [in_run(again(CHANGED), "two")]
    for cut in (1, 2, 3)
}
LONGER = [*CHANGED, *late([change("u", "b", "c", "s:3", 900)], 4)]
BEHIND = COMPRESSED.story("behind", LONGER, in_run(again(LONGER)[:3], "two"))


def test_22_changes_that_share_a_position_all_count(built):
    assert built.values(ONE_RUN, "email") == {1: "b"}
    assert built.replays(ONE_RUN) == (0, 0)
    assert {event["_cdc_pos"] for event in built.staged(ONE_RUN)} == {None}


def test_22_repeats_of_a_compressed_transaction_are_known_by_what_they_change(built):
    assert built.values(REPEATED, "email") == {1: "b"}
    assert built.replays(REPEATED) == (4, 0)


@pytest.mark.parametrize("cut", REPEATED_CUT)
def test_22_repeats_in_later_batches_are_known_to_the_state(built, cut):
    for run in (1, 2, 3):
        assert built.values(REPEATED_CUT[cut], "email", run) == {1: "b"}
    assert built.replays(REPEATED_CUT[cut], 2) == (cut, 0)
    assert built.replays(REPEATED_CUT[cut]) == (4, 0)


def test_22_a_log_that_ends_amid_repeats_shows_the_newest_row(built):
    assert built.values(BEHIND, "email") == {1: "c"}
    assert built.replays(BEHIND) == (3, 0)


# 23: compressed transactions of a table without a key


def inserts(gtid: str) -> list[KafkaRecord]:
    """Return one transaction that inserts two equal rows."""
    log = binlog()
    for _ in range(2):
        log.add("c", None, 500, row(1, "x"), source={"gtid": gtid})
    return log.records


EQUAL = in_run(inserts("s:1"), "one")
KEYLESS = MYSQL_KEYLESS.story(
    "equal",
    EQUAL,
    in_run(again(EQUAL) + late(inserts("s:2"), 4), "two"),
)


def test_23_equal_rows_of_compressed_transactions_are_all_there(built):
    def rows(run: int) -> Counter[str]:
        return Counter(one["email"] for one in built.current(KEYLESS, run))

    assert rows(1) == {"x": 2}
    assert rows(2) == {"x": 4}


# 27

truncate = replace(example("mysql_3.6_truncate_null_key")[0], partition=1)
TRUNCATED = MYSQL.story(
    "truncated", [*binlog().say("c", 1, 400, "before").say("c", 2, 900, "after").records, truncate]
)


@pytest.mark.covers("support MySQL: truncates")
def test_27_a_truncate_of_mysql_removes_what_lies_before_its_position(built):
    assert built.values(TRUNCATED, "email") == {2: "after"}


reread = binlog().say("c", 1, 100, "gone").add("t", None, 400)
reread.say("r", 1, 600, "read since", snapshot="incremental").add("t", None, 400)
REREAD = {
    "whole": MYSQL.story("reread", reread.records),
    "cut": MYSQL.story("reread_cut", reread.records[:3], reread.records[3:]),
    "repeat first": MYSQL.story(
        "reread_late",
        [reread.records[0], *reread.records[2:]],
        [reread.records[1]],
    ),
}


@pytest.mark.parametrize("name", REREAD)
def test_27_a_repeat_of_a_truncate_removes_no_row_read_since(built, name):
    assert built.values(REREAD[name], "email") == {1: "read since"}
    if name == "repeat first":
        assert built.values(REREAD[name], "email", 1) == {}


AUDIT = Table(
    "ma_audit", "mariadb", [column("id", "int32"), column("what")], table="shop.audit", mark=None
)
REAL_TRUNCATE = AUDIT.story("truncated", recorded("mariadb_truncate"))


@pytest.mark.covers("support MariaDB: truncates")
def test_27_a_real_truncate_of_mariadb_is_one(built):
    assert [event["_cdc_op"] for event in built.staged(REAL_TRUNCATE)] == ["t", "t"]
    assert [event["_cdc_errors"] for event in built.staged(REAL_TRUNCATE)] == [None, None]


# 38

TRANSACTION = MYSQL.story(
    "transaction", example("seq_mysql_transaction", topic="mysql-server-1.inventory.customers")
)


def test_38_the_row_of_a_transaction_has_its_gtid_and_its_place(built):
    (event,) = built.staged(TRANSACTION)
    assert event["_cdc_tx_id"] == "0e4d5dcd-a33b-11ea-80f1-02010a22a99e:10"
    assert event["_cdc_tx_total_order"] == 1
    assert built.current(TRANSACTION) == [ANNE]
