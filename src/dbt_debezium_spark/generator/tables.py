"""What is known of a source's tables, at each step from its records to its models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.decode.exact_text import DecodedColumn
from dbt_debezium_spark.generator.messages import MessageFields

# The configuration of a source, as `SourceConfig.to_dict` describes it to macros.
Config = Mapping[str, Any]
# The records of one table in one topic: see `recorded_schemas.topics_of_schemas`.
Topic = Mapping[str, Any]
# A row of the catalog: a column of a table.
Row = Mapping[str, Any]


class RecordedTable(TypedDict, total=False):
    """A table or collection in the records of a source.

    Attributes:
        topic_prefix: its connector; None if the records do not name it.
        full_name: database, schema and table.
        rows: rows of the catalog; none of a collection.
        topics: topics of a collection; `seen` has them with added fields of the position.
        names: its names from the shortest to the longest, of which `name` is used.
        name_parts: parts for the names of models; the last `parts` of them are used.
        settings: its options.
        chosen: the configured part of its models' names.
        model: the part of its models' names; `rivals` are other tables with it.
        origins: members of source blocks that identify it.
        problems: why it is refused; `warnings` do not refuse it.
        record_keys: the lists of key columns in its records.
        has_keys: whether records have a key of any kind.
    """

    topic_prefix: str | None
    full_name: Sequence[str]
    rows: list[Row]
    topics: list[str]
    seen: list[dict[str, Any]]
    is_shared_topic: bool
    names: list[str]
    name: str
    name_parts: list[Any]
    parts: int
    settings: Mapping[str, Any]
    chosen: str | None
    model: str
    rivals: list[str]
    origins: list[dict[str, str]]
    problems: list[str]
    warnings: list[str]
    record_keys: list[list[str]]
    has_keys: bool


class Table(TypedDict, total=False):
    """The description of a table or collection, from which its models and properties are written.

    Attributes:
        model: the part of its models' names.
        evidence: where its columns are known from.
        key: key columns, with their former names; `former_keys` those of earlier records.
        columns: its columns for macros; none of a collection.
        image_columns: those and the ones that its models leave out, as they lie in a row image.
        decoded: the columns of its models.
        described: what is known of each column: the catalog's row, or the text `about`.
        history: options of its history; None without one.
        fields: typed columns of a collection.
    """

    source: str
    name: str
    model: str
    topics: list[str]
    is_shared_topic: bool
    origins: list[dict[str, str]]
    evidence: str
    ended_by: str | None
    since_position: str | None
    last_position: str | None
    comment: str | None
    key: list[dict[str, Any]]
    former_keys: list[list[str]]
    columns: list[dict[str, Any]]
    image_columns: list[dict[str, Any]]
    decoded: list[DecodedColumn]
    described: Mapping[str, Row]
    history: Mapping[str, Any] | None
    messages: list[MessageFields]
    is_collection: bool
    fields: list[dict[str, str]]


class KeptTable(TypedDict):
    """A refused table whose models stay: their part of a name, and their files."""

    source: str
    table: str
    model: str
    paths: list[str]
