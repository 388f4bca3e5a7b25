"""Transactions and the cut as docs/transactions.md says, on small logs and on random ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference import Config, Epoch, KafkaRecord
from reference.transactions import Transaction, cut, transactions
from tests.property.transaction_sources import draw_source, lacking_at_the_cut
from tests.support.paths import DEMO
from tests.support.raw import kafka_record

TABLES = {"s.a": "s.a", "s.b": "s.b"}
CONFIG = Config("postgresql", key=("id",))


class Log:
    """Records of a PostgreSQL source with the tables `s.a` and `s.b`."""

    def __init__(self) -> None:
        self.boundaries: list[KafkaRecord] = []
        self.records: dict[str, list[KafkaRecord]] = {"s.a": [], "s.b": []}
        self.config = CONFIG
        self.now = 1_700_000_000_000

    def boundary(self, value: Any, partition: int = 0) -> Log:
        offset = len(self.boundaries)
        text = value if isinstance(value, str) else json.dumps(value)
        self.boundaries.append(
            KafkaRecord("p.transaction", partition, offset, self.now, None, text, ())
        )
        return self

    def begin(self, number: int, lsn: int = 0, **where: Any) -> Log:
        return self.boundary({"status": "BEGIN", "id": f"{number}:{lsn}"}, **where)

    def end(self, number: int, lsn: int = 9, *, partition: int = 0, **counts: int) -> Log:
        collections = [
            {"data_collection": name.replace("_", "."), "event_count": count}
            for name, count in counts.items()
        ]
        value = {
            "status": "END",
            "id": f"{number}:{lsn}",
            "event_count": sum(counts.values()),
            "data_collections": collections,
        }
        return self.boundary(value, partition)

    def change(self, table: str, number: int, lsn: int, commit: int, order: int = 1) -> Log:
        value = {
            "op": "c",
            "before": None,
            "after": {"id": lsn},
            "source": {"version": "3.6.1.Final", "lsn": lsn, "sequence": f'["{commit}","{lsn}"]'},
            "transaction": {
                "id": f"{number}:{lsn}",
                "total_order": order,
                "data_collection_order": order,
            },
        }
        own = self.records[table]
        record = KafkaRecord(
            f"p.{table}", 0, len(own), self.now, f'{{"id":{lsn}}}', json.dumps(value), ()
        )
        own.append(record)
        return self

    def found(self) -> dict[str, Transaction]:
        configs = {table: self.config for table in self.records}
        told, _ = transactions(self.boundaries, self.records, configs, TABLES)
        return {key[1]: one for key, one in told.items()}

    def statuses(self) -> dict[str, str]:
        return {number: one.status for number, one in self.found().items()}

    def cut(self) -> str | None:
        configs = {table: self.config for table in self.records}
        told, _ = transactions(self.boundaries, self.records, configs, TABLES)
        reached = cut(told, "postgresql")
        return None if reached.transaction is None else reached.transaction[1]


def two() -> Log:
    """Return two whole transactions over both tables."""
    log = Log().begin(1).change("s.a", 1, 10, 5).change("s.b", 1, 11, 5).end(1, s_a=1, s_b=1)
    return log.begin(2).change("s.a", 2, 21, 20).change("s.b", 2, 15, 20).end(2, s_a=1, s_b=1)


def test_a_transaction_is_joined_on_its_id_before_the_colon() -> None:
    assert two().statuses() == {"1": "complete", "2": "complete"}
    assert two().cut() == "2"


def test_a_missing_event_holds_the_cut_below_its_transaction() -> None:
    log = two()
    log.records["s.b"].pop(0)
    assert log.statuses() == {"1": "incomplete", "2": "complete"}
    assert log.cut() is None
    log = two()
    log.records["s.b"].pop()
    assert log.statuses() == {"1": "complete", "2": "incomplete"}
    assert log.cut() == "1"


def test_a_transaction_of_which_nothing_landed_holds_the_cut_at_its_place() -> None:
    log = two().begin(3).change("s.a", 3, 30, 25).end(3, s_a=1)
    for table in log.records:
        log.records[table] = [one for one in log.records[table] if '"2:' not in str(one.value)]
    assert log.statuses() == {"1": "complete", "2": "incomplete", "3": "complete"}
    assert log.cut() == "1"


def test_events_that_are_delivered_again_count_once() -> None:
    log = two()
    again = log.records["s.a"][0]
    log.records["s.a"][0:0] = [KafkaRecord("p.s.a", 0, 90, log.now, again.key, again.value, ())]
    log.records["s.b"].pop(0)
    assert log.found()["1"].landed == {"s.a": 1}
    assert log.statuses()["1"] == "incomplete"


@pytest.mark.covers("trap 41")
def test_the_last_transaction_is_open_and_one_before_it_has_no_end() -> None:
    log = two().begin(3).begin(4).change("s.a", 4, 40, 35)
    assert log.statuses() == {"1": "complete", "2": "complete", "3": "no_end", "4": "open"}
    assert log.cut() == "2"


def test_a_transaction_without_boundaries_has_no_end_once_a_later_one_ended() -> None:
    log = Log().change("s.a", 1, 3, 1).change("s.a", 9, 99, 98)
    log.begin(2).change("s.b", 2, 15, 12).end(2, s_b=1)
    assert log.statuses() == {"1": "no_end", "2": "complete", "9": "open"}
    assert log.cut() == "2"


def test_orders_with_a_gap_hold_the_cut_without_an_end() -> None:
    log = two().begin(3).change("s.a", 3, 31, 30, order=2).begin(4)
    log.change("s.a", 4, 41, 40).end(4, s_a=1)
    assert log.statuses()["3"] == "no_end" and log.found()["3"].has_gap
    assert log.cut() == "2"


def test_data_collections_without_a_model_decide_nothing() -> None:
    log = Log().begin(1).change("s.a", 1, 10, 5).end(1, s_a=1, s_other=7)
    assert log.statuses() == {"1": "complete"}
    assert log.found()["1"].unmodelled == {"s.other": 7}


def test_the_highest_count_of_several_ends_holds() -> None:
    log = two().end(1, s_a=1)
    assert log.found()["1"].expected == {"s.a": 1, "s.b": 1}


@pytest.mark.parametrize(
    "value",
    ["", "no json", "[]", {"status": "BEGIN"}, {"status": "ABORT", "id": "1"},
     {"status": "END", "id": "1"}, {"status": "END", "id": "1", "event_count": 2}],
)  # fmt: skip
def test_what_is_no_boundary_is_reported(value: Any) -> None:
    log = two().boundary(value)
    _, odd = transactions(log.boundaries, log.records, dict.fromkeys(log.records, CONFIG), TABLES)
    assert odd == ([] if value == "" else log.boundaries[-1:])


def test_ids_that_repeat_in_another_epoch_are_other_transactions() -> None:
    log = two()
    log.now += 10_000
    log.begin(1).change("s.a", 1, 7, 5).end(1, s_a=2)
    log.config = Config("postgresql", key=("id",), epochs=(Epoch(from_ms=log.now),))
    told, _ = transactions(
        log.boundaries, log.records, dict.fromkeys(log.records, log.config), TABLES
    )
    assert {key: one.status for key, one in told.items()} == {
        (0, "1"): "complete",
        (0, "2"): "complete",
        (1, "1"): "incomplete",
    }


CONNECTORS = ("postgresql", "sqlserver", "mysql", "mariadb", "oracle")


@pytest.mark.covers("support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: transactions")
@pytest.mark.parametrize("connector", CONNECTORS)
def test_no_transaction_within_a_cut_lacks_events(connector: str) -> None:
    reached = 0
    for seed in range(200, 240):
        # counters that begin again can hide an event
        source = draw_source(seed, connector, most=6, late=False, keeps_counters=True)
        lacking = list(lacking_at_the_cut(source))
        assert not lacking, lacking[:5]
        reached += source.expected(len(source.batches))[2].position is not None
    # LogMiner does not show the order of commits
    assert reached == 0 if connector == "oracle" else reached > 25, reached


def recorded() -> tuple[list[KafkaRecord], dict[str, list[KafkaRecord]]]:
    """Return the boundaries and the records of each table of the recorded PostgreSQL."""
    boundaries: list[KafkaRecord] = []
    records: dict[str, list[KafkaRecord]] = {}
    for path in sorted((DEMO / "postgresql" / "records").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = kafka_record(json.loads(line))
            if record.topic == "shop.transaction":
                boundaries.append(record)
            elif '"op"' in (record.value or '"op"'):
                records.setdefault(record.topic.removeprefix("shop."), []).append(record)
    return boundaries, records


def test_the_transactions_of_a_real_server_are_complete() -> None:
    boundaries, records = recorded()
    configs = {}
    for table, own in records.items():
        is_keyless = any(one.key is None and '"op":"t"' not in str(one.value) for one in own)
        configs[table] = Config("postgresql", keyless=is_keyless)

    found, odd = transactions(boundaries, records, configs, {table: table for table in records})

    assert not odd and len(found) > 100
    unlike = {key: one.status for key, one in found.items() if one.status != "complete"}
    assert not unlike, unlike
    reached = cut(found, "postgresql")
    assert reached.held_by is None
    assert reached.position == max(one.high for one in found.values() if one.high is not None)


def test_an_event_that_a_real_server_sent_and_that_did_not_land_is_named() -> None:
    boundaries, records = recorded()
    table = "public.order_lines"
    configs = {name: Config("postgresql") for name in (table, "public.customers")}
    kept = {name: list(records[name]) for name in configs}
    place = next(
        place
        for place, record in enumerate(kept[table])
        if '"total_order":2' in str(record.value) and '"op":"c"' in str(record.value)
    )
    missing = json.loads(str(kept[table].pop(place).value))

    found, _ = transactions(boundaries, kept, configs, {name: name for name in configs})

    payload = missing.get("payload", missing)
    number = payload["transaction"]["id"].split(":")[0]
    lacking = [key for key, one in found.items() if one.status == "incomplete"]
    # repeats of the crash may bring it again
    assert lacking in ([(0, number)], [])
