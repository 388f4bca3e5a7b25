"""SQL that decodes each value of a column by the embedded schema of its record.

`layouts` of a column are other encodings in records of this run (macro `record_layouts`). Their
values are decoded by these encodings and then cast to the type of the model. Without layouts, which
is the usual case, the SQL is that of `decode`.
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
    """Return SQL: the value of a column, NULL if it does not fit exactly in its type.

    Args:
        config: configuration of the source.
        column: column of the model.
        text: SQL: the value's JSON text.
        prepared: SQL: result of `prepare` for the model's encoding.
        layout: SQL: the hash of the record's schema.
        record: SQL: the JSON text that contains the value: see `prepare`.

    Raises:
        CompilationError: a Connect type is unknown.
    """

    def branches() -> Iterator[Branch]:
        for other in column.get("layouts") or []:
            own = other["column"]
            value = decode(config, own, prepare(config, own, text, record))
            yield other["hashes"], exact_cast(config, own, column, value, text)

    return _by_layout(layout, branches(), decode(config, column, prepared))


def decode_recorded_text(
    config: Config, column: Column, text: str, prepared: str, layout: str = "_layout"
) -> str:
    """Return SQL: the companion of a column.

    If the encoding of a record has no companion, the text is that of the decoded value.

    Args:
        config: configuration of the source.
        column: column of the model, with `exact_text` in its encoding.
        text: SQL: the value's JSON text.
        prepared: SQL: result of `prepare` for the model's encoding.
        layout: SQL: the hash of the record's schema.

    Raises:
        CompilationError: a Connect type is unknown.
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

    return _by_layout(layout, branches(), decode_exact_text(config, column, prepared))


def _by_layout(layout: str, branches: Iterator[Branch], usual: str) -> str:
    cases = [
        f"when {layout} in ({', '.join(map(str, hashes))}) then {value}"
        for hashes, value in branches
    ]
    return f"case {' '.join(cases)} else {usual} end" if cases else usual
