"""Positions of each connector: texts that sort as the source's log does (spec §5.4)."""

from __future__ import annotations

import pytest

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


def postgresql(lsn, commit="1", op="u"):
    first = "null" if commit is None else f'"{commit}"'
    return {"lsn": lsn, "sequence": f'[{first},"{lsn}"]', "snapshot": "false", "op": op}


def positions(spark, macro, blocks, which="position", **options):
    """Return the position of every source block, in the order given."""
    macros = Macros()
    fields = [
        *macros.position_source_fields(macro.removesuffix("_position")),
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
            "position log_position",
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
            "mysql_position",
            BOTH,
            [
                binlog("mysql-bin.999999", "900"),
                binlog("mysql-bin.999999", "900", "2"),
                binlog("mysql-bin.999999", "900", "10"),
                binlog("mysql-bin.999999", "1000"),
                binlog("mysql-bin.1000000", "235"),
            ],
        ),
        (
            "mysql_position",
            BOTH,
            [binlog("my.host.000009", "4"), binlog("my.host.000010", "4", None)],
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
        (
            "postgresql_position",
            BOTH,
            [postgresql("999"), postgresql("1000"), postgresql("24023128"), postgresql("9", "2")],
        ),
    ],
    ids=["logminer", "xstream", "mysql", "mariadb", "sqlserver", "postgresql"],
)
def test_positions_sort_as_the_log_does(spark, macro, which, ordered):
    for one_of in which.split():
        found = positions(spark, macro, ordered, one_of)

        assert found == sorted(set(found))
        assert len({len(one) for one in found if "~" not in one}) == 1


def test_within_a_commit_of_sqlserver_nothing_orders_a_row_and_all_tells_changes_apart(spark):
    lower = sqlserver("00000027:00000758:0004", "1")
    blocks = [sqlserver("00000027:00000758:0005", "1"), lower, lower | {"event_serial_no": "2"}]

    assert set(positions(spark, "sqlserver_position", blocks)) == {blocks[0]["commit_lsn"]}
    assert len(set(positions(spark, "sqlserver_position", blocks, "identity"))) == 3
    later = sqlserver("00000027:00000001:0001", "1", "00000028:00000001:0002")
    assert positions(spark, "sqlserver_position", [later])[0] > blocks[0]["commit_lsn"]


def test_nothing_of_logminer_tells_the_order_of_commits(spark):
    assert positions(spark, "oracle_position", [oracle("5")], "stream_position") == [None]
    xstream = oracle("5", lcr="0000af")
    assert positions(spark, "oracle_position", [xstream], "stream_position") != [None]


def test_the_lsn_stands_for_a_commit_that_is_not_told(spark):
    blocks = [
        postgresql("900", commit="800"),
        postgresql("950", commit=None),
        postgresql("960", commit=None) | {"sequence": None},
        postgresql("955", commit="970"),
    ]

    found = positions(spark, "postgresql_position", blocks)
    assert found == sorted(found)


def test_a_change_of_postgresql_is_known_by_its_lsn_and_before_2_0_by_its_values(spark):
    first, second = ({"lsn": "5", "snapshot": "false", "op": "u", "after": {"v": v}} for v in "ab")

    def told(**more):
        blocks = [first | more, second | more]
        return positions(spark, "postgresql_position", blocks, "identity")

    assert set(told(version="3.6.3.Final")) == {"~00000000000000000005"}
    assert len(set(told(version="1.9.7.Final"))) == 2


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


def test_case_and_blanks_around_a_record_id_mean_nothing(spark):
    same = [oracle("5", rs_id) for rs_id in (" 0x0000AF.00000f85.0010", "0x0000af.00000f85.0010 ")]

    assert len(set(positions(spark, "oracle_position", same))) == 1


def test_a_statement_number_that_did_not_fit_orders_no_row_but_the_stream(spark):
    blocks = [oracle("5", ssn="7"), oracle("5", ssn="-1"), oracle("6")]

    assert positions(spark, "oracle_position", blocks)[1] is None
    log = positions(spark, "oracle_position", blocks, "log_position")
    assert log == sorted(log)


def test_transactions_of_postgresql_are_ordered_by_their_commits(spark):
    blocks = [postgresql("900", commit="950"), postgresql("100", commit="1000")]

    for which in BOTH.split():
        found = positions(spark, "postgresql_position", blocks, which)
        assert found == sorted(found)


