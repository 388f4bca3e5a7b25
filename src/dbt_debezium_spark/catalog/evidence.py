"""Rows of the evidence query: the layouts that the records of a source describe.

The query (macro `_evidence_query`) groups `catalog_<source>__schemas` in Spark. One row stands for
a pair of embedded schemas in a topic, or for a record of the schema-change topic. So the number of
rows depends on distinct schemas and on statements that changed a table, not on records. A row has
one place in the source's log for each configured epoch, and one for each full snapshot.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.catalog.json_texts import as_text, members
from dbt_debezium_spark.catalog.log_position import Place, RecordId, read_place, read_record_id
from dbt_debezium_spark.decode.record_schema import schema_problem


@dataclass(frozen=True)
class EvidenceRow:
    """One row of the evidence query.

    Attributes:
        topic: topic of the records.
        kind: `data`, or `schema_change` for a record of the schema-change topic.
        key_schema: embedded schema of the key as JSON text, if any.
        value_schema: embedded schema of the value, if any.
        key_fields: names in one record key without a schema.
        value_fields: names in one row without a schema.
        source: non-empty members of one source block.
        table_changes: `tableChanges` of a schema-change record, as JSON text.
        first_record: first of the records.
        lowest_position: lowest position in the source's log.
        lowest_streamed: lowest position of a change.
        highest_streamed: highest position of a change.
        places: the latest records by incarnation, epoch and snapshot.
    """

    topic: str
    kind: str
    key_schema: str | None
    value_schema: str | None
    key_fields: tuple[str | None, ...] | None
    value_fields: tuple[str | None, ...] | None
    source: dict[str, str]
    table_changes: str | None
    first_record: RecordId
    lowest_position: str | None
    lowest_streamed: str | None
    highest_streamed: str | None
    places: tuple[Place, ...]

    @property
    def has_valid_schemas(self) -> bool:
        """Whether a converter can have written the schemas of an event.

        Other schemas are no evidence, because a damaged schema would change the layout of a table.
        """
        if self.kind != "data":
            return True
        return not any(
            schema is not None and schema_problem(side, schema)
            for side, schema in (("value", self.value_schema), ("key", self.key_schema))
        )


def read_evidence(rows: Iterable[str]) -> list[EvidenceRow]:
    """Return the valid rows of the evidence query, sorted, because Spark's order varies.

    Args:
        rows: JSON texts.
    """
    evidence = [_read_row(json.loads(row)) for row in sorted(rows)]
    return [row for row in evidence if row.has_valid_schemas]


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
        first_record=read_record_id(row["first_seen"]),
        lowest_position=row.get("lowest_position"),
        lowest_streamed=row.get("lowest_streamed"),
        highest_streamed=row.get("highest_streamed"),
        places=tuple(read_place(place) for place in row["points"]),
    )


def _names(names: list[str | None] | None) -> tuple[str | None, ...] | None:
    return None if names is None else tuple(dict.fromkeys(names))


def _source_block(text: str | None) -> dict[str, str]:
    texts = {name: as_text(value) for name, value in members(text).items()}
    return {name: value for name, value in texts.items() if value}
