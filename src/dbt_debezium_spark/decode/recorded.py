"""SQL that reads each record of a column as its own embedded schema says.

`layouts` of a column, where macro `record_layouts` found any, are the other encodings that records
of this run have. Their values are read by their own decoder and then taken into the type that the
model has. Without layouts, which is the usual case, the SQL is that of `decode`.
"""

from __future__ import annotations

from collections.abc import Iterator

from dbt_debezium_spark.decode.columns import Column, Config
from dbt_debezium_spark.decode.decoder import decode
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.decode.exact_cast import exact_cast
from dbt_debezium_spark.decode.exact_text import decode_exact_text
from dbt_debezium_spark.decode.prepare import prepare

# A layout's hashes and the SQL of its values.
Branch = tuple[list[str], str]


def decode_recorded(
    config: Config,
    column: Column,
    text: str,
    prepared: str,
    layout: str = "_layout",
    record: str | None = None,
) -> str:
    """Return SQL: the value of a column; what its type does not hold exactly stays unread.

    Args:
        config: of the source.
        column: of the model.
        text: SQL: the value's JSON text.
        prepared: SQL: the same as `prepare` made it for the model's encoding.
        layout: SQL: the hash of the record's schema.
        record: SQL: the JSON text that the value came from: see `prepare`.

    Raises:
        CompilationError: a type is none of Connect's.
    """

    def branches() -> Iterator[Branch]:
        for other in column.get("layouts") or []:
            own = other["column"]
            value = decode(config, own, prepare(config, own, text, record))
            yield other["hashes"], exact_cast(config, own, column, value, text)

    return _by_layout(layout, branches(), decode(config, column, prepared))


def decode_recorded_text(config: Config, column: Column, text: str, prepared: str) -> str:
    """Return SQL: the companion of a column.

    Where a record's own encoding has none, it is the decoded value as text.

    Args:
        config: of the source.
        column: of the model, with `exact_text` in its encoding.
        text: SQL: the value's JSON text.
        prepared: SQL: the same as `prepare` made it for the model's encoding.

    Raises:
        CompilationError: a type is none of Connect's.
    """
    has_every_value = encoding_of(config, column).get("exact_text") == "always"

    def branches() -> Iterator[Branch]:
        for other in column.get("layouts") or []:
            own = other["column"]
            own_prepared = prepare(config, own, text)
            if encoding_of(config, own).get("exact_text"):
                value = decode_exact_text(config, own, own_prepared)
            elif has_every_value:
                decoded = decode(config, own, own_prepared)
                value = f"replace(cast({decoded} as string), ' ', 'T')"
            else:
                value = "cast(null as string)"
            yield other["hashes"], value

    return _by_layout("_layout", branches(), decode_exact_text(config, column, prepared))


def _by_layout(layout: str, branches: Iterator[Branch], usual: str) -> str:
    told = [
        f"when {layout} in ({', '.join(map(str, hashes))}) then {value}"
        for hashes, value in branches
    ]
    return f"case {' '.join(told)} else {usual} end" if told else usual