def test_changes_of_compressed_transactions_have_a_place_in_the_stream_only(spark):
    blocks = [binlog("mysql-bin.000003", "500", op=op) for op in ("c", "u", "d", "t", "r")]

    def found(which):
        return positions(spark, "mysql_position", blocks, which, shares_positions=True)

    assert [one is None for one in found("position")] == [True, True, True, False, False]
    assert len(set(found("stream_position"))) == 1


@pytest.mark.parametrize(
    ("macro", "block"),
    [("oracle_position", oracle(None)), ("mysql_position", binlog(None, None))],
)
def test_a_record_without_a_place_has_no_position(spark, macro, block):
    assert positions(spark, macro, [block]) == [None]


NONE = [
    ("postgresql", {"lsn": None}),
    ("postgresql", {"lsn": "0"}),
    ("postgresql", {"lsn": "none", "sequence": "none"}),
    ("sqlserver", {"commit_lsn": None, "change_lsn": "1:1:1"}),
    ("sqlserver", {"commit_lsn": "00000000:00000000:0000", "change_lsn": "1:1:1"}),
    ("sqlserver", {"commit_lsn": "1:1:1", "change_lsn": None}),
    ("sqlserver", {"commit_lsn": "NULL", "change_lsn": "1:1:1"}),
    ("oracle", {"scn": None, "rs_id": "1", "ssn": "0"}),
    ("oracle", {"scn": "0", "rs_id": "1", "ssn": "0"}),
    ("mysql", {"file": "", "pos": "0", "row": "0"}),
    ("mysql", {"file": "tidb", "pos": "4", "row": "0"}),
    ("mariadb", {"file": "bin.000001", "pos": "0", "row": "0"}),
    ("mysql", {"file": "bin.000001", "pos": "4", "connector": "TiCDC"}),
    ("postgresql", {"lsn": "5", "sequence": '["4","5"]', "connector": "yugabytedb"}),
    ("sqlserver", {"commit_lsn": "1:1:1", "change_lsn": "1:1:1", "connector": "db2"}),
    ("oracle", {"scn": "5", "rs_id": "1", "ssn": "0", "connector": "openlogreplicator"}),
    ("mongodb", {"ord": None, "ts_ms": "1000", "version": "2.0.0.Final"}),
    ("mongodb", {"ord": "1", "ts_ms": "1000", "version": "2.0.0.Final", "connector": "other"}),
]
SOME = [
    ("postgresql", {"lsn": "5", "sequence": None, "connector": "postgresql"}),
    ("sqlserver", {"commit_lsn": "1:1:1", "change_lsn": "1:1:1", "connector": ""}),
    ("oracle", {"scn": "5", "rs_id": "1", "ssn": "0", "connector": "oracle"}),
    ("mysql", {"file": "bin.000001", "pos": "4", "connector": "mariadb"}),
    ("mariadb", {"file": "bin.000001", "pos": "4", "connector": "MySQL"}),
    ("mongodb", {"ord": "1", "ts_ms": "1000", "version": "2.0.0.Final"}),
]


def test_what_another_writer_calls_a_position_is_none(spark):
    """The whole record is the identity of such a change."""
    macros = Macros()
    names = sorted({name for _, block in NONE + SOME for name in block})
    names = sorted(
        {
            *names,
            "lcr_position",
            "gtid",
            "server_id",
            "txId",
            "row",
            "event_serial_no",
            "snapshot",
            "wallTime",
            "tord",
        }
    )
    schema = "source struct<" + ", ".join(f"{name}: string" for name in names) + ">, op string"
    found = []
    for connector, block in NONE + SOME:
        position = macros.event_position({"connector": connector})
        identity = macros.event_identity(position, "77")
        row = (tuple(block.get(name) for name in names), "u")
        frame = spark.createDataFrame([row], schema).selectExpr(
            "*",
            "cast(null as map<string, string>) as after",
            "named_struct('total_order', cast(null as string)) as transaction",
            "cast(null as map<string, string>) as before",
        )
        (got,) = frame.selectExpr(
            position["position"], position["stream_position"], identity
        ).collect()
        found.append((got[0] is None, got[1] is None or connector == "oracle", got[2] == "~77"))
    assert found[: len(NONE)] == [(True, True, True)] * len(NONE)
    assert {one[0] for one in found[len(NONE) :]} == {False}
    assert {one[2] for one in found[len(NONE) :]} == {False}
