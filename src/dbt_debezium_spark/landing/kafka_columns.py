"""Where Kafka's columns are in somebody else's rows: their own names, or members of structs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.config.table_input import KAFKA_COLUMNS
from dbt_debezium_spark.flattened.recognised import row_columns
from dbt_debezium_spark.landing.nested.records import envelope_columns, has_envelope
from dbt_debezium_spark.landing.row_rules import REQUIRED_COLUMNS
from dbt_debezium_spark.text.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# What writers of Kafka records into tables call these columns. A layout counts where a table has
# its offset and no column `offset`.
LAYOUTS: tuple[Mapping[str, str], ...] = (
    # Redpanda's Iceberg topics
    {
        "partition": "redpanda.partition",
        "offset": "redpanda.offset",
        "timestamp": "redpanda.timestamp",
        "timestampType": "redpanda.timestamp_type",
        "key": "redpanda.key",
        "headers": "redpanda.headers",
    },
    # Confluent's Tableflow
    {
        "topic": "$$topic",
        "partition": "$$partition",
        "offset": "$$offset",
        "timestamp": "$$timestamp",
        "timestampType": "$$timestamp-type",
        "key": "$$raw-key",
        "value": "$$raw-value",
        "headers": "$$headers",
    },
    # KafkaMetadataTransform of Iceberg's sink for Kafka Connect, and AutoMQ's tables
    {
        "topic": "_kafka_metadata.topic",
        "partition": "_kafka_metadata.partition",
        "offset": "_kafka_metadata.offset",
        "timestamp": "_kafka_metadata.timestamp",
    },
    # the same without `nested`
    {
        "topic": "_kafka_metadata_topic",
        "partition": "_kafka_metadata_partition",
        "offset": "_kafka_metadata_offset",
        "timestamp": "_kafka_metadata_timestamp",
    },
)


class ColumnProblem(ValueError):
    """Rows lack one of Kafka's columns."""

    def __init__(self, before: str, after: str, remedy: str) -> None:
        """Create the reason.

        Args:
            before: the sentence before the name of the table or file.
            after: the sentence behind it.
            remedy: what to do, without a full stop.
        """
        super().__init__(f"{before}it{after}. {remedy}.")
        self._before, self._after, self._remedy = before, after, remedy

    def of(self, place: str) -> str:
        """Return the reason with the name of a table."""
        return f"{self._before}{place}{self._after}. {self._remedy}."

    def error(self, source: str, relation: str) -> ValueError:
        """Return the error for the only relation of a source."""
        return ValueError(f"debezium_spark: source `{source}`: {self.of(relation)}")


@dataclass(frozen=True)
class KafkaColumns:
    """Kafka's columns in rows of one schema.

    Attributes:
        columns: by our name the parts of theirs.
        topic: the topic of all rows; None if they have a column with it.
        row: columns of the flattened row that is the value; none if it is something else.
    """

    columns: Mapping[str, tuple[str, ...]]
    topic: str | None = None
    row: tuple[str, ...] = ()

    def column(self, name: str) -> Column:
        """Return one of the columns."""
        if name == "topic" and self.topic is not None:
            return F.lit(self.topic)
        first, *members = self.columns[name]
        column = F.col(quoted_name(first))
        for member in members:
            column = column.getField(member)
        return column

    def select(self, rows: DataFrame, more: Sequence[Column] = ()) -> DataFrame:
        """Return rows with our names, and with the members of the value if they are columns.

        Args:
            rows: the rows.
            more: further columns.
        """
        names = [name for name in KAFKA_COLUMNS if self._has(name)]
        columns = [self.column(name).alias(name) for name in names]
        if self.row:
            columns.append(
                F.struct(*[F.col(quoted_name(name)) for name in self.row]).alias("value")
            )
        elif "value" not in names:
            columns += [F.col(quoted_name(name)) for name in envelope_columns(rows.schema)]
        return rows.select(*columns, *more)

    def schema(self, schema: T.StructType) -> T.StructType:
        """Return the schema of the rows that `select` returns, of those with a type in theirs."""
        fields = [
            T.StructField(name, _type_of(schema, path)) for name, path in self.columns.items()
        ]
        if self.row:
            row = T.StructType([schema[name] for name in self.row])
            fields.append(T.StructField("value", row, nullable=False))
        elif "value" not in self.columns:
            fields += [schema[name] for name in envelope_columns(schema)]
        return T.StructType(fields)

    def _has(self, name: str) -> bool:
        return name in self.columns or (name == "topic" and self.topic is not None)


