"""Two tables of a bank in dbt: transfers land in halves, and both tables are read as of one commit.

What is expected stands here as a number: a transfer moves money, so the sum never changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from reference import KafkaRecord
from tests.support.landed import LandedProject
from tests.support.models import history_models, table_models

TABLES = ("checking", "savings")
COLUMNS = [{"name": "id", "type": "int32"}, {"name": "balance", "type": "int64"}]
BOUNDARIES = "bank.transaction"
NOW = 1_780_000_000_000
TOTAL = 200


def stagings(layer: str) -> str:
    """Return entries of the calls of `transactions` and `cut`."""
    entries = [
        f"{{'table': 'public.{name}', 'relation': ref('{layer}_{name}'),"
        f" 'origins': [{{'name': 'bank', 'schema': 'public', 'table': '{name}'}}]}}"
        for name in TABLES
    ]
    return f"[{', '.join(entries)}]"


def models() -> dict[str, str]:
    """Return the models, as `generate` writes them."""
    files: dict[str, str] = {}
    for name in TABLES:
        files |= table_models(name, source="bank", columns=COLUMNS)
        files |= history_models(name, source="bank", columns=COLUMNS)
        files[f"models/asof_{name}.sql"] = (
            "{{ config(materialized='debezium_view') }}\n"
            f"{{{{ debezium_spark.rows_at_cut(source='bank', table='public.{name}',"
            f" history=ref('hist_{name}'), cut=ref('cut_bank'), key=['id'],"
            " columns=['id', 'balance']) }}"
        )
    merged = "{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}\n"
    files["models/transactions_bank.sql"] = (
        f"{merged}{{{{ debezium_spark.transactions(source='bank', raw=ref('raw_checking'),"
        f" stagings={stagings('stg')}) }}}}"
    )
    after = ", ".join(f"ref('hist_{name}')" for name in TABLES)
    files["models/cut_bank.sql"] = (
        f"{merged}{{{{ debezium_spark.cut(source='bank', transactions=ref('transactions_bank'),"
        f" after=[{after}], histories={stagings('versions')}) }}}}"
    )
    return files


@pytest.fixture
def project(target: str, landed: Callable[..., LandedProject]) -> LandedProject:
    """Return the project, with nothing landed."""
    return landed(
        "bank",
        models(),
        target=target,
        options={"provide_transaction_metadata": True, "history": True},
        variables={"debezium_few_rows": 1000},
    )


class Bank:
    """The log of the database, and what of it lands."""

    def __init__(self, project: LandedProject) -> None:
        self._project = project
        self._offsets: dict[str, int] = {}
        self._lsn = 100
        self._commit = 90
        self._batch = 0

    def change(self, table: str, number: int, op: str, row: int, balance: int) -> KafkaRecord:
        """Return a change in a transaction."""
        self._lsn += 1
        value = {
            "op": op,
            "before": None,
            "after": {"id": row, "balance": balance},
            "source": {
                "version": "3.6.1.Final", "name": "bank", "schema": "public", "table": table,
                "lsn": self._lsn, "sequence": f'["{self._commit}","{self._lsn}"]',
                "ts_ms": NOW + self._lsn,
            },
            "transaction": {
                "id": f"{number}:{self._lsn}", "total_order": 1, "data_collection_order": 1
            },
        }  # fmt: skip
        return self._record(f"bank.public.{table}", {"id": row}, value)

    def end(self, number: int, count: int = 1) -> KafkaRecord:
        """Return the END of a transaction with so many changes of each table."""
        self._lsn += 1
        self._commit = self._lsn
        counts = [{"data_collection": f"public.{name}", "event_count": count} for name in TABLES]
        value = {
            "status": "END", "id": f"{number}:{self._lsn}", "event_count": 2 * count,
            "data_collections": counts, "ts_ms": NOW + self._lsn,
        }  # fmt: skip
        return self._record(BOUNDARIES, {"id": f"{number}:{self._lsn}"}, value)

    def transfer(self, number: int, checking: int, savings: int) -> list[KafkaRecord]:
        """Return a transaction that leaves these balances."""
        return [
            self.change("checking", number, "u", 1, checking),
            self.change("savings", number, "u", 1, savings),
            self.end(number),
        ]

    def land(self, records: Sequence[KafkaRecord]) -> None:
        """Let records land."""
        self._batch += 1
        self._project.land(self._batch, records)

    def _record(self, topic: str, key: Any, value: Any) -> KafkaRecord:
        offset = self._offsets.get(topic, 0)
        self._offsets[topic] = offset + 1
        texts = json.dumps(key, separators=(",", ":")), json.dumps(value)
        return KafkaRecord(topic, 0, offset, NOW + self._lsn, *texts, ())


def total(project: LandedProject, layer: str) -> int | None:
    """Return what both tables hold together."""
    sums = " + ".join(f"(select sum(balance) from {{schema}}.{layer}_{name})" for name in TABLES)
    found: int | None = project.sql(f"select {sums}")[0][0]
    return found


@pytest.mark.full
def test_tables_are_read_as_of_the_last_whole_transfer(project: LandedProject) -> None:
    bank = Bank(project)
    opened = [
        bank.change("checking", 1, "c", 1, 100),
        bank.change("savings", 1, "c", 1, 100),
        bank.end(1),
    ]
    bank.land(opened)
    project.run("run")
    assert total(project, "cur") == total(project, "asof") == TOTAL
    assert project.rows("asof_checking", ["id", "balance"]) == [(1, 100)]

    taken, given, end = bank.transfer(2, 70, 130)
    bank.land([taken, end])
    project.run("run")
    assert total(project, "cur") == 170
    assert project.rows("asof_checking", ["id", "balance"]) == [(1, 100)]
    assert total(project, "asof") == TOTAL

    # nothing new, nothing written
    before = [project.version(name) for name in ("cut_bank", "transactions_bank")]
    project.run("run")
    assert [project.version(name) for name in ("cut_bank", "transactions_bank")] == before

    bank.land([given, *bank.transfer(3, 60, 140)])
    # histories are left behind: then there is no new cut
    result = project.invoke("run", "--select", "stg_checking", "stg_savings", "transactions_bank",
                            "cut_bank")  # fmt: skip
    assert result.statuses["cut_bank"] == "error"
    assert "the history of public.checking, public.savings does not have yet" in result.text
    assert "dbt run --select +cut_bank" in result.text
    assert project.rows("asof_savings", ["id", "balance"]) == [(1, 100)]

    project.run("run", "--select", "+cut_bank")
    assert project.rows("asof_savings", ["id", "balance"]) == [(1, 140)]
    assert total(project, "asof") == TOTAL
    cuts = [row[0] for row in project.sql("select cut_pos from {schema}.cut_bank order by 1")]
    assert len(cuts) == 3 and cuts[0] == cuts[1] < cuts[2]
