"""SQL that chooses raw records: by their topics, and by the option `ignore_records`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dbt_debezium_spark.decode import Config
from dbt_debezium_spark.text.sql_text import text_literal, text_literals

# topic, partition, offset and more
Record = Mapping[str, Any]


def topic_condition(topics: Iterable[str]) -> str:
    """Return a SQL condition: a record is of one of these topics."""
    return f"topic in ({text_literals(topics)})"


def ignored_records(config: Config, topics: Collection[str] | None = None) -> list[Record]:
    """Return the records that are never parsed: of some topics, or of all."""
    return [
        record
        for record in config.get("ignore_records") or []
        if topics is None or record["topic"] in topics
    ]


def is_ignored(config: Config, topics: Collection[str] | None = None) -> str:
    """Return a SQL condition: a record is one of them."""
    return " or ".join(f"({_is(record)})" for record in ignored_records(config, topics)) or "false"


def member_of_record(records: Iterable[Record], member: str) -> str:
    """Return SQL: a member of the entry for a record, NULL without an entry."""
    branches = " ".join(
        f"when {_is(record)} then {text_literal(str(record[member]))}" for record in records
    )
    return f"case {branches} end"


def _is(record: Record) -> str:
    return (
        f"topic = {text_literal(record['topic'])} and partition = {record['partition']}"
        f" and offset = {record['offset']}"
    )
