"""What `explain` says: a record for each verdict of the page, rows that are gone, strange keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.verdicts import VERDICTS
from tests.cases.log import GONE, Log
from tests.support.documents import COLLECTION, LabDocuments
from tests.support.documents import TOPIC as OF_DOCUMENTS
from tests.support.examples import START_MS, compact, example
from tests.support.explained import LabTable
from tests.support.lab import Lab

TOPIC = "p.public.plain"
PG = "2023-11-14T22:13:"


def log_of_verdicts() -> Log:
    """Each verdict at a key of its own; of the last one a record that is no event."""
    return (
        Log()
        .c(1, 10, "a")
        .c(1, 10, "a")
        .r(2, 10, "a", snapshot="true")
        .r(3, 10, "a", snapshot="incremental")
        .u(4, None, "a")
        .c(5, 10, "a", commit=None)
        .d(5, 20, commit=None)
        .c(5, 15, "b", commit=None)
        .u(6, 20, "new", partition=0, at=START_MS)
        .u(6, 10, "old", partition=1, at=START_MS)
        .u(7, 20, "new")
        .u(7, 10, "old")
        .u(8, 10, "a", w="x")
        .u(8, 20, "b", w="x")
        .c(9, 10, "a")
        .d(9, 20)
        .x(9)
        .u(10, 10, "a")
        .x(10, at=START_MS + 50)
        .x(10, at=START_MS + 50)
        .u(11, 10, "a")
        .x(11)
        .c(12, 10, "a")
        .add("q", {"id": 12}, 20, {"id": 12, "v": "b"})
    )


# key, number of the record, what its lines begin with behind the first, which names it
SHOWN: dict[str, tuple[int, int, str]] = {
    "repeat": (1, 2, "c p.public.plain:0:1: not applied"),
    "full read": (2, 1, "r p.public.plain:0:2: applied"),
    "incremental read": (3, 1, "r p.public.plain:0:3: applied"),
    "change without position": (4, 1, "u p.public.plain:0:4: applied"),
    "late birth": (5, 3, "c p.public.plain:0:7: applied"),
    "moved": (6, 2, "u p.public.plain:1:9: not applied"),
    "unexplained": (7, 2, "u p.public.plain:0:11: not applied"),
    "change": (8, 2, "u p.public.plain:0:13: applied"),
    "tombstone of delete": (9, 3, "tombstone p.public.plain:0:16: not applied"),
    "tombstone again": (10, 3, "tombstone p.public.plain:0:19: not applied"),
    "deleting tombstone": (11, 2, "tombstone p.public.plain:0:21: applied"),
    "quarantined": (12, 2, "no event p.public.plain:0:23: not applied"),
}
MORE = {
    "unexplained": f"below the mark 000000/{1:020d}/{20:020d}",
    "change": '     v: "a" -> "b"',
    "change without position": "position none",
    "quarantined": "quarantined: record: unknown op q (docs/operations.md#quarantine)",
}


@pytest.fixture(scope="module")
def told(lab_spark: SparkSession) -> Iterator[LabTable]:
    table = LabTable(lab_spark, log_of_verdicts().records, topic=TOPIC)
    yield table
    table.lab.drop()


def test_every_verdict_is_shown():
    assert {*SHOWN} == {*VERDICTS, "quarantined"}


@pytest.mark.parametrize("verdict", SHOWN)
def test_a_record_of_each_verdict(told: LabTable, verdict: str):
    key, number, first = SHOWN[verdict]
    text = told.text(str(key))

    block = text.split("\n\n")[number]
    assert block.startswith(f"{number}. {first}\n   {verdict}: ")
    if verdict in VERDICTS:
        assert f": {VERDICTS[verdict].rule} ({VERDICTS[verdict].link})\n" in block
    assert "   batch 1, position " in block
    assert "   recorded 2023-11-14T22:13:20" in block and "landed 2023-11-14T22:13:20" in block
    assert MORE.get(verdict, "") in block


def test_the_whole_text(told: LabTable):
    at = "2023-11-14T22:13:20"
    assert told.text("id=8") == (
        f"""public.plain (source sim), key {{"id":8}}

