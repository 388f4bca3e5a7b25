"""Transactions in the lab: MongoDB's, records that are no boundaries, and what people see."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from dev.simulator.mongodb import document_history
from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.documents import COLLECTION, TOPIC
from tests.support.examples import messages
from tests.support.lab import Lab
from tests.support.macros import CompilerError
from tests.support.raw import raw_row

NOW = 1_780_000_000_000


def source(connector: str, prefix: str, **options: Any) -> dict[str, Any]:
    """Return the configuration of a source with transactions."""
    return {"s": source_options(connector, prefix, provide_transaction_metadata=True, **options)}


class Transactions:
    """A source's transactions in a lab."""

    def __init__(
        self, lab: Lab, sources: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Begin without records; `tables`: arguments of their staging models, by name."""
        self._lab = lab
        self._sources = sources
        self._tables = tables
        lab.append("raw", lab.rows([]))

    def land(self, records: Iterable[KafkaRecord], batch: int) -> None:
        """Land records, and bring all tables up to date."""
        lab = self._lab
        lab.append("raw", lab.rows([raw_row(record, batch) for record in records]))
        entries = []
        for number, (name, model) in enumerate(self._tables.items()):
            stage = lab.stage if "columns" in model else lab.stage_documents
            stage(self._sources, "s", "raw", f"stg_{number}", table=name, **model)
            entries.append({"table": name, "relation": lab.name(f"stg_{number}")})
        macros = lab.macros(self._sources, "transactions")
        sql = macros.transactions(source="s", raw=lab.name("raw"), stagings=entries)
        lab.run(macros, sql, "transactions", lab.merge)
        macros = lab.macros(self._sources, "cut")
        lab.run(
            macros, macros.cut(source="s", transactions=lab.name("transactions")), "cut", lab.merge
        )

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return the rows about transactions, by id."""
        frame = self._lab.tables[self._lab.name("transactions")]
        rows = frame.where("_cdc_key not like '!%'").collect()
        return {row["transaction_id"]: row.asDict(recursive=True) for row in rows}

    def shown(self) -> list[dict[str, Any]]:
        """Return the rows of `debezium_obs__transactions`."""
        entry = {"source": "s", "relation": self._lab.name("transactions"), "max_age": 60}
        sql = self._lab.macros(self._sources, "obs").obs_transactions([entry])
        return [row.asDict() for row in self._lab.session.sql(sql).collect()]

    def cut(self, batch: int | None = None) -> str | None:
        """Return the cut as readers compare with it."""
        macros = self._lab.macros(self._sources, "asof")
        value = macros.cut_position(self._lab.name("cut"), batch_id=batch)
        found: str | None = self._lab.session.sql(f"select {value}").collect()[0][0]
        return found

    def commit(self, instant: str) -> str | None:
        """Return the last commit up to an instant."""
        macros = self._lab.macros(self._sources, "asof")
        value = macros.commit_position(
            self._lab.name("transactions"), self._lab.name("cut"), f"timestamp '{instant}'"
        )
        found: str | None = self._lab.session.sql(f"select {value}").collect()[0][0]
        return found

    def reason(self) -> str | None:
        """Return why there is no cut."""
        frame = self._lab.tables[self._lab.name("cut")].orderBy("_cdc_batch_id")
        found: str | None = frame.collect()[-1]["reason"]
        return found


PAIRS = [{"name": "pk", "type": "string"}, {"name": "aa", "type": "string"}]


def of_example(name: str) -> list[KafkaRecord]:
    """Return the records of an example of the specification."""
    return [
        KafkaRecord(
            told["topic"],
            told["partition"],
            told["offset"],
            NOW + number,
            json.dumps(told["key"]),
            json.dumps(told["value"]),
            (),
        )
        for number, told in enumerate(messages(name))
    ]


@pytest.mark.covers("trap 42")
@pytest.mark.parametrize(
    ("example", "connector", "tables", "number"),
    [
        ("seq_postgres_2.1.4_transaction", "postgresql", ("s1.a", "s2.a"), "571"),
        (
            "seq_sqlserver_2.1.4_transaction",
            "sqlserver",
            ("dbo.tablea", "dbo.tableb"),
            "00000025:00000d08:0025",
        ),
    ],
)
def test_the_documented_transaction_is_complete(
    lab: Lab, example: str, connector: str, tables: Sequence[str], number: str
) -> None:
    records = of_example(example)
    (topic,) = {one.topic for one in records if one.topic.endswith(".transaction")}
    prefix = topic.removesuffix(".transaction")
    model = {"key": PAIRS[:1], "columns": PAIRS}
    made = Transactions(
        lab,
        source(connector, prefix),
        {
            name: {**model, "topics": [one.topic for one in records if one.topic.endswith(name)]}
            for name in tables
        },
    )

    made.land(records, 1)

    row = made.rows()[number]
    assert (row["status"], row["event_count"]) == ("complete", 2)
    assert [(one["table_name"], one["expected"], one["landed"]) for one in row["tables"]] == [
        (name, 1, 1) for name in tables
    ]
    assert made.cut() == row["high_pos"] and made.reason() is None


def boundary(offset: int, value: Any, now: int = NOW) -> KafkaRecord:
    text = value if value is None or isinstance(value, str) else json.dumps(value)
    return KafkaRecord("p.transaction", 0, offset, now, None, text, ())


def end(number: int, **counts: int) -> dict[str, Any]:
    collections = [
        {"data_collection": name.replace("__", "."), "event_count": count}
        for name, count in counts.items()
    ]
    total = sum(counts.values())
    return {"status": "END", "id": str(number), "event_count": total,
            "data_collections": collections, "ts_ms": NOW}  # fmt: skip


def change(offset: int, number: int, lsn: int, now: int = NOW, order: int = 1) -> KafkaRecord:
    value = {
        "op": "c",
        "before": None,
        "after": {"pk": str(lsn), "aa": "x"},
        "source": {"version": "3.6.1.Final", "name": "p", "schema": "s", "table": "a",
                   "lsn": lsn, "sequence": f'["{lsn - 1}","{lsn}"]'},
        "transaction": {"id": f"{number}:{lsn}", "total_order": 1, "data_collection_order": order},
    }  # fmt: skip
    return KafkaRecord("p.s.a", 0, offset, now, f'{{"pk":"{lsn}"}}', json.dumps(value), ())


def one_table(lab: Lab, **options: Any) -> Transactions:
    """Return a source of one table of which nothing has landed."""
    model = {"key": PAIRS[:1], "columns": PAIRS, "topics": ["p.s.a"]}
    return Transactions(lab, source("postgresql", "p", **options), {"s.a": model})


def two_runs(lab: Lab, **options: Any) -> Transactions:
    """Return a source in which an event is missing, and later ones landed."""
    made = one_table(lab, **options)
    made.land([boundary(0, end(1, s__a=1)), change(0, 1, 10), boundary(1, end(2, s__a=2)),
               change(1, 2, 20), boundary(2, "{cut"), boundary(3, {"status": "END", "id": "9"}),
               boundary(4, None)], 1)  # fmt: skip
    made.land([boundary(5, end(3, s__a=1, s__other=3), NOW + 61_000),
               change(2, 3, 30, NOW + 61_000)], 2)  # fmt: skip
    return made


def test_what_is_missing_is_overdue_once_later_records_landed(lab: Lab) -> None:
    made = two_runs(lab)

    shown = {
        (row["transaction_id"], row["table_name"] or row["data_collection"]): row
        for row in made.shown()
        if row["transaction_id"]
    }
    assert {key: (row["status"], row["expected"], row["landed"]) for key, row in shown.items()} == {
        ("1", "s.a"): ("complete", 1, 1),
        ("2", "s.a"): ("incomplete", 2, 1),
        ("3", "s.a"): ("complete", 1, 1),
        ("3", "s.other"): ("complete", 3, None),
    }
    assert [key for key, row in shown.items() if row["is_overdue"]] == [("2", "s.a")]


def test_records_that_are_no_boundaries_are_told_and_fail_the_test(lab: Lab) -> None:
    made = two_runs(lab)

    odd = [row for row in made.shown() if row["status"] == "unreadable"]
    assert sorted(row["event_id"] for row in odd) == ["p.transaction:0:2", "p.transaction:0:3"]
    assert all(row["is_overdue"] for row in odd)


def test_records_that_are_ignored_are_not_read(lab: Lab) -> None:
    ignored = [
        {"topic": "p.transaction", "partition": 0, "offset": offset, "reason": "damaged"}
        for offset in (1, 2, 3)
    ]
    made = two_runs(lab, ignore_records=ignored)

    assert not [row for row in made.shown() if row["status"] == "unreadable"]
    assert made.rows()["2"]["status"] == "no_end"
    assert made.cut() == made.rows()["3"]["high_pos"]


def test_a_late_event_lets_the_cut_rise_and_older_cuts_stay(lab: Lab) -> None:
    made = two_runs(lab)
    first = made.rows()["1"]["high_pos"]
    assert made.cut() == first

    late = change(3, 2, 21)
    made.land([late], 3)

    assert made.rows()["2"]["status"] == "complete"
    assert made.cut() == made.rows()["3"]["high_pos"] > first
    assert made.cut(1) == made.cut(2) == first


def test_an_instant_is_the_last_commit_up_to_it(lab: Lab) -> None:
    made = one_table(lab)
    hours = [{**end(number, s__a=1), "ts_ms": NOW + number * 3_600_000} for number in (1, 2, 3)]
    made.land([boundary(0, hours[0]), change(0, 1, 10), boundary(1, hours[1]), change(1, 2, 20),
               boundary(2, hours[2])], 1)  # fmt: skip
    rows = made.rows()

    # NOW is 2026-05-28 20:26:40
    assert made.commit("2026-05-28 21:00:00") is None
    assert made.commit("2026-05-28 21:26:40") == rows["1"]["high_pos"]
    assert made.commit("2026-05-28 22:30:00") == rows["2"]["high_pos"] == made.cut()
    # the third transaction lacks its event
    assert made.commit("2027-01-01 00:00:00") == made.cut()

    made.land([change(2, 3, 30)], 2)
    assert made.commit("2026-05-28 22:30:00") == rows["2"]["high_pos"]
    assert made.commit("2027-01-01 00:00:00") == made.cut() > rows["2"]["high_pos"]


def test_the_highest_count_of_an_end_is_expected(lab: Lab) -> None:
    made = one_table(lab)

    # a connector that was started again amid the transaction counts the rest
    made.land([boundary(0, end(1, s__a=2)), change(0, 1, 10), boundary(1, end(1, s__a=1))], 1)

    assert made.rows()["1"]["status"] == "incomplete"


def test_a_transaction_without_an_end_holds_the_cut_if_it_has_a_gap(lab: Lab) -> None:
    made = one_table(lab)
    ended = [change(1, 2, 20), boundary(0, end(2, s__a=1))]

    made.land([change(0, 1, 10, order=2), *ended], 1)
    assert made.rows()["1"]["status"] == "no_end" and made.cut() is None

    made.land([change(2, 1, 9)], 2)
    assert made.cut() == made.rows()["2"]["high_pos"]


def test_a_transaction_without_an_end_and_without_a_gap_passes(lab: Lab) -> None:
    made = one_table(lab)

    made.land([change(0, 1, 10), change(1, 2, 20), boundary(0, end(2, s__a=2))], 1)

    assert {key: row["status"] for key, row in made.rows().items()} == {
        "1": "no_end",
        "2": "incomplete",
    }
    assert made.cut() == made.rows()["1"]["high_pos"]


def test_without_boundaries_the_reason_is_what_to_do(lab: Lab) -> None:
    made = one_table(lab)

    made.land([change(0, 1, 10)], 1)

    assert made.cut() is None
    assert made.reason() == (
        "no record of the topic p.transaction landed: set provide.transaction.metadata=true at the"
        " connector, and let the topic land"
    )


def test_a_history_that_was_left_behind_lets_no_cut_be_written(lab: Lab) -> None:
    two_runs(lab)
    columns = "_cdc_scd_id string, _cdc_batch_id bigint"
    macros = lab.macros(source("postgresql", "p"), "next_cut")

    def cut(watermark: int) -> str:
        rows = [("!watermark", watermark), ("a version", 9)]
        lab.put("versions", lab.rows(rows, columns))
        histories = [{"table": "s.a", "relation": lab.name("versions")}]
        return str(macros.cut("s", lab.name("transactions"), histories=histories))

    assert "cut_pos" in cut(2)
    with pytest.raises(CompilerError, match="the history of s.a does not have yet"):
        cut(1)


def test_a_transaction_of_a_restored_database_is_another_one(lab: Lab) -> None:
    moment = "2026-05-28T20:27:00Z"  # between the landings
    made = two_runs(lab, epochs=[{"from": moment}])
    assert {key: row["status"] for key, row in made.rows().items()}["3"] == "complete"

    made.land([boundary(6, end(1, s__a=2), NOW + 62_000)], 3)

    keys = [row["_cdc_key"] for row in lab.tables[lab.name("transactions")].collect()]
    assert {"000000/1", "000001/1"} <= set(keys)


@pytest.mark.covers("support MongoDB: transactions")
def test_documents_are_counted_and_have_no_cut(lab: Lab) -> None:
    history = next(
        history
        for seed in range(1, 500)
        if (history := document_history(seed, topic=TOPIC, transactions=True)).boundaries
        and history.topics == [TOPIC]
        and history.line == "3.6"
        and not history.doubts
    )
    made = Transactions(
        lab, source("mongodb", "content"), {COLLECTION: {"topics": [TOPIC], "origins": []}}
    )

    made.land([*history.records, *history.boundaries], 1)

    ended = [row for row in made.rows().values() if row["end_event_id"]]
    assert {row["status"] for row in ended} == {"complete"}
    for row in ended:
        (counted,) = row["tables"]
        assert counted["table_name"] == COLLECTION and counted["landed"] == counted["expected"]
    assert made.cut() is None and (made.reason() or "").startswith("mongodb: ")


def test_a_late_event_is_awaited(lab: Lab) -> None:
    made = one_table(lab)

    made.land([change(0, 1, 10), boundary(0, end(1, s__a=2))], 1)

    (row,) = made.shown()
    assert (row["status"], row["is_overdue"]) == ("incomplete", False)
    assert made.cut() is None and made.reason() == "no complete transaction with a known position"
