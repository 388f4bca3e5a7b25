"""What the catalog of embedded schemas knows of a run's records.

Base64 read with the scale of another layout would be a wrong number that looks right, so each
message is read by its own schema (spec §9.5).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dbt_debezium_spark.decode import Column, Config, names_of, same_encoding, signature
from dbt_debezium_spark.decode.record_schema import column_of, schema_problem
from dbt_debezium_spark.flattened.fields import row_fields
from dbt_debezium_spark.staging.origins import Origin
from dbt_debezium_spark.staging.table_ends import table_end

# nodes of a schema's columns, by the hash of the schema
Fields = Mapping[str, Sequence[Mapping[str, Any]]]
# what a catalog says of one topic: {side, topic, …}
Fact = Mapping[str, Any]


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
    arguments: Mapping[str, Any],
    watermark: int | None,
    facts: Sequence[Fact],
    sharing: dict[str, int],
) -> Layouts:
    """Return the layouts of a table's records above a watermark.

    Args:
        config: configuration of the source.
        table: name of the table as statements have it.
        arguments: those of the staging model: `columns`, `key` and `topics`.
        watermark: the last batch that was staged, None if all records are read.
        facts: what the catalog knows of the source: see the macro `record_layouts`.
        sharing: topics with records of other tables, and the time of the first in microseconds.
    """
    columns, key = arguments["columns"], arguments["key"]
    layouts = no_layouts(columns, key)
    layouts.sharing = sharing
    fields: dict[str, dict[str, Sequence[Mapping[str, Any]]]] = {"value": {}, "key": {}}
    schemas: dict[tuple[str, str], str] = {}
    batches: dict[tuple[str, str], int] = {}
    for fact in facts:
        side, batch = fact["side"], fact.get("batch", 0)
        if side == "end":
            if watermark is None or batch > watermark:
                event = table_end(fact["definition"], config["connector"], table)
                if event:
                    layouts.ends.append({**fact["place"], "event": event})
        elif fact["topic"] not in arguments["topics"]:
            continue
        elif side == "doubtful key":
            if key and (watermark is None or batch >= watermark):
                layouts.doubtful_keys = True
        elif side in fields:
            seen = side, fact["hash"]
            # a topic may lack the text of a schema that another has
            schemas[seen] = max(schemas.get(seen, ""), fact.get("schema", ""))
            batches[seen] = max(batches.get(seen, batch), batch)
    for (side, schema_hash), schema in schemas.items():
        if not schema or (watermark is not None and batches[side, schema_hash] <= watermark):
            continue
        if problem := schema_problem(side, schema):
            hashes = layouts.unwritten.setdefault(problem, {"value": [], "key": []})
            hashes[side].append(schema_hash)
        else:
            fields[side][schema_hash] = _columns_of(config, side, schema)
    layouts.columns = _with_layouts(config, columns, {**fields["value"], **fields["key"]})
    layouts.key = _with_layouts(config, key, fields["key"])
    layouts.names = _names(fields["value"])
    return layouts


def may_share(topics: Collection[str], origins: Sequence[Origin], facts: Sequence[Fact]) -> bool:
    """Return whether a table's topics may have records of others: SQL decides then.

    Args:
        topics: of the table.
        origins: of the table.
        facts: what the catalog knows of the source.
    """
    return any(
        not any(
            all(fact["origin"].get(member) == text for member, text in origin.items())
            for origin in origins
        )
        for fact in facts
        if fact["side"] == "origin" and fact["topic"] in topics
    )


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
