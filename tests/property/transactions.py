"""Transactions of sources with several tables, landed batch by batch, against the reference.

The staged events of all sources of a connector are made at once; then each source's transactions
and cut are brought up to date batch by batch, and once more at the end from nothing. With
histories, all tables are read as of the cut after each batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from dev.simulator.several_tables import NAMES
from reference.transactions import Transaction
from tests.property.as_of_cut import as_of_differences, forget_histories, keep_histories
from tests.property.histories import Difference
from tests.property.transaction_sources import Source
from tests.support.lab import Lab, in_a_lab
from tests.support.raw import raw_row


@in_a_lab
def transaction_differences(
    lab: Lab, sources: Sequence[Source], *, histories: bool = False
) -> list[Difference]:
    """Bring the transactions of sources up to date, batch by batch; return every difference."""
    staged = _stage(lab, sources)
    return [one for source in sources for one in _of_source(lab, source, staged, histories)]


def _stage(lab: Lab, sources: Sequence[Source]) -> Mapping[str, DataFrame]:
    """Return raw rows, by '', and the staged rows of each table, of all sources."""
    rows = [
        raw_row(record, batch)
        for source in sources
        for batch, records in enumerate(source.batches, start=1)
        for record in records
    ]
    lab.append("raw", lab.rows(rows))
    first = sources[0]
    staged = {"": lab.tables[lab.name("raw")]}
    for name in NAMES:
        table = first.made.tables[name]
        declared = [column.declared() for column in table.columns]
        key = [
            {member: value for member, value in column.items() if member != "optional"}
            for column in declared
            if column["name"] in table.key
        ]
        lab.stage(
            {"sim": first.config},
            "sim",
            "raw",
            f"all_{name}",
            topics=[source.made.topic(name) for source in sources],
            table=first.made.table_name(name),
            key=key,
            columns=declared,
        )
        staged[name] = lab.tables[lab.name(f"all_{name}")]
    return staged


def _of_source(
    lab: Lab, source: Source, staged: Mapping[str, DataFrame], histories: bool
) -> Iterator[Difference]:
    for name in ("transactions", "cut"):
        lab.tables.pop(lab.name(name), None)
    forget_histories(lab, source)
    sources = {"sim": {**source.config, "history": True}}
    for batch in range(1, len(source.batches) + 1):
        _put(lab, source, staged, batch)
        kept = keep_histories(lab, source, sources) if histories else []
        _run(lab, source, "transactions", "cut", kept)
        yield from _compare(lab, source, batch, "transactions", "cut")
        if histories:
            _, _, reached = source.expected(batch)
            yield from as_of_differences(lab, source, sources, batch, reached)
    for name in ("anew", "cut_anew"):
        lab.tables.pop(lab.name(name), None)
    _run(lab, source, "anew", "cut_anew", [])
    yield from _compare(lab, source, len(source.batches), "anew", "cut_anew")


def _put(lab: Lab, source: Source, staged: Mapping[str, DataFrame], batch: int) -> None:
    """Let the first batches of the source be all that there is."""
    prefix = f"{source.made.prefix}."
    raw = staged[""].where(f.col("topic").startswith(prefix) & (f.col("_cdc_batch_id") <= batch))
    lab.put("landed", raw)
    for name in source.modelled:
        own = f.col("_cdc_topic").startswith(prefix) & (f.col("_cdc_batch_id") <= batch)
        lab.put(f"stg_{name}", staged[name].where(own))


def _run(
    lab: Lab,
    source: Source,
    transactions_name: str,
    cut_name: str,
    histories: Sequence[Mapping[str, str]],
) -> None:
    sources = {"sim": source.config}
    entries = [
        {
            "table": source.made.table_name(name),
            "relation": lab.name(f"stg_{name}"),
            "origins": [source.made.origin(name)],
        }
        for name in source.modelled
    ]
    macros = lab.macros(sources, transactions_name)
    sql = macros.transactions(source="sim", raw=lab.name("landed"), stagings=entries)
    lab.run(macros, sql, transactions_name, lab.merge)
    macros = lab.macros(sources, cut_name)
    sql = macros.cut(
        source="sim", transactions=lab.name(transactions_name), histories=list(histories)
    )
    lab.run(macros, sql, cut_name, lab.merge)


def _compare(
    lab: Lab, source: Source, batch: int, transactions_name: str, cut_name: str
) -> Iterator[Difference]:
    expected, odd, expected_cut = source.expected(batch)
    rows = {row["_cdc_key"]: row for row in lab.tables[lab.name(transactions_name)].collect()}
    unreadable = sorted(
        row["begin_event_id"] for row in rows.values() if row["status"] == "unreadable"
    )
    wanted_odd = sorted(f"{one.topic}:{one.partition}:{one.offset}" for one in odd)
    if unreadable != wanted_odd:
        yield Difference(source.seed, batch, "unreadable", wanted_odd, unreadable, source.made.name)
    found = {key: _row(row) for key, row in rows.items() if not key.startswith("!")}
    wanted = {f"{key[0]:06d}/{key[1]}": _said(one) for key, one in expected.items()}
    for key in sorted({*found, *wanted}):
        if found.get(key) != wanted.get(key):
            yield Difference(
                source.seed, batch, key, wanted.get(key), found.get(key), source.made.name
            )
    newest = lab.tables[lab.name(cut_name)].orderBy(f.desc("_cdc_batch_id")).first()
    assert newest is not None and (newest["reason"] is None) == (newest["cut_pos"] is not None)
    own = (newest["transaction_id"], newest["held_by"])
    told = tuple(
        None if key is None else key[1] for key in (expected_cut.transaction, expected_cut.held_by)
    )
    if own != told:
        yield Difference(source.seed, batch, "cut", told, own, source.made.name)


def _row(row: Any) -> dict[str, Any]:
    tables = {
        one["table_name"] or one["data_collection"]: (one["expected"], one["landed"])
        for one in row["tables"] or ()
    }
    return {
        "status": row["status"],
        "tables": tables,
        "has span": row["high_pos"] is not None,
        "gap": row["has_gap"],
        "ended": row["end_event_id"] is not None,
    }


def _said(one: Transaction) -> dict[str, Any]:
    tables: dict[str, Any] = {name: (count, None) for name, count in one.unmodelled.items()}
    for table in {*one.expected, *one.landed}:
        tables[table] = (one.expected.get(table), one.landed.get(table, 0))
    return {
        "status": one.status,
        "tables": tables,
        "has span": one.high is not None,
        "gap": one.has_gap,
        "ended": bool(one.ends),
    }
