"""The traps of the specification that Oracle springs, except positions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.log import GONE, Log, again, late
from tests.cases.table import Table
from tests.cases.tables import column
from tests.support.examples import example
from tests.traps.oracle_tables import CUSTOMERS, customer, ora

DOCS = Table(
    "ora_docs",
    "oracle",
    [column("ID", "int32"), column("TITLE"), column("BODY"), column("SCAN", "bytes")],
    key=["ID"],
    mark="ID",
    table="DEBEZIUM.DOCS",
)


# 7, 1, 29: the examples

EXACT = CUSTOMERS.story("exact", example("oracle_2.1.4_exact_create_with_schema"))
SEEDS = {
    op: CUSTOMERS.story(f"seed_{op}", example(f"oracle_2.1.4_{name}_from_seed"))
    for op, name in [("c", "create_with_schema"), ("u", "update"), ("d", "delete")]
}
READ = CUSTOMERS.story("read", example("oracle_2.1.4_snapshot_read"))
TRUNCATED = CUSTOMERS.story(
    "seed_truncate",
    ora().say("c", 1, 13234396, "a").records
    + late(example("oracle_2.1.4_truncate_from_seed"), 1)
    + late(ora().say("c", 2, 13234398, "b").records, 2),
)


def test_07_the_topic_names_schema_and_table_and_the_source_block_the_database(built):
    assert built.current(EXACT) == [customer(1004, "annek@noanswer.org")]


def test_01_examples_without_a_schema_or_a_whole_source_block_are_events(built):
    assert built.current(SEEDS["c"]) == [customer(1004, "annek@noanswer.org")]
    assert built.current(SEEDS["u"]) == [customer(1004, "anne@example.com")]
    assert built.current(SEEDS["d"]) == []
    assert [state["_cdc_op"] for state in built.state(SEEDS["d"])] == ["d"]
    assert built.current(READ) == [customer(1001, "sally.thomas@acme.com", "Sally", "Thomas")]


# 11

unnumbered = ora().say("u", 1, 1000, "a", serial=-1).say("u", 1, 1000, "b", serial=-1)
unnumbered.say("c", 2, 1000, "c", serial=-1)
repeated = again(unnumbered.records)
UNNUMBERED = CUSTOMERS.story("unnumbered", unnumbered.records + repeated[:1], repeated[1:])
TRUNCATED_AGAIN = CUSTOMERS.story(
    "unnumbered_truncate",
    ora().truncate(900, serial=-1).say("c", 1, 1000, "a", serial=-1).records,
    late(ora().truncate(900, serial=-1).records, 2),
)


@pytest.mark.covers("support Oracle: repeats")
def test_11_statements_without_a_number_are_known_by_what_they_change(built):
    assert built.values(UNNUMBERED, "EMAIL", 1) == {1: "b", 2: "c"}
    assert built.values(UNNUMBERED, "EMAIL") == {1: "b", 2: "c"}
    assert built.replays(UNNUMBERED) == (3, 0)


def test_27_a_repeated_truncate_removes_no_row_without_a_position(built):
    assert built.values(TRUNCATED_AGAIN, "EMAIL") == {1: "a"}


# 27

across = ora().say("c", 1, 100, "before", partition=0).say("c", 2, 110, "after", partition=1)
ACROSS = CUSTOMERS.story(
    "truncate_across",
    [
        # without an order of its statement it still has its SCN
        *ora().truncate(105, serial=-1, partition=1, offset=7).records,
        *across.records,
    ],
)


def test_27_the_documented_truncate_removes_what_has_a_lower_scn(built):
    assert built.values(TRUNCATED, "EMAIL") == {2: "b"}


@pytest.mark.covers("support Oracle: truncates")
def test_27_a_truncate_of_oracle_counts_by_scn_in_every_partition(built):
    assert built.values(ACROSS, "EMAIL") == {2: "after"}


# 34, 35

BASE64 = "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="


def doc(title: str, body: str = GONE, scan: str = BASE64, number: int = 7) -> dict[str, Any]:
    return {"ID": number, "TITLE": title, "BODY": body, "SCAN": scan}


created = Log("oracle").add("c", {"ID": 7}, 2122299, doc("old", "text", "AQID")).records
UPDATED = late(example("oracle_2.1.4_update_lob_unavailable"), 1)
LOB = DOCS.story("lob", created + UPDATED)
LOB_CUT = DOCS.story("lob_cut", created, UPDATED)


def shown(built: Any, story: Any) -> dict[int, tuple[Any, ...]]:
    return {
        row["ID"]: (row["TITLE"], row["BODY"], row["SCAN"] and bytes(row["SCAN"]).hex())
        for row in built.current(story)
    }


@pytest.mark.covers("support Oracle: unavailable values")
@pytest.mark.parametrize("story", [LOB, LOB_CUT], ids=["in one batch", "in the next batch"])
def test_34_lobs_that_were_not_written_keep_their_values(built, story):
    assert shown(built, story) == {7: ("new", "text", "010203")}


FORMS = {
    "hex": (GONE.encode().hex(), "010203"),
    "base64": (BASE64, "AQID"),
    "base64-url-safe": (BASE64, "AQID"),
}
BINARY = {}
for mode, (form, value) in FORMS.items():
    for known in (True, False):
        # what only the record tells of looks like a text
        parameters = {"parameters": {"binary.handling.mode": mode}} if known else {}
        name = f"ora_{mode.replace('-', '_')}{'' if known else '_unknown'}"
        case = Table(
            name,
            "oracle",
            [column("ID", "int32"), column("BODY"), column("SCAN", **parameters)],
            key=["ID"],
            mark="ID",
            table="DEBEZIUM.DOCS",
            options={"binary_handling_mode": mode},
        )
        log = Log("oracle").add("c", {"ID": 1}, 10, {"ID": 1, "BODY": "x", "SCAN": value})
        log.add("u", {"ID": 1}, 20, {"ID": 1, "BODY": "y", "SCAN": form})
        BINARY[name] = (case.story("forms", log.records), value if not known else "010203")


@pytest.mark.parametrize("name", BINARY)
def test_35_the_placeholder_of_a_blob_is_in_the_binary_mode(built, name):
    story, expected = BINARY[name]
    (found,) = built.current(story)
    scan = found["SCAN"]
    assert (scan if isinstance(scan, str) else bytes(scan).hex()) == expected
    assert found["BODY"] == "y"


# 38

signal = {"ID": "a", "TYPE": "log", "DATA": "{}"}
SIGNALS = CUSTOMERS.story(
    "signals",
    ora().say("c", 1, 10, "a").records
    + late(
        Log("oracle")
        .add(
            "c",
            {"ID": 5},
            20,
            signal,
            source={"db": "ORCLPDB1", "schema": "C##DBZUSER", "table": "DEBEZIUM_SIGNAL"},
        )
        .records,
        1,
    ),
)


def test_38_rows_of_a_signal_table_named_with_its_database_are_no_rows_of_another(built):
    assert built.values(SIGNALS, "EMAIL") == {1: "a"}
    assert built.staged(SIGNALS)[1]["_cdc_errors"] == ["record: row of the signal table"]
