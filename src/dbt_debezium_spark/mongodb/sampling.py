"""Typed columns from a sample of documents, if the configuration lists none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from dbt_debezium_spark.decode.document_fields import is_own_column
from dbt_debezium_spark.mongodb import ejson
from dbt_debezium_spark.text.names import collision, unwritable

MAX_FIELDS = 100
_WIDENINGS = {
    frozenset({"int", "bigint"}): "bigint",
    frozenset({"int", "double"}): "double",
    frozenset({"bigint", "double"}): "double",
    frozenset({"int", "bigint", "double"}): "double",
}


def sampled_fields(texts: Iterable[str]) -> list[dict[str, str]]:
    """Return the top-level fields of a sample of documents, in the form for models.

    Args:
        texts: full images in any dialect; texts that are no documents are ignored.

    Returns:
        `name`, `path` and `type`, in the order of the names; only the `MAX_FIELDS` most frequent
        ones. A field with documents, arrays or values of several types is `json`. Fields whose
        names cannot be a path or a column occur only in `document`.
    """
    counts: Counter[str] = Counter()
    kinds: dict[str, set[str]] = {}
    for text in texts:
        try:
            document = ejson.parse(text)
        except ejson.NotEjson:
            continue
        if not ejson.is_document(document):
            continue
        for name, value in document.items():
            if not _is_usable(name):
                continue
            counts[name] += 1
            kind = _kind(value)
            kinds.setdefault(name, set())
            if kind is not None:
                kinds[name].add(kind)
    frequent = sorted(counts, key=lambda name: (-counts[name], name))[:MAX_FIELDS]
    chosen: dict[str, str] = {}
    for name in sorted(frequent):
        # Names that differ only in case are equal in Spark: the more frequent one is the column.
        rival = next((other for other in chosen if collision((other, name))), None)
        if rival is not None and counts[rival] >= counts[name]:
            continue
        if rival is not None:
            del chosen[rival]
        chosen[name] = _type(kinds[name])
    return [{"name": name, "path": name, "type": chosen[name]} for name in sorted(chosen)]


def _is_usable(name: str) -> bool:
    return bool(
        name
        and not is_own_column(name)
        and "." not in name
        and name.isprintable()
        and unwritable(name) is None
    )


def _kind(value: Any) -> str | None:
    """Return the narrowest type of a canonical value, None for null."""
    if value is None or value == {"$undefined": True}:
        return None
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "int" if -(2**31) <= value < 2**31 else "bigint"
    if isinstance(value, float):
        return "double"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict) and len(value) == 1:
        (name,) = value
        if name in ("$date", "$timestamp"):
            return "timestamp"
        if name == "$numberDouble":
            return "double"
        if name == "$binary":
            return "binary"
        if name in ("$oid", "$numberDecimal", "$symbol"):
            return "string"
    return "json"


def _type(kinds: set[str]) -> str:
    if not kinds:
        return "json"  # only nulls so far; this type accepts every value
    if len(kinds) == 1:
        (kind,) = kinds
        # a counter may outgrow int later
        return "bigint" if kind == "int" else kind
    return _WIDENINGS.get(frozenset(kinds), "json")
