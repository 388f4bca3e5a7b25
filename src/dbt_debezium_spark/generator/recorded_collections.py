"""The collections in the records of a MongoDB source.

Documents have no layout. Typed columns are the configured fields, or those of a sample of
documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dbt_debezium_spark.decode.exact_text import DecodedColumn
from dbt_debezium_spark.flattened.messages import position_problem
from dbt_debezium_spark.generator.described_tables import (
    history_messages,
    history_options,
    table_settings,
)
from dbt_debezium_spark.generator.messages import MessageFields, message, problems_of
from dbt_debezium_spark.generator.recorded_tables import (
    Catalog,
    add_origins,
    in_order,
    mark_shared_topics,
    name_tables,
)
from dbt_debezium_spark.generator.tables import Config, RecordedTable, Table
from dbt_debezium_spark.mongodb.sampling import sampled_fields
from dbt_debezium_spark.staging.origins import origin_rules
from dbt_debezium_spark.text.literals import plain_words

OWN_COLUMNS = {
    "_id": "Identity of the document, as canonical Extended JSON text.",
    "document": (
        "The whole document as canonical JSON text: members sorted, numbers plain, dates as ISO"
        " text."
    ),
}


def collections_of_rows(config: Config, rows: Sequence[Sequence[Any]]) -> list[RecordedTable]:
    """Return the collections in records, with names like those of tables.

    Args:
        config: configuration of the source.
        rows: database, collection, topic, topic prefix, and for a flattened source the added
            fields of the position, in that order.
    """
    by_name: dict[tuple[Any, str], RecordedTable] = {}
    for database, collection, topic, prefix, *flattened in rows:
        name = f"{database}.{collection}"
        if name == config.get("signal_data_collection"):
            continue
        found = by_name.setdefault(
            (prefix, name),
            RecordedTable(
                topic_prefix=prefix,
                full_name=["", database, collection],
                rows=[],
                topics=[],
                seen=[],
            ),
        )
        found["seen"].append({"topic": topic, "flattened": next(iter(flattened), None)})
        if topic not in found["topics"]:
            found["topics"].append(topic)
    collections = list(by_name.values())
    name_tables(config, collections, has_schemas=False)
    add_origins(config["name"], origin_rules(config), collections)
    for collection in collections:
        problem = position_problem(config, collection["name"], collection["seen"])
        collection["problems"] += [] if problem is None else [problem]
    mark_shared_topics([entry for entry in collections if not entry["problems"]])
    return collections


def described_collection(
    config: Config, collection: RecordedTable, documents: Sequence[str]
) -> Table:
    """Return the description of a collection.

    Args:
        config: configuration of the source.
        collection: one of `collections_of_rows`.
        documents: the sample, as JSON texts; not used for configured fields.
    """
    configured = table_settings(config, collection["name"]).get("fields")
    fields = (
        sampled_fields(list(documents))
        if configured is None
        else [
            {"name": field["name"], "path": path, "type": field["type"]}
            for path, field in configured.items()
        ]
    )
    decoded = [_decoded_column(name, "string") for name in OWN_COLUMNS]
    described = {name: {"about": about} for name, about in OWN_COLUMNS.items()}
    for field in fields:
        is_json = field["type"] == "json"
        decoded.append(_decoded_column(field["name"], "string" if is_json else field["type"]))
        as_text = " as JSON text" if is_json else ""
        path = plain_words(field["path"])
        is_informative = is_json or field["path"] != field["name"]
        about = f"Field `{path}` of the document{as_text}; NULL where it has none."
        described[field["name"]] = {"about": about if is_informative else ""}
    return {
        "source": config["name"],
        "name": collection["name"],
        "model": collection["model"],
        "topics": collection["topics"],
        "is_shared_topic": collection.get("is_shared_topic", False),
        "origins": collection["origins"],
        "is_collection": True,
        "evidence": "sample" if configured is None else "configuration",
        "key": [{"name": "_id"}],
        "fields": fields,
        "decoded": decoded,
        "described": described,
        "history": history_options(config, collection["name"]),
        "messages": history_messages(config, collection["name"], list(described), has_key=True),
    }


def collection_catalog(
    config: Config,
    collections: Sequence[RecordedTable],
    described: Sequence[Table],
    messages: Sequence[MessageFields],
) -> Catalog:
    """Return the collections that become models, and all messages.

    Args:
        config: configuration of the source.
        collections: result of `collections_of_rows`.
        described: descriptions of the collections that can become models.
        messages: further messages about the source.
    """
    source = config["name"]
    all_messages = [
        *(text for collection in collections for text in problems_of(source, collection)),
        *(text for collection in described for text in collection["messages"]),
        *messages,
    ]
    if not collections:
        text = f"source '{source}': the records landed so far contain no collection."
        all_messages.append(message("note", source, None, text))
    return {"tables": in_order(described), "messages": all_messages}


def _decoded_column(name: str, data_type: str) -> DecodedColumn:
    return {"name": name, "data_type": data_type, "of": None}
