"""Columns of the models that every source has: raw and catalog."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_debezium_spark.generator.properties import ModelProperties, added_column, plain_column
from dbt_debezium_spark.literals import yaml_text

Columns = Sequence[tuple[str, str, str]]

_RAW: Columns = (
    ("topic", "string", "Kafka topic."),
    ("partition", "int", "Partition of the topic."),
    ("offset", "bigint", "Offset in the partition; increasing, not always consecutive."),
    (
        "timestamp",
        "timestamp",
        "The record's own time: of the producer or the broker, not of the change.",
    ),
    ("timestampType", "int", "0: set by the producer, 1: set by the broker."),
    ("key", "string", "Record key as text; null for a record without one."),
    ("value", "string", "Record value as text; null for a tombstone."),
    ("headers", "array<struct<key:string,value:string>>", "Record headers."),
)
_SOURCE_NAME = ("source_name", "string", "Source in the configuration.")
_NAMES_OF_THE_TABLE: Columns = (
    ("database_name", "string", "Database of the table."),
    (
        "schema_name",
        "string",
        "Schema of the table; the database where the connector has no schemas.",
    ),
    ("table_name", "string", "Table, as the source writes it."),
)
_COLUMNS: Columns = (
    _SOURCE_NAME,
    (
        "topic_prefix",
        "string",
        "Name of the connector, as the source blocks of its records have it.",
    ),
    *_NAMES_OF_THE_TABLE,
    (
        "topic",
        "string",
        "Topic of the table; where no record has come yet, the one the connector would write.",
    ),
    ("topics", "array<string>", "All topics that carry records of the table."),
    ("version", "int", "Number of the column list, from 1, in order of first sighting."),
    (
        "is_current",
        "boolean",
        "Whether this version stands furthest in the source's log: the one models are generated"
        " from.",
    ),
    ("since_position", "string", "Record (topic:partition:offset) that showed this version first."),
    (
        "since_source_position",
        "string",
        "Lowest position in the source's log at which this version was seen; null where records"
        " have none.",
    ),
    (
        "last_source_position",
        "string",
        "Position in the source's log at which this version was seen last.",
    ),
    (
        "last_position",
        "string",
        "Record (topic:partition:offset) with this version that stands furthest in the source's"
        " log.",
    ),
    (
        "evidence",
        "string",
        "Where the encoding is known from: embedded_schema, schema_change_topic, column_export or"
        " configuration.",
    ),
    ("column_name", "string", "Column, as the source writes it."),
    (
        "ordinal_position",
        "int",
        "Place in the table, from 1; null for a field that only record keys have.",
    ),
    ("connect_type", "string", "Literal type in Kafka Connect; null when it is not known."),
    ("semantic_type", "string", "Name of the Connect schema, which says what the literal means."),
    (
        "parameters",
        "map<string,string>",
        "Parameters of the Connect schema, like the scale of a decimal.",
    ),
    ("schema_json", "string", "The whole Connect schema of the column, as JSON."),
    ("is_optional", "boolean", "Whether the column may be null."),
    ("is_never_null", "boolean", "Whether no version seen lets the column be null or lacks it."),
    (
        "default_value",
        "string",
        "Default as the evidence writes it: encoded value or SQL expression.",
    ),
    ("is_key", "boolean", "Whether the column belongs to the record key."),
    ("key_position", "int", "Place in the key, from 1."),
    ("database_type", "string", "Type in the database, where the evidence tells it."),
    ("comment", "string", "Comment in the database, where the evidence tells it."),
    (
        "enum_values",
        "array<string>",
        "Labels of an enum in any version, from the schema-change topic.",
    ),
    (
        "enum_lists",
        "array<string>",
        "Labels of an enum in any version as records list them, between commas.",
    ),
    ("table_comment", "string", "The table's comment in the database."),
    (
        "gone_until",
        "string",
        "Position in the source's log of the last change without the column, where it was dropped"
        " and added again.",
    ),
    (
        "ended_by",
        "string",
        "What ended the table at the source: dropped, or renamed and to what; null while it"
        " exists.",
    ),
)
_DISAGREEMENTS: Columns = (
    _SOURCE_NAME,
    *_NAMES_OF_THE_TABLE,
    (
        "column_name",
        "string",
        "Column, as the source writes it; null where the table as a whole is meant.",
    ),
    ("matter", "string", "What they disagree about: encoding, nullability, presence or key."),
    ("chosen", "string", "What the catalog goes by."),
    ("chosen_from", "string", "Evidence that says so."),
    ("other", "string", "What the other evidence says."),
    ("other_from", "string", "The other evidence."),
    ("meaning", "string", "What it can come from, and what to do."),
)
_SCHEMAS: Columns = (
    ("topic", "string", "Kafka topic."),
    ("partition", "int", "Partition of the topic."),
    (
        "key_hash",
        "bigint",
        "Hash of the schema in the record key; 1 for a key without one, 0 without a key.",
    ),
    ("value_hash", "bigint", "Hash of the schema in the record value; 0 or 1 without one."),
    ("origin_hash", "bigint", "Hash of what follows."),
    (
        "origin",
        "struct<name:string,db:string,schema:string,table:string>",
        "Connector, database, schema and table that the source blocks of the records name; null"
        " for records that are no changes.",
    ),
    (
        "first_offset",
        "bigint",
        "First offset of this pair of schemas and of this table in the batch.",
    ),
    ("last_offset", "bigint", "Last offset of this pair of schemas in the batch."),
    ("first_timestamp", "timestamp", "Earliest record time of this pair of schemas in the batch."),
    ("last_timestamp", "timestamp", "Latest record time of this pair of schemas in the batch."),
    (
        "is_snapshot",
        "boolean",
        "Whether the records were read by a full snapshot, the one at the positions that follow.",
    ),
    ("lowest_position", "string", "Lowest position in the source's log."),
    ("highest_position", "string", "Highest position in the source's log."),
    ("highest_timestamp", "timestamp", "Record time of the record with the highest position."),
    ("highest_offset", "bigint", "Offset of that record."),
    ("last_position", "string", "Position in the source's log of the last record."),
    (
        "kind",
        "string",
        "What the records are (data, schema_change, transaction, …); null where the pair was met"
        " before.",
    ),
    ("key_schema", "string", "Connect schema of the key, as JSON."),
    ("value_schema", "string", "Connect schema of the value, as JSON."),
    ("key_fields", "array<string>", "Names of the fields of one record key."),
    ("value_fields", "array<string>", "Names of the fields of one row."),
    ("source_block", "string", "Source block of one record, as JSON."),
    ("definition", "string", "The record of the schema-change topic, as JSON."),
    (
        "has_doubtful_key",
        "boolean",
        "Whether a delete of PostgreSQL has a key that the connector may have made up (zero,"
        " empty, null).",
    ),
)


def source_properties(source: str) -> dict[str, list[ModelProperties]]:
    """Return the models of a source's two properties files, `raw` and `catalog`."""

    def model(
        name: str, description: str, columns: Columns, added: Sequence[str] = ()
    ) -> ModelProperties:
        return ModelProperties(
            name,
            yaml_text(description),
            source,
            [
                *(plain_column(*column) for column in columns),
                *map(added_column, added),
            ],
        )

    raw = model(
        f"raw_{source}",
        f"Records of source {source} exactly as Kafka carries them: each landed (topic, partition,"
        " offset) once, never rewritten.",
        _RAW,
        ("_cdc_batch_id", "_cdc_landed_at"),
    )
    columns = model(
        f"catalog_{source}__columns",
        f"What the tables of source {source} look like: one row per table, version and column.",
        _COLUMNS,
    )
    disagreements = model(
        f"catalog_{source}__disagreements",
        f"Where records, schema-change topic and configuration of source {source} disagree about"
        " its tables: one row per table, column and matter.",
        _DISAGREEMENTS,
    )
    schemas = model(
        f"catalog_{source}__schemas",
        f"Private: evidence for the catalog of source {source}: which embedded schemas each landing"
        " batch brought, and the records of the schema-change topic.",
        _SCHEMAS,
        ("_cdc_batch_id",),
    )
    return {"raw": [raw], "catalog": [columns, disagreements, schemas]}
