"""What the catalog of embedded schemas knows of a run's records.

Base64 read with the scale of another layout would be a wrong number that looks right, so each
message is read by its own schema (spec §9.5).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dbt_debezium_spark.decode import Column, Config, names_of, same_encoding, signature
from dbt_debezium_spark.decode.record_schema import column_of, schema_problem
from dbt_debezium_spark.flattened.fields import row_fields
from dbt_debezium_spark.staging.table_ends import table_end

# nodes of a schema's columns, by the hash of the schema
Fields = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass
class Layouts:
    """The schemas of a run's records.

    Attributes:
        columns: the model's, with the other encodings of records: `layouts`, {column, hashes}.
        key: likewise.
        names: the columns of each schema, {names, hashes}: see the macro `missing_columns`.
        unwritten: schemas that no converter writes, {problem: {value, key}}, lists of hashes.
        sharing: topics with records of other tables, and the time of the first in microseconds.
        doubtful_keys: whether a delete of this batch or the last may have a made-up key.
        ends: {topic, partition, offset, event} of statements that end the rows: see `table_ends`.
    """

    columns: Sequence[Column]
    key: Sequence[Column]
    names: list[dict[str, Any]] = field(default_factory=list)
    unwritten: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    sharing: dict[str, int] = field(default_factory=dict)
    doubtful_keys: bool = False
    ends: list[dict[str, Any]] = field(default_factory=list)


def no_layouts(
    columns: Sequence[Column], key: Sequence[Column], *, doubtful_keys: bool = False
) -> Layouts:
    """Return what is known without a catalog: the model's columns read all records."""
    return Layouts(columns, key, doubtful_keys=doubtful_keys)


def read_layouts(
    config: Config,
    table: str,
    columns: Sequence[Column],
    key: Sequence[Column],
    rows: Iterable[str],
) -> Layouts:
    """Return the layouts in the rows of the query of the macro `record_layouts`.

    Args:
        config: configuration of the source.
        table: name of the table as statements have it.
        columns: columns of the model.
        key: columns of its key.
        rows: JSON texts {side, …}: `value` and `key` with hash and schema of an embedded schema,
            `topic` with one that other tables share, `end` with a definition that may end rows,
            `doubtful keys`.
    """
    layouts = no_layouts(columns, key)
    fields: dict[str, dict[str, Sequence[Mapping[str, Any]]]] = {"value": {}, "key": {}}
    for row in map(json.loads, rows):
        side = row["side"]
        if side == "topic":
            layouts.sharing[row["topic"]] = row["since"]
        elif side == "end":
            event = table_end(row["schema"], config["connector"], table)
            if event:
                layouts.ends.append({**json.loads(row["hash"]), "event": event})
        elif side not in fields:
            layouts.doubtful_keys = True
        elif problem := schema_problem(side, row["schema"]):
            hashes = layouts.unwritten.setdefault(problem, {"value": [], "key": []})
            hashes[side].append(row["hash"])
        else:
            fields[side][row["hash"]] = _columns_of(config, side, row["schema"])
    layouts.columns = _with_layouts(config, columns, {**fields["value"], **fields["key"]})
    layouts.key = _with_layouts(config, key, fields["key"])
    layouts.names = _names(fields["value"])
    return layouts


def _columns_of(config: Config, side: str, schema: str) -> Sequence[Mapping[str, Any]]:
    """Return the nodes of a schema's columns: those of the row image, or of the key."""
    fields = json.loads(schema).get("fields") or []
    if side == "key":
        return fields
    after = next(node for node in fields if node["field"] == "after")
    return row_fields(config, schema, after["fields"])


def _with_layouts(config: Config, columns: Sequence[Column], fields: Fields) -> list[Column]:
    """Return columns with the encodings of other schemas that differ from theirs."""
    return [
        {**column, "layouts": layouts} if (layouts := _layouts(config, column, fields)) else column
        for column in columns
    ]


def _layouts(config: Config, column: Column, fields: Fields) -> list[Any]:
    names = names_of(column)
    layouts: dict[str, dict[str, Any]] = {}
    for schema_hash, nodes in fields.items():
        for node in nodes:
            if node.get("field") not in names:
                continue
            recorded: Any = column_of(node)
            if not same_encoding(config, recorded, column):
                label = json.dumps(signature(config, recorded))
                layout = layouts.setdefault(label, {"column": recorded, "hashes": []})
                layout["hashes"].append(schema_hash)
    return list(layouts.values())


def _names(fields: Fields) -> list[dict[str, Any]]:
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for schema_hash, nodes in fields.items():
        names = [node["field"] for node in nodes]
        found.setdefault(tuple(names), {"names": names, "hashes": []})["hashes"].append(schema_hash)
    return list(found.values())
