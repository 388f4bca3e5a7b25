"""Rows of the evidence query: what the records of a source say about their own layout.

The query (macro `_evidence_query`) groups `catalog_<source>__schemas` in Spark. One row stands
for a pair of embedded schemas in a topic, or for a record of the schema-change topic. So the number
of rows goes by distinct schemas and by statements that changed a table, never by records. In a row,
a place in the source's log stands for each configured epoch, and one for each full snapshot.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.catalog.json_texts import as_text, members
from dbt_debezium_spark.catalog.log_position import Place, RecordId, read_place, read_record_id
from dbt_debezium_spark.record_schema import schema_problem


@dataclass(frozen=True)
class EvidenceRow:
    """One row of the evidence query.

    Attributes:
        topic: of the records.
        kind: `data`, or `schema_change` for a record of the schema-change topic.
        key_schema: embedded schema of the key, as JSON text; none without one.
        value_schema: embedded schema of the value.
        key_fields: names in one record key, where it has no schema.
        value_fields: names in one row, where it has no schema.
        source: members of one source block; those without a text are left out.
        table_changes: what a schema-change record lists, as JSON text.
        first_seen: first of the records.
        lowest_position: in the source's log.
        lowest_streamed: lowest position of a change.
        highest_streamed: highest position of a change.
        points: records that stand furthest, by incarnation, epoch and snapshot.
    """

    topic: str
    kind: str
    key_schema: str | None
    value_schema: str | None
    key_fields: tuple[str | None, ...] | None
    value_fields: tuple[str | None, ...] | None
    source: dict[str, str]
    table_changes: str | None
    first_seen: RecordId
    lowest_position: str | None
    lowest_streamed: str | None
    highest_streamed: str | None
    points: tuple[Place, ...]

    @property
    def is_written_by_a_converter(self) -> bool:
        """Whether the schemas of an event are such as a converter writes.

        Others are no evidence: what damage made of a schema would decide how a table looks.
        """
        if self.kind != "data":
            return True
        return not any(
            schema is not None and schema_problem(side, schema)
            for side, schema in (("value", self.value_schema), ("key", self.key_schema))
        )


def read_evidence(rows: Iterable[str]) -> list[EvidenceRow]:
    """Return the rows of the evidence query that can be believed, in an order of their own.

    Spark's order is another in each run, and decides nothing here.

    Args:
        rows: JSON texts.
    """
    found = [_read_row(json.loads(row)) for row in sorted(rows)]
    return [row for row in found if row.is_written_by_a_converter]


def _read_row(row: dict[str, Any]) -> EvidenceRow:
    return EvidenceRow(
        topic=row["topic"],
        kind=row["kind"],
        key_schema=row.get("key_schema"),
        value_schema=row.get("value_schema"),
        key_fields=_names(row.get("key_fields")),
        value_fields=_names(row.get("value_fields")),
        source=_source_block(row.get("source_block")),
        table_changes=row.get("table_changes"),
        first_seen=read_record_id(row["first_seen"]),
        lowest_position=row.get("lowest_position"),
        lowest_streamed=row.get("lowest_streamed"),
        highest_streamed=row.get("highest_streamed"),
        points=tuple(read_place(point) for point in row["points"]),
    )


def _names(names: list[str | None] | None) -> tuple[str | None, ...] | None:
    return None if names is None else tuple(dict.fromkeys(names))


def _source_block(text: str | None) -> dict[str, str]:
    texts = {name: as_text(value) for name, value in members(text).items()}
    return {name: value for name, value in texts.items() if value}
