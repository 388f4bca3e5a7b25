"""What a table takes from all that the catalog knows of its source."""

from __future__ import annotations

import json
from typing import Any

from dbt_debezium_spark.staging import may_share, read_layouts
from tests.support.blocks import source_options

CONFIG = {"name": "s", **source_options("postgresql")}
ARGUMENTS = {
    "topics": ["s.a", "s.b"],
    "columns": [{"name": "id", "type": "int32"}],
    "key": [{"name": "id", "type": "int32"}],
}


def key_schema(*types: str) -> str:
    fields = [{"field": f"id{place or ''}", "type": type_} for place, type_ in enumerate(types)]
    return json.dumps({"type": "struct", "fields": fields})


def key_fact(topic: str, hash_: str, batch: int, schema: str | None = None) -> dict[str, Any]:
    """Return what the catalog says of a schema; it drops members that are NULL."""
    fact = {"side": "key", "topic": topic, "hash": hash_, "batch": batch}
    return fact if schema is None else {**fact, "schema": schema}


def hashes(facts: list[dict[str, Any]], watermark: int | None) -> list[str]:
    """Return the hashes of schemas that give the column `id` another encoding."""
    (column,) = read_layouts(CONFIG, "a", ARGUMENTS, watermark, facts, {}).columns
    return sorted(one for layout in column.get("layouts", []) for one in layout["hashes"])


def test_only_schemas_of_the_tables_new_records_count() -> None:
    facts = [
        key_fact("s.a", "1", 1, key_schema("int64")),
        key_fact("s.a", "2", 2, key_schema("string")),
        key_fact("s.other", "3", 3, key_schema("int16")),
        key_fact("s.a", "0", 3),
    ]
    assert hashes(facts, None) == ["1", "2"]
    assert hashes(facts, 1) == ["2"]
    # the text of a schema is kept once, where it was seen first
    assert hashes([*facts, key_fact("s.b", "1", 2)], 1) == ["1", "2"]


def test_a_doubtful_key_counts_since_the_last_batch_that_was_staged() -> None:
    facts = [{"side": "doubtful key", "topic": "s.b", "batch": 2}]
    doubts = [
        read_layouts(CONFIG, "a", ARGUMENTS, watermark, facts, {}).doubtful_keys
        for watermark in (None, 2, 3)
    ]
    assert doubts == [True, True, False]


def test_topics_may_be_shared_unless_all_their_records_are_the_tables_by_name() -> None:
    own = {"name": "s", "schema": "public", "table": "a"}
    facts = [
        {"side": "origin", "topic": "s.a", "origin": {**own, "db": "shop"}},
        {"side": "origin", "topic": "s.other", "origin": {**own, "table": "other"}},
    ]
    assert not may_share(["s.a"], [own], facts)
    assert may_share(["s.a", "s.other"], [own], facts)
    assert may_share(["s.a"], [{**own, "db": "sh*"}], facts)
    assert may_share(["s.a"], [], facts)
    assert not may_share(["s.none"], [], facts)
