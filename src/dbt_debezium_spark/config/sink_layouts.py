"""The layouts in which Kafka Connect's object-store sinks write records, and their options."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from dbt_debezium_spark.config.block import as_one_of, as_text, one_of
from dbt_debezium_spark.config.errors import problem

# `records` is no sink's layout: each line or row has Kafka's columns.
RECORDS, CONNECT, AIVEN, LENSES = "records", "connect", "aiven", "lenses"
LAYOUTS = (RECORDS, CONNECT, AIVEN, LENSES)

# What each sink needs to write keys.
KEY_SWITCHES = {
    CONNECT: "store.kafka.keys=true",
    AIVEN: "`key` among format.output.fields",
    LENSES: "'store.envelope.key'=true",
}

CSV, JSONL, JSON, AVRO, PARQUET = "csv", "jsonl", "json", "avro", "parquet"
FORMATS = (CSV, JSONL, JSON, AVRO, PARQUET)
FIELDS = ("key", "value", "offset", "timestamp", "headers")
BASE64, PLAIN = "base64", "none"
ENCODINGS = (BASE64, PLAIN)
FILE_NAME = "{{topic}}-{{partition}}-{{start_offset}}"
VARIABLES = ("topic", "partition", "start_offset", "timestamp")

# Options that only files of Aiven's sinks have.
OPTIONS_OF_AIVEN = ("format", "fields", "value_encoding", "envelope", "file_name")
_VARIABLE = re.compile(r"\{\{\s*([a-z_]+)\s*(?::[^{}]*)?\}\}")


def _with_the_value_once(fields: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(fields)) < len(fields):
        raise problem(f" is {list(fields)!r}, with a field twice", "Name each once")
    if "value" not in fields:
        raise problem(
            f" is {list(fields)!r}, without `value`",
            "Add it to `format.output.fields` of the sink: without values there are no records",
        )
    return fields


def _file_name(value: Any) -> str:
    template = as_text(value, FILE_NAME)
    names = _VARIABLE.findall(template)
    if "key" in names:
        raise problem(
            f" is `{template}`: the sink keeps only the last record of each key",
            "Change `file.name.template` of the sink: files by key lack the other records",
        )
    for name in names:
        as_one_of(name, VARIABLES)
    missing = [name for name in VARIABLES[:3] if names.count(name) != 1]
    if missing:
        raise problem(
            f" is `{template}`, which does not have `{{{{{missing[0]}}}}}` once",
            "Use a template that names topic, partition and first offset once each, in the sink"
            f" too, for example `{FILE_NAME}`",
        )
    return template


# Fields of a CSV line, in their order.
SinkFields = Annotated[
    tuple[Annotated[str, one_of(FIELDS)], ...], AfterValidator(_with_the_value_once)
]
# A template of file names, in the syntax of the sink's `file.name.template`.
FileName = Annotated[str, BeforeValidator(_file_name)]


def template_pattern(template: str) -> str:
    """Return a regular expression for the end of a path, with a group for each variable."""
    pattern, at = "", 0
    for match in _VARIABLE.finditer(template):
        pattern += re.escape(template[at : match.start()]) + _GROUPS[match[1]]
        at = match.end()
    return pattern + re.escape(template[at:])


_GROUPS = {
    "topic": r"(?P<topic>[A-Za-z0-9._-]+)",
    "partition": r"(?P<partition>[0-9]+)",
    "start_offset": r"(?P<start_offset>[0-9]+)",
    "timestamp": r"[0-9]+",
}