1. u p.public.plain:0:12: applied
   change: its position is the new mark (docs/semantics.md#L111)
   batch 1, position 000000/{1:020d}/{10:020d}
   recorded {at}.012000, at the source {at}.000000, landed {at}.012000
     id: 8
     v: "a"
     w: "x"

2. u p.public.plain:0:13: applied
   change: its position is the new mark (docs/semantics.md#L111)
   batch 1, position 000000/{1:020d}/{20:020d}
   recorded {at}.013000, at the source {at}.000000, landed {at}.013000
     v: "a" -> "b"

The row stands since p.public.plain:0:13.
  id: 8
  v: "b"
  w: "x\""""
    )


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("x", "no value of column id, of type int."),
        (["id=1", "v=2"], "no key of public.plain: id=1 v=2."),
        ({"v": 1}, "no key of public.plain: v."),
    ],
)
def test_a_key_that_is_none(told: LabTable, key: Any, problem: str):
    found = told.explain(key)

    assert found["problem"] == problem
    assert found["remedy"] in (
        "Write values as Spark prints them.",
        "Write column=value for each of id.",
    )


# -- rows that are gone ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gone(lab_spark: SparkSession) -> Iterator[LabTable]:
    log = (
        Log()
        .c(1, 10, "a")
        .c(2, 11, "a")
        .d(2, 12)
        .u(3, 13, "a")
        .x(3)
        .t(20)
        .c(4, 30, "a")
        .c(5, 31, "a")
        .d(5, 32)
        .c(6, 32, GONE, w="new")
        .r(9, 100, "read", snapshot="last", at=START_MS + 9_000)
        .add("q", {"id": 7}, 110, {"id": 7})
        .raw(compact({"id": 8}), "{")
        .add("u", None, 120, {"id": 1}, value={"op": "u"})
    )
    ignored = {"topic": TOPIC, "partition": 0, "offset": 12, "reason": "cut by a {{ proxy }}"}
    table = LabTable(
        lab_spark,
        log.records,
        topic=TOPIC,
        tables={"public.plain": {"close_unseen": True}},
        ignore_records=[ignored],
    )
    yield table
    table.lab.drop()


@pytest.mark.parametrize(
    ("key", "what", "text"),
    [
        (1, "truncate", f"removed by TRUNCATE: {TOPIC}:0:5 at {PG}20.000000."),
        (2, "deleted", f"deleted by the event {TOPIC}:0:2 at {PG}20.000000."),
        (3, "deleted", f"deleted by a tombstone {TOPIC}:0:4 at {PG}20.004000."),
        (
            4,
            "snapshot",
            f"closed by a complete snapshot without it: {TOPIC}:0:10 at {PG}20.000000.",
        ),
        (5, "deleted", 'its key changed to {"id":6}.'),
        (7, "quarantined", "No row: quarantined, unknown op q."),
        (
            8,
            "ignored",
            f"No row: ignored by ignore_records, {TOPIC}:0:12: cut by a {{{{ proxy }}}}.",
        ),
        (404, "never seen", "no record of this key is among the 14 staged ones up to batch 1."),
    ],
)
def test_where_a_missing_row_went(gone: LabTable, key: int, what: str, text: str):
    found = gone.explain(key)

    assert (found["outcome"]["what"], found["row"]) == (what, None)
    assert text in found["outcome"]["text"]
    assert found["lines"][-1]["verdict"] == what


def test_values_come_from_the_key_before(gone: LabTable):
    found = gone.explain(6)

    (record,) = found["records"]
    assert (record["previous_key"], record["lacks"]) == ('{"id":5}', ["v"])
    assert record["changed"] == [["id", None, 6], ["v", None, "a"], ["w", None, "new"]]
    # a snapshot without it came later
    assert found["outcome"]["what"] == "snapshot"


def test_what_is_staged_and_not_folded_is_said(lab_spark: SparkSession):
    table = LabTable(lab_spark, Log().c(1, 10, "a").records, topic=TOPIC)
    table.land(Log().c(1, 10, "a").u(1, 20, "b").records[1:], 2, folds=False)

    assert table.explain(1)["notes"] == ["Batch 2 is staged, and not folded yet: run `dbt build`."]


# -- an instant -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def moving(lab_spark: SparkSession) -> Iterator[LabTable]:
    log = Log().c(1, 10, "a").u(1, 20, "b", commit=15, ms=10_000)
    log.d(1, 30, commit=25, ms=20_000).c(1, 40, "c", commit=35, ms=60_000)
    table = LabTable(lab_spark, log.records, topic=TOPIC)
    yield table
    table.lab.drop()


@pytest.mark.parametrize(
    ("as_of", "records", "row", "text"),
    [
        ("2023-11-14 22:13:19", 0, None, "No row yet: its first version begins at"),
        ("2023-11-14 22:13:25", 1, {"id": 1, "v": "a", "w": None}, "until"),
        ("2023-11-14 22:13:30", 2, {"id": 1, "v": "b", "w": None}, "until"),
        ("2023-11-14 22:13:45", 3, None, "ended by delete"),
        ("2023-11-14 22:14:45", 4, {"id": 1, "v": "c", "w": None}, "until now."),
    ],
)
def test_a_row_at_an_instant(moving: LabTable, as_of: str, records: int, row: Any, text: str):
    found = moving.explain(1, as_of)

    assert (len(found["records"]), found["row"]) == (records, row)
    assert text in found["outcome"]["text"]


