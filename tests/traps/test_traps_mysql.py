"""Traps of the specification as MySQL and MariaDB spring them, except positions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.cases.log import late, recorded
from tests.cases.replays import COMPRESSED, compressed
from tests.cases.table import Table
from tests.cases.tables import (
    MARIADB,
    MYSQL,
    binlog,
    column,
    decimal,
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

# one transaction changes the row three times, the third time as the first, and comes again
CHANGES = [("a", "b"), ("b", "a"), ("a", "b")]
told = compressed(*((run, "s:1", *change) for run in ("one", "two") for change in CHANGES)).records
REPEATED_CUT = {
    cut: COMPRESSED.story(f"cut_{cut}", told[:3], told[3 : 3 + cut], told[3 + cut :])
    for cut in (1, 2)
}


@pytest.mark.parametrize("cut", REPEATED_CUT)
def test_22_repeats_in_later_batches_are_known_to_the_state(built, cut):
    story = REPEATED_CUT[cut]
    assert [built.values(story, "v", run) for run in (1, 2, 3)] == [{1: "b"}] * 3
    assert [built.replays(story, run) for run in (1, 2, 3)] == [(0, 0), (cut, 0), (3, 0)]
    assert {event["_cdc_pos"] for event in built.staged(story)} == {None}


# 27

truncate = replace(example("mysql_3.6_truncate_null_key")[0], partition=1)
TRUNCATED = MYSQL.story(
    "truncated", [*binlog().say("c", 1, 400, "before").say("c", 2, 900, "after").records, truncate]
)


@pytest.mark.covers("support MySQL: truncates")
def test_27_a_truncate_of_mysql_removes_what_lies_before_its_position(built):
    assert built.values(TRUNCATED, "email") == {2: "after"}


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