def kafka_columns(
    schema: T.StructType,
    mapping: Mapping[str, str],
    topic: str | None = None,
    *,
    is_default_topic: bool = False,
) -> KafkaColumns:
    """Find Kafka's columns.

    Args:
        schema: of the rows.
        mapping: configured names; each must exist.
        topic: topic of all rows.
        is_default_topic: whether a column with topics comes before `topic`.

    Raises:
        ColumnProblem: a column does not exist.
    """
    found: dict[str, tuple[str, ...]] = {}
    row = row_columns(schema.names)
    # A flattened row may have columns with Kafka's names.
    is_apart = bool(row) and "offset" not in mapping and _top_level(schema, "offset") is None
    for name in KAFKA_COLUMNS:
        if name in mapping:
            path = path_in(schema, mapping[name])
        elif is_apart:
            path = None
        else:
            path = _top_level(schema, name)
        if path is not None:
            found[name] = path
        elif name in mapping:
            raise ColumnProblem(
                f"`input.columns.{name}` is `{mapping[name]}`, which ",
                " does not have",
                f"It has: {_names(schema)}",
            )
    if "offset" not in found:
        _add_layout(found, schema)
    has_value = has_envelope(schema)
    if row and "value" not in mapping:
        found.pop("value", None)
        has_value = True
    if is_default_topic and "topic" in found:
        topic = None
    missing = [
        name
        for name in REQUIRED_COLUMNS
        if name not in found
        and not (name == "topic" and topic is not None)
        and not (name == "value" and has_value)
    ]
    if missing:
        raise _missing(missing[0], schema, is_row=bool(row))
    if not has_value or "value" in found:
        return KafkaColumns(found, topic)
    places = {path[0] for path in found.values()}
    return KafkaColumns(found, topic, tuple(name for name in row if name not in places))


def _missing(name: str, schema: T.StructType, *, is_row: bool) -> ColumnProblem:
    cdc = _field(schema, "_cdc")
    if not is_row and cdc is not None and isinstance(cdc.dataType, T.StructType):
        return ColumnProblem(
            "",
            " has rows of Iceberg's DebeziumTransform (`_cdc`), which do not show where a change"
            " lies in the source's log",
            "Configure ExtractNewRecordState in its place (docs/flattened.md). It has:"
            f" {_names(schema)}",
        )
    if is_row:
        return ColumnProblem(
            "",
            f" has flattened rows and no column `{name}`",
            "Give each row a topic, a partition, and an offset that is unique and grows, in a view"
            f" (docs/flattened.md), or map it: input.columns.{name}. It has: {_names(schema)}",
        )
    return ColumnProblem(
        "", f" has no column `{name}`", f"Map it: input.columns.{name}. It has: {_names(schema)}"
    )


def path_in(schema: T.StructType, name: str) -> tuple[str, ...] | None:
    """Return the parts of a column's name, or of the name of a member: `redpanda.offset`.

    Letters match in both cases. A column that has dots in its name comes first.
    """
    path = _top_level(schema, name)
    if path is not None:
        return path
    for end in (position for position, letter in enumerate(name) if letter == "."):
        column = _field(schema, name[:end])
        if column is not None and isinstance(column.dataType, T.StructType):
            inner = path_in(column.dataType, name[end + 1 :])
            if inner is not None:
                return (column.name, *inner)
    return None


def _add_layout(found: dict[str, tuple[str, ...]], schema: T.StructType) -> None:
    for layout in LAYOUTS:
        if path_in(schema, layout["offset"]) is None:
            continue
        for name, theirs in layout.items():
            path = path_in(schema, theirs)
            if name in found or path is None:
                continue
            if name != "value" or not has_envelope(schema):
                found[name] = path
        return


def _top_level(schema: T.StructType, name: str) -> tuple[str, ...] | None:
    field = _field(schema, name)
    return None if field is None else (field.name,)


def _field(schema: T.StructType, name: str) -> T.StructField | None:
    wanted = name.lower()
    return next((field for field in schema.fields if field.name.lower() == wanted), None)


def _type_of(schema: T.StructType, path: tuple[str, ...]) -> T.DataType:
    kind: T.DataType = schema
    for name in path:
        assert isinstance(kind, T.StructType)
        kind = kind[name].dataType
    return kind


def _names(schema: T.StructType) -> str:
    return ", ".join(schema.names)