def test_no_instant(told: LabTable):
    assert told.explain(1, "soon")["problem"] == "no instant: soon."


# -- strange and composite keys -------------------------------------------------------------------

STRANGE = ["a'b", "{{ 7 * 7 }}\x01`", 'new\nline "\\', "${x} %s %(y)s = é"]
NAMES = ["it's", "{{ 1/0 }}`"]


@pytest.fixture(scope="module")
def strange(lab_spark: SparkSession) -> Iterator[LabTable]:
    columns = [{"name": name, "type": "string"} for name in NAMES]
    columns += [{"name": "n", "type": "int32"}]
    log = Log()
    for number, text in enumerate(STRANGE):
        row = {NAMES[0]: text, NAMES[1]: "x y", "n": number}
        log.add("c", {name: row[name] for name in NAMES}, 10 + number, row)
    table = LabTable(lab_spark, log.records, topic=TOPIC, columns=columns, key=NAMES)
    yield table
    table.lab.drop()


@pytest.mark.parametrize("number", range(len(STRANGE)))
def test_strange_keys_and_names(strange: LabTable, number: int):
    key = [f"{NAMES[0]}={STRANGE[number]}", f"{NAMES[1]}=x y"]
    found = strange.explain(key)

    assert found["row"] == {NAMES[0]: STRANGE[number], NAMES[1]: "x y", "n": number}
    assert "\x01" not in strange.text(key)


@pytest.mark.parametrize(
    "key",
    [
        "it's=a'b {{ 1/0 }}`=x y",
        {NAMES[0]: "a'b", NAMES[1]: "x y"},
        compact({NAMES[0]: "a'b", NAMES[1]: "x y"}),
    ],
    ids=["one-text", "mapping", "json"],
)
def test_forms_of_a_composite_key(strange: LabTable, key: Any):
    assert strange.explain(key)["row"]["n"] == 0


def test_a_part_of_a_composite_key(strange: LabTable):
    found = strange.explain("it's=a'b")
    assert (
        found["problem"] == "the key of public.plain is (it's, {{ 1/0 }}`); {{ 1/0 }}` is missing."
    )


# -- tables without a key -------------------------------------------------------------------------


def test_rows_without_a_key(lab_spark: SparkSession):
    log = Log("sqlserver")
    log.c(1, 10, "a", keyless=True).c(1, 11, "a", keyless=True).again(0)
    log.u(1, 12, "b", keyless=True, before={"id": 1, "v": "a", "w": None})
    table = LabTable(lab_spark, log.records, topic=TOPIC, connector="sqlserver", key=())
    found = table.explain(["id=1", "v=a"])

    shown = [(record["verdict"], record["change"]) for record in found["records"]]
    assert shown == [("counts", 1), ("counts", 1), ("repeat", 0), ("counts", -1)]
    assert found["row"] == [{"count": 1, "row": {"id": 1, "v": "a", "w": None}}]
    assert "nothing shows" in table.text("v=a")
    assert table.explain("v=nowhere")["outcome"]["what"] == "never seen"


# -- documents ------------------------------------------------------------------------------------


def test_a_document(lab_spark: SparkSession):
    records = example("seq_mongodb_3.6_transaction_same_position")
    with Lab(lab_spark) as lab:
        documents = LabDocuments(lab)
        told = [record for record in records if record.topic.endswith(".customers")]
        documents.land([replace(record, topic=OF_DOCUMENTS) for record in told], 1)
        documents.run()
        macros = lab.macros(documents._sources, "none")
        model = {
            **{"source": "sim", "table": COLLECTION, "kind": "documents", "raw": None},
            **{"staging": lab.name("stg"), "state": lab.name("state")},
            **{"columns": ["_id", "document"], "call": {"topics": []}},
        }
        config = macros.source_config("sim")
        found = macros.explained_row(config, model, "8")
        early = macros.explained_row(config, model, "8", "1999-01-01")
        never = macros.explained_row(config, model, "404")

    verdicts = [record["verdict"] for record in found["records"]]
    assert verdicts == ["change without position"] * 2
    assert found["records"][1]["changed"] == [["b", 1, 2]]
    assert (found["outcome"]["what"], found["row"]["_id"]) == ("stands", "8")
    assert (early["outcome"]["what"], early["records"]) == ("not yet", [])
    assert never["outcome"]["what"] == "never seen"
