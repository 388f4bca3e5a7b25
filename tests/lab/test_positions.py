"""Positions that sort as the source's log does (spec §5.4); of changes: `cases/positions.py`."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.decode.connectors import CONNECTORS
from tests.support.macros import Macros

BOTH = "position stream_position"


def oracle(scn, rs_id=" 0x00000f.00000f85.0010", ssn="0", lcr=None, snapshot="false", op="u"):
    block = {"scn": scn, "rs_id": rs_id, "ssn": ssn, "lcr_position": lcr}
    return block | {"snapshot": snapshot, "op": op}


def read(scn, lcr=None, snapshot="true", rs_id=None):
    return oracle(scn, rs_id, "0", lcr, snapshot, "r")


def binlog(file, pos, row="0", op="u"):
    return {"file": file, "pos": pos, "row": row, "snapshot": "false", "op": op}


def sqlserver(change, serial, commit="00000027:00000758:0005"):
    block = {"commit_lsn": commit, "change_lsn": change, "event_serial_no": serial}
    return block | {"snapshot": "false", "op": "u"}


def positions(spark, macro, blocks, which="position", **options):
    """Return the position of every source block, in the order given."""
    macros = Macros()
    fields = [
        *CONNECTORS[macro.removesuffix("_position")].log,
        "snapshot",
        "version",
    ]
    members = ", ".join(f"{name}: string" for name in fields)
    schema = f"source struct<{members}>, op string, after map<string, string>"
    frame = spark.createDataFrame(
        [(tuple(one.get(name) for name in fields), one["op"], one.get("after")) for one in blocks],
        schema,
    )
    expression = getattr(macros, macro)(**options)[which]
    return [position for (position,) in frame.selectExpr(expression).collect()]


@pytest.mark.parametrize(
    ("macro", "which", "ordered"),
    [
        (
            "oracle_position",
            "position layout",
            [
                oracle("999"),
                oracle("1000", " 0x00000f.00000f85.0010", "9"),
                oracle("1000", " 0x00000f.00000f85.0010", "10"),
                oracle("1000", "0x000010.00000000.0000", "0"),
                # a read of a snapshot: it saw all of its SCN
                read("1000"),
                oracle("18446744073709551616"),
                oracle("9" * 38),
            ],
        ),
        (
            "oracle_position",
            BOTH,
            [
                read("99"),
                oracle("9", lcr="0000AF"),
                oracle("8", lcr="0000b0"),
                oracle("7", lcr="01000000"),
            ],
        ),
        (
            "sqlserver_position",
            "stream_position",
            [
                sqlserver("00000027:00000758:0003", "9"),
                sqlserver("00000027:00000758:0003", "10"),
                sqlserver("00000027:00000758:0004", "1"),
                # a read of a snapshot: it saw all of its commit
                sqlserver(None, None),
                sqlserver("00000027:00000001:0001", "1", "00000028:00000001:0002"),
            ],
        ),
    ],
    ids=["logminer", "xstream", "sqlserver"],
)
def test_reads_sort_as_the_log_does(spark, macro, which, ordered):
    for one_of in which.split():
        found = positions(spark, macro, ordered, one_of)

        assert found == sorted(set(found))
        assert len({len(one) for one in found if "~" not in one}) == 1


def test_nothing_of_logminer_tells_the_order_of_commits(spark):
    assert positions(spark, "oracle_position", [oracle("5")], "stream_position") == [None]
    xstream = oracle("5", lcr="0000af")
    assert positions(spark, "oracle_position", [xstream], "stream_position") != [None]


def test_a_truncate_has_a_place_whatever_the_number_of_its_statement(spark):
    blocks = [oracle("999"), oracle("1000", ssn="-1", op="t"), oracle("1001")]

    found = positions(spark, "oracle_position", blocks)
    assert found == sorted(found) and None not in found


@pytest.mark.parametrize(
    "block",
    [
        oracle("5", ssn="-1"),
        # other adapters than LogMiner have no redo record
        oracle("5", None),
        oracle("5", " "),
        # it has the members of the event that closed its window
        read("5", snapshot="incremental", rs_id=" 0x00000f.00000f85.0010"),
        read("5", "0000af", "incremental"),
    ],
)
def test_what_orders_no_row_has_a_place_in_the_stream_only(spark, block):
    assert positions(spark, "oracle_position", [block]) == [None]
    assert positions(spark, "oracle_position", [block], "stream_position") != [None]


def test_a_statement_number_that_did_not_fit_orders_no_row_but_the_stream(spark):
    blocks = [oracle("5", ssn="7"), oracle("5", ssn="-1"), oracle("6")]

    assert positions(spark, "oracle_position", blocks)[1] is None
    log = positions(spark, "oracle_position", blocks, "layout")
    assert log == sorted(log)


def test_changes_of_compressed_transactions_have_a_place_in_the_stream_only(spark):
    blocks = [binlog("mysql-bin.000003", "500", op=op) for op in ("c", "u", "d", "t", "r")]

    def found(which):
        return positions(spark, "mysql_position", blocks, which, shares_positions=True)

    assert [one is None for one in found("position")] == [True, True, True, False, False]
    assert len(set(found("stream_position"))) == 1


def test_what_another_writer_calls_a_position_of_mongodb_is_none(spark):
    """The whole record is the identity of such a change."""
    macros = Macros()
    position = macros.event_position({"connector": "mongodb"})
    members = ["ord", "ts_ms", "version", "connector", "tord", "lsid", "txnNumber", "wallTime"]
    names = sorted({*members, "snapshot"})
    schema = "source struct<" + ", ".join(f"{name}: string" for name in names) + ">, op string"
    own = {"ord": "1", "ts_ms": "1000", "version": "2.0.0.Final"}
    found = []
    for block in (own | {"ord": None}, own | {"connector": "other"}, own):
        frame = spark.createDataFrame(
            [(tuple(block.get(name) for name in names), "u")], schema
        ).selectExpr(
            "*",
            "cast(null as map<string, string>) as after",
            "named_struct('total_order', cast(null as string)) as transaction",
            "cast(null as map<string, string>) as before",
        )
        (got,) = frame.selectExpr(
            position["position"], position["stream_position"], macros.event_identity(position, "77")
        ).collect()
        found.append((got[0] is None, got[1] is None, got[2] == "~77"))
    assert found == [(True, True, True)] * 2 + [(False, False, False)]
