"""The steps by which staging reads each column: its text, what is prepared of it, its value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from dbt_debezium_spark.decode import (
    Column,
    Config,
    decode_recorded,
    decode_recorded_text,
    encoding_of,
    exact_text_name,
    prepare,
    unavailable_forms,
)
from dbt_debezium_spark.staging.images import aligned_text, column_member, has_column
from dbt_debezium_spark.text.sql_text import text_literal

# The events that have an image.
_WITH_IMAGE = {"image": "('c', 'r', 'u')", "before": "('u', 'd')"}


@dataclass(frozen=True)
class Steps:
    """SQL of a value, each step over the name of the one before it.

    Attributes:
        text: its JSON text, `text_name`.
        prepared: the costly half of decoding it, `prepared_name`: see `decode.prepare`.
        value: the value.
        exact_text: its companion, None for a column without one.
    """

    text_name: str
    text: str
    prepared_name: str
    prepared: str
    value: str
    exact_text: str | None


@dataclass(frozen=True)
class StagedColumn(Steps):
    """A column of a staging model: the value in the row that an event left.

    Attributes:
        name: of the column.
        exact_name: of its companion.
        value_name: of the value among the steps.
        before: its steps in the row before the event, for a table without a key.
        unavailable: SQL condition over the text: it is the placeholder; None for types that cannot
            carry one.
        undecodable: SQL condition: a value came and did not decode; None for texts.
        expected: what its text should have been, for `_cdc_errors`.
    """

    name: str
    exact_name: str
    value_name: str
    before: Steps | None
    unavailable: str | None
    undecodable: str | None
    expected: str


def staged_columns(
    config: Config,
    columns: Sequence[Column],
    key: Sequence[Column],
    *,
    names: Sequence[str],
    position: str,
    record: str | None = None,
    reads_before: bool = False,
    keeps_before: bool = False,
) -> list[StagedColumn]:
    """Return the columns of a staging model.

    Args:
        config: configuration of the source.
        columns: columns of the table, some with the `layouts` of this run's records.
        key: columns of its key, likewise.
        names: those of the images, in their order.
        position: SQL: the position by which layouts are ordered (macro `layout_position`).
        record: SQL: see `decode.prepare`.
        reads_before: images before a change are read.
        keeps_before: and stay, for tables without a key.

    Raises:
        CompilationError: a column's Connect type is unknown.
    """
    keys = {column["name"] for column in key}
    steps_of = partial(_steps_of, config, position=position, record=record)

    def staged(number: int, column: Column) -> StagedColumn:
        text = image_text(config, column, names, reads_before=reads_before)
        layout = "_layout"
        if column["name"] in keys:
            # a member of the key that the image lacks is in the record's key
            is_outside = is_outside_image(column)
            text = f"if({is_outside}, {column_member('key_members', column)}, {text})"
            if column.get("layouts"):
                layout = f"if({is_outside}, _key_layout, _layout)"
        text_name = f"_text_{number}"
        unavailable = _is_unavailable(config, column, text_name)
        steps = steps_of(column, text, text_name, f"_prepared_{number}", "image", layout=layout)
        before = None
        if keeps_before:
            before_text = aligned_text("before_texts", column, names)
            before_name = f"_before_{number}"
            before = steps_of(column, before_text, before_name, f"_prepared{before_name}", "before")
        prepared = steps.prepared
        if unavailable is not None:
            prepared = f"case when ({unavailable}) is distinct from true then {prepared} end"
        value_name = f"_value_{number}"
        return StagedColumn(
            **{**vars(steps), "prepared": prepared},
            name=column["name"],
            exact_name=exact_text_name(column["name"]),
            value_name=value_name,
            before=before,
            unavailable=unavailable,
            undecodable=_is_undecodable(config, column, steps, value_name, unavailable),
            expected=f"{column['name']}: not a {column.get('semantic') or column['type']}: ",
        )

    return [staged(number, column) for number, column in enumerate(columns, 1)]


def decimals_record(config: Config, columns: Iterable[Column]) -> str | None:
    """Return SQL: the record, which shows whether a decimal of digits alone is a number or base64.

    None for columns of which none is a decimal.
    """
    kinds = {encoding_of(config, column)["kind"] for column in columns}
    return "concat_ws(' ', _record_key, _record_value)" if "decimal" in kinds else None


def value_problems(columns: Iterable[StagedColumn]) -> list[tuple[str, str]]:
    """Return what can be wrong with values: SQL conditions, with SQL for entries of `_cdc_errors`.

    A placeholder is no value.
    """
    return [
        (
            column.undecodable,
            f"concat({text_literal(column.expected)}, left({column.text_name}, 1000))",
        )
        for column in columns
        if column.undecodable is not None
    ]


def nulls_are_absent(config: Config) -> bool:
    """Return whether a NULL in a row image says no more than a member that is not there.

    A table has one set of columns for all records, so a record that is older than a column has a
    NULL there if it is read after the column was added, and nothing if it was read before. Without
    a schema of its own it must mean the same, or the rows would depend on when a record was read.
    """
    source_input = config.get("input") or {}
    nested = source_input.get("nested") or {}
    return source_input.get("type") == "table" and nested.get("types") == "none"


def image_text(config: Config, column: Column, names: Sequence[str], *, reads_before: bool) -> str:
    """Return SQL: the JSON text of a column in the row image.

    An update leaves a column with the placeholder as it was, so the value in a complete `before`
    counts (docs/semantics.md, unavailable values).
    """
    text = aligned_text("image_texts", column, names)
    is_unavailable = _is_unavailable(config, column, text)
    if not reads_before or is_unavailable is None:
        return text
    before = aligned_text("before_texts", column, names)
    return (
        f"case when op = 'u' and ({is_unavailable}) and ({has_column('before', column)})"
        f" and ({_is_unavailable(config, column, before)}) is distinct from true then {before}"
        f" else {text} end"
    )


def is_outside_image(column: Column) -> str:
    """Return a SQL condition: a record has a row image, and that lacks the column."""
    return f"not ({has_column('image', column)})"


def _steps_of(
    config: Config,
    column: Column,
    text: str,
    text_name: str,
    prepared_name: str,
    image: str,
    *,
    position: str,
    record: str | None,
    layout: str = "_layout",
) -> Steps:
    # A column that was dropped and added again under its name is another column: earlier records
    # contain nothing of it. `gone_until`: the position of the last change without it.
    gone_until = column.get("gone_until")
    is_of_dropped = (
        f"coalesce({position} <= {text_literal(gone_until)}, false)" if gone_until else None
    )
    if is_of_dropped:
        text = f"case when not {is_of_dropped} then {text} end"
    encoding = encoding_of(config, column)
    with_default = partial(_value_or_added_default, config, column, image, is_of_dropped)
    value = decode_recorded(config, column, text_name, prepared_name, layout, record)
    exact_text = None
    if encoding.get("exact_text"):
        exact_text = with_default(
            decode_recorded_text(config, column, text_name, prepared_name, layout), "string"
        )
    return Steps(
        text_name=text_name,
        text=text,
        prepared_name=prepared_name,
        prepared=prepare(config, column, text_name, record),
        value=with_default(value, encoding["spark_type"]),
        exact_text=exact_text,
    )


def _value_or_added_default(
    config: Config,
    column: Column,
    image: str,
    is_of_dropped: str | None,
    value: str,
    spark_type: str,
) -> str:
    """Return SQL: a value, or `added_default` for rows older than the column.

    A row image has all columns of its layout (spec §6.5): one that lacks the column, or has a
    dropped one, is older. So is the image of a row that an event removed from a table without a
    key: it must be that of the row that stands.
    """
    default = column.get("added_default")
    if default is None:
        return value
    is_older = f"not ({has_column(image, column)})"
    if nulls_are_absent(config):
        is_older += f" or {column_member(image, column)} is null"
    if is_of_dropped:
        is_older += f" or {is_of_dropped}"
    return (
        f"case when op in {_WITH_IMAGE[image]} and ({is_older})"
        f" then cast({text_literal(str(default))} as {spark_type}) else {value} end"
    )


def _is_unavailable(config: Config, column: Column, text: str) -> str | None:
    literals = [text_literal(form) for form in unavailable_forms(config, column)]
    if not literals:
        return None
    return f"{text} = {literals[0]}" if len(literals) == 1 else f"{text} in ({', '.join(literals)})"


def _is_undecodable(
    config: Config, column: Column, steps: Steps, value_name: str, unavailable: str | None
) -> str | None:
    """Return a SQL condition: a value came and did not decode.

    A companion column keeps what the Spark type cannot hold: only a text that is not even that
    counts.
    """
    encoding = encoding_of(config, column)
    if encoding["kind"] == "string":
        return None
    condition = f"{steps.text_name} is not null and {value_name} is null"
    if encoding.get("exact_text") == "beyond" and encoding["kind"] == "days":
        condition += f" and {steps.prepared_name} is null"
    elif encoding.get("exact_text") == "beyond" and encoding["kind"] == "iso_date":
        form = "'^[-+]?[0-9]{4,}-[0-9]{2}-[0-9]{2}Z?$'"
        condition += f" and not {steps.prepared_name} rlike {form}"
    if unavailable is None:
        return f"({condition})"
    return f"(({condition}) and ({unavailable}) is distinct from true)"
