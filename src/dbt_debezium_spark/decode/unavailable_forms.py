"""The texts of the unavailable-value placeholder in a column (spec §6.5)."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, Config, items_of, parameters_of
from dbt_debezium_spark.decode.connectors import connector_of
from dbt_debezium_spark.decode.semantic_types import JSON, UUID

_INTEGERS = ("int8", "int16", "int32", "int64")


def unavailable_forms(config: Config, column: Column) -> list[str]:
    """Return the configured placeholder in the encodings of the column's type.

    Values are compared with them exactly, before decoding. The list is empty for types without a
    placeholder.

    Args:
        config: configuration of the source, with `unavailable_value_forms`: see `placeholder`.
        column: column of the model; forms of its other layouts are added.
    """
    forms = _forms_of(config, column)
    for other in column.get("layouts") or []:
        forms = [*forms, *_forms_of(config, other["column"])]
    return list(dict.fromkeys(forms))


def _forms_of(config: Config, column: Column) -> list[str]:
    forms = config["unavailable_value_forms"]
    if parameters_of(column).get("binary.handling.mode"):
        # PostgreSQL writes the plain text in mode hex, Oracle the bytes in the configured form
        return [forms["text"], forms["base64"], forms["base64_url_safe"], forms["hex"]]
    literal, semantic = column.get("type"), column.get("semantic")
    if literal == "string":
        mode = (config.get("binary_handling_mode") or "bytes").replace("-", "_")
        if connector_of(config).hides_bytes and mode != "bytes" and not semantic:
            # a BLOB that only the record describes looks like any text
            return [forms["text"], forms[mode]]
        return [forms["text"], forms["hstore"]] if semantic == JSON else [forms["text"]]
    if literal == "bytes":
        return [forms["base64"]]
    if literal == "map":
        return [forms["hstore"]]
    if literal == "array":
        return _forms_of_array(forms, items_of(column))
    return []


def _forms_of_array(forms: Config, items: Column) -> list[str]:
    if items.get("semantic") == UUID:
        return [forms["uuid_array"], forms["text_array"]]
    if items.get("type") == "bytes":
        return [forms["base64_array"]]
    if items.get("type") in _INTEGERS:
        return [forms["code_array"]]
    return [forms["text_array"]]
