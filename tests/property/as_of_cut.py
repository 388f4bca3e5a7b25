"""Tables with a history, read as of the cut after each batch, against a fold of what is up to it.

The cut is the reference's: the last commit up to which all transactions are complete. Up to it all
events have landed, so the fold of those up to it is what the database held then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from reference import canonical_json, fold
from reference.transactions import Cut, landed_by, up_to
from tests.property.histories import Difference, expected_values
from tests.property.plain_values import comparable
from tests.property.transaction_sources import Source
from tests.support.lab import Lab

Rows = dict[str, dict[str, Any]]


def keep_histories(lab: Lab, source: Source, sources: Mapping[str, Any]) -> list[dict[str, str]]:
    """Bring the histories of the tables up to date; return the entries that the cut waits for."""
    entries = []
    for name in source.modelled:
        table = source.made.tables[name]
        lab.keep_versions(
            sources,
            "sim",
            f"stg_{name}",
            f"versions_{name}",
            table=source.made.table_name(name),
            key=list(table.key),
            columns=list(_declared(source, name)),
        )
        entries.append(
            {"table": source.made.table_name(name), "relation": lab.name(f"versions_{name}")}
        )
    return entries


def forget_histories(lab: Lab, source: Source) -> None:
    """Begin anew."""
    for name in source.modelled:
        lab.tables.pop(lab.name(f"versions_{name}"), None)


def as_of_differences(
    lab: Lab, source: Source, sources: Mapping[str, Any], batch: int, cut: Cut
) -> Iterator[Difference]:
    """Yield where a table as of the cut is not what the database held then."""
    landed = landed_by(source.batches, batch)
    for name in source.modelled:
        table = source.made.table_name(name)
        config = source.made.configs()[table]
        records = [record for record in landed if record.topic == source.made.topic(name)]
        wanted: Rows = {}
        if cut.position is not None:
            folded = fold(up_to(records, config, cut.position), config)
            shim: Any = SimpleNamespace(
                connector=source.made.name,
                declared_columns=lambda name=name: list(_declared(source, name).values()),
            )
            wanted = {
                key: {name: value for name, value in values.items() if name[:5] != "_cdc_"}
                for key, row in folded.rows.items()
                if (values := expected_values(shim, row))
            }
        found = as_of_rows(lab, sources, table, name, list(_declared(source, name)))
        for key in sorted({*wanted, *found}):
            if found.get(key) != wanted.get(key):
                yield Difference(
                    source.seed, batch, key, wanted.get(key), found.get(key), f"{table} at the cut"
                )


def as_of_rows(
    lab: Lab, sources: Mapping[str, Any], table: str, name: str, columns: Sequence[str]
) -> Rows:
    """Return the rows of the view, by key."""
    shown = lab.macros(sources, "hist").history(
        source="sim", table=table, versions=lab.name(f"versions_{name}"), columns=columns
    )
    view = lab.name(f"hist_{name}")
    lab.session.sql(shown).createOrReplaceTempView(view)
    sql = lab.macros(sources, "asof").rows_at_cut(
        source="sim",
        table=table,
        history=view,
        cut=lab.name("cut"),
        key=["id"],
        columns=columns,
    )
    rows = lab.session.sql(sql).collect()
    lab.session.catalog.dropTempView(view)
    found = {
        canonical_json(json.loads(row["_cdc_key"])): {
            column: comparable(row[column]) for column in row.asDict() if column[:5] != "_cdc_"
        }
        for row in rows
    }
    assert len(found) == len(rows), "a key has two rows"
    return found


def _declared(source: Source, name: str) -> dict[str, dict[str, Any]]:
    columns = [column.declared() for column in source.made.tables[name].columns]
    return {column["name"]: column for column in columns}
