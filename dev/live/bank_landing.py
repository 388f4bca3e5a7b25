"""A project that reads both tables of each bank as of one commit."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dev.live.bank import MARIADB, POSTGRES, TABLES
from dev.live.project import Project

CONNECTORS = {POSTGRES: "postgresql", MARIADB: "mariadb"}
OPTIONS = {
    "provide_transaction_metadata": True,
    "transaction_max_age_seconds": 0,
    "history": True,
}


@dataclass
class Reads:
    """Sums that a reader found while others wrote, and what stopped it."""

    sums: list[Any] = field(default_factory=list)
    error: Exception | None = None


class BankLanding:
    """The dbt project of both sources, and its sums."""

    def __init__(self, folder: Path, target: str, brokers: str) -> None:
        """Make the project; `folder`: new or empty."""
        self.project = Project(folder / "project", {"DEBEZIUM_SPARK_TARGET": target})
        for source, connector in CONNECTORS.items():
            self.project.add_source(source, connector, f"kafka://{brokers}", OPTIONS)

    def generate(self) -> None:
        """Land what there is, and write the models."""
        self.project.debezium_spark("generate")

    def total(self, source: str, layer: str) -> int | None:
        """Return what both tables of a source hold together, in `cur_` or `asof_`."""
        return self._sum(self.project.spark(), _sum_of_layer(source, layer))

    def cuts(self, source: str) -> list[tuple[int, str | None]]:
        """Return batch and position of each cut, in order."""
        rows = self.project.spark().sql(
            f"select _cdc_batch_id, cut_pos from cut_{source} order by _cdc_batch_id"
        )
        return [(row[0], row[1]) for row in rows.collect()]

    def land(self, *sources: str) -> None:
        """Land what there is of sources, and build all of their models."""
        self.project.run_dbt("--quiet", "run", "--select", *(f"raw_{name}+" for name in sources))

    def totals_at_cuts(self, source: str) -> list[int | None]:
        """Return what both tables of a source held together at each cut, in order."""
        selects = []
        for batch, _ in self.cuts(source):
            cut = f"debezium_spark.cut_position(ref('cut_{source}'), batch_id={batch})"
            sums = [
                f"(select sum(balance) from {{{{ debezium_spark.asof(ref('hist_{source}__{table}'),"
                f" {cut}) }}}})"
                for table in TABLES
            ]
            selects.append(f"select {batch} as batch, {' + '.join(sums)} as total")
        rows = self.project.query(" union all ".join(selects))
        return [None if total is None else int(total) for _, total in sorted(rows)]

    @contextmanager
    def reading(self) -> Iterator[dict[str, Reads]]:
        """Read all tables as of the cut, again and again, while something else happens."""
        spark = self.project.spark()
        schema = self._schema()
        reads = {source: Reads() for source in CONNECTORS}
        over = threading.Event()

        def read(source: str) -> None:
            try:
                while not over.is_set():
                    reads[source].sums.append(
                        self._sum(spark, _sum_of_layer(source, "asof", schema))
                    )
            except Exception as error:
                reads[source].error = error

        threads = [threading.Thread(target=read, args=(source,)) for source in CONNECTORS]
        for thread in threads:
            thread.start()
        try:
            yield reads
        finally:
            over.set()
            for thread in threads:
                thread.join()

    def remove_events(self) -> dict[str, str]:
        """Remove a change of an early transaction of each source; return the transactions' ids.

        Staging is built anew from what is left.
        """
        spark = self.project.spark()
        removed, models = {}, []
        for source in CONNECTORS:
            table = f"stg_{source}__{TABLES[0]}"
            row = spark.sql(
                "select _cdc_topic, _cdc_partition, _cdc_offset, _cdc_tx_id"
                f" from {table} where _cdc_op = 'u' and _cdc_tx_id is not null"
                " order by _cdc_batch_id, _cdc_offset limit 1"
            ).collect()[0]
            spark.sql(
                f"delete from raw_{source} where topic = '{row[0]}' and partition = {row[1]}"
                f" and offset = {row[2]}"
            )
            removed[source] = str(row[3]).split(":")[0] if source == POSTGRES else str(row[3])
            models += [table, f"transactions_{source}"]
        self.project.run_dbt("--quiet", "run", "--full-refresh", "--select", *models)
        self.project.run_dbt("--quiet", "run", "--select", "debezium_obs__transactions")
        return removed

    def incomplete(self, source: str) -> set[str]:
        """Return the transactions that people are told to be incomplete."""
        rows = self.project.spark().sql(
            "select transaction_id from debezium_obs__transactions"
            f" where source_name = '{source}' and status = 'incomplete' and is_overdue"
        )
        return {row[0] for row in rows.collect()}

    def _schema(self) -> str:
        row = self.project.spark().sql("select current_catalog(), current_schema()").collect()[0]
        return f"`{row[0]}`.`{row[1]}`."

    def _sum(self, spark: Any, query: str) -> int | None:
        found = spark.sql(query).collect()[0][0]
        return None if found is None else int(found)


def _sum_of_layer(source: str, layer: str, schema: str = "") -> str:
    sums = [f"(select sum(balance) from {schema}{layer}_{source}__{table})" for table in TABLES]
    return f"select {' + '.join(sums)}"
