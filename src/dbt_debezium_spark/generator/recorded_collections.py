"""The collections of a MongoDB source as its records name them.

Documents have no layout. Typed columns are the fields that the configuration names, else those of a
sample of documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.generator.catalog_tables import Catalog, in_order, mark_shared_topics
from dbt_debezium_spark.generator.messages import Message, message, problems_of
from dbt_debezium_spark.generator.origins import OriginRules, settle
from dbt_debezium_spark.generator.table_names import name_tables
from dbt_debezium_spark.literals import plain_words
from dbt_debezium_spark.mongodb.sampling import sampled_fields

OWN_COLUMNS = {
    "_id": "Identity of the document, as canonical Extended JSON text.",
    "document": (
        "The whole document as canonical JSON text: members sorted, numbers plain, dates as ISO"
        " text."
    ),
}


def collections_of_rows(
    config: Mapping[str, Any], rules: OriginRules, rows: Sequence[Sequence[Any]]
) -> list[dict[str, Any]]:
    """Return the collections that records name, each named as tables are.

    Args:
        config: configuration of the source.
        rules: how its records name their collection.
        rows: database, collection, topic and topic prefix, in that order.
    """
    found: dict[tuple[Any, str], dict[str, Any]] = {}
    for database, collection, topic, prefix in rows:
        name = f"{database}.{collection}"
        if name == config.get("signal_data_collection"):
            continue
        one = found.setdefault(
            (prefix, name),
            {
                "topic_prefix": prefix,
                "full_name": ["", database, collection],
                "rows": [],
                "topics": [],
            },
        )
        if topic not in one["topics"]:
            one["topics"].append(topic)
    collections = list(found.values())
    name_tables(config, collections, has_schemas=False)
    settle(config["name"], rules, collections)
    mark_shared_topics([one for one in collections if not one["problems"]])
    return collections


def configured_fields(config: Mapping[str, Any], name: str) -> list[dict[str, str]] | None:
    """Return the fields that configuration names of a collection; none where it names no list."""
    fields = ((config.get("tables") or {}).get(name) or {}).get("fields")
    if fields is None:
        return None
    return [
        {"name": field["name"], "path": path, "type": field["type"]}
        for path, field in fields.items()
    ]


def described_collection(
    config: Mapping[str, Any], collection: Mapping[str, Any], documents: Sequence[str]
) -> dict[str, Any]:
    """Return what the models of a collection have.

    Args:
        config: configuration of the source.
        collection: one of `collections_of_rows`.
        documents: the sample, as JSON texts; not looked at where configuration names the fields.
    """
    configured = configured_fields(config, collection["name"])
    fields = sampled_fields(list(documents)) if configured is None else configured
    decoded = [_decoded(name, "string") for name in OWN_COLUMNS]
    described = {name: {"about": about} for name, about in OWN_COLUMNS.items()}
    for field in fields:
        is_json = field["type"] == "json"
        decoded.append(_decoded(field["name"], "string" if is_json else field["type"]))
        as_text = " as JSON text" if is_json else ""
        path = plain_words(field["path"])
        says_more = is_json or field["path"] != field["name"]
        about = f"Field `{path}` of the document{as_text}; NULL where it has none."
        described[field["name"]] = {"about": about if says_more else ""}
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
    }


def collection_catalog(
    config: Mapping[str, Any],
    collections: Sequence[dict[str, Any]],
    described: Sequence[dict[str, Any]],
    messages: Sequence[Message],
) -> Catalog:
    """Return the collections that become models, and all that there is to say.

    Args:
        config: configuration of the source.
        collections: those of `collections_of_rows`.
        described: the descriptions of those that can become models.
        messages: what else there is to say of the source.
    """
    source = config["name"]
    all_told = [one for collection in collections for one in problems_of(source, collection)]
    all_told += messages
    if not collections:
        text = f"source '{source}': no collection seen yet in the records landed so far."
        all_told.append(message("note", source, None, text))
    return {"tables": in_order(described), "messages": all_told}


def _decoded(name: str, data_type: str) -> dict[str, Any]:
    return {"name": name, "data_type": data_type, "of": None}
