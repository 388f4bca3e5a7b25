"""Decode keys and values to the text that Kafka Connect's JsonConverter writes.

They begin with the id of a schema. The registry shows whether the rest is Avro or, with a JSON
Schema, the text of the payload; a topic may have both.
"""

from __future__ import annotations

import base64
import operator
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.config.records import TEXT, AvroSettings
from dbt_debezium_spark.inputs.avro.cache import find_schemas
from dbt_debezium_spark.inputs.avro.connect_schema import connect_schema_text, optional_member
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.json_schema import connect_schema_of_json
from dbt_debezium_spark.inputs.avro.package import load_avro
from dbt_debezium_spark.inputs.avro.parsing import Avro, parse
from dbt_debezium_spark.inputs.avro.payload import TO_JSON, json_text
from dbt_debezium_spark.inputs.avro.reader_schema import END, END_BYTES, Shape, reader_schema
from dbt_debezium_spark.inputs.avro.registry import AVRO, JSON_SCHEMA, PROTOBUF, RegisteredSchema
from dbt_debezium_spark.text.progress import report

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

SIDES = ("key", "value")
HEADER_BYTES = 5
MAX_REASON_CHARACTERS = 200
_MAGIC = b"\x00"
_END_TEXT = f',"{END}":"{base64.b64encode(END_BYTES).decode()}"}}'
_HEADER, _BODY, _TEXT = "_avro_{}_header", "_avro_{}_body", "_avro_{}_text"
_NOT_PROTOBUF = (
    "is in Protobuf, which is not read: let the connector write JSON (JsonConverter), Avro"
    " (AvroConverter) or JSON Schema (JsonSchemaConverter)"
)
# A body that does not match its schema becomes null, instead of an error that ends the run.
_OPTIONS = {"mode": "PERMISSIVE"}


@dataclass(frozen=True)
class _Decoder:
    """A decoder of one schema, or a `problem` for a schema that cannot be decoded.

    Attributes:
        connect_schema: the Connect schema, as JSON text.
        reader_schema: Spark's schema of a body in Avro.
        shape: form of its values; None for a body that is JSON.
        problem: why it cannot be decoded.
    """

    connect_schema: str = ""
    reader_schema: str = ""
    shape: Shape | None = None
    problem: str | None = None

    @property
    def reads_json(self) -> bool:
        """Whether the body is the text of the payload."""
        return self.shape is None and self.problem is None


def decode(
    session: SparkSession,
    records: DataFrame,
    *,
    settings: AvroSettings,
    table: str,
    file_format: str,
) -> DataFrame:
    """Return records with key and value as JSON text with embedded schemas.

    Records are read twice, first for the ids of their schemas. So a caller should persist records
    that are expensive to read (Kafka). The second reading is lazy, and without Python workers.

    Args:
        session: Spark.
        records: `topic`, `partition`, `offset`, `key` and `value` as bytes, and any other columns,
            which stay as they are. A record with a `reason` is not decoded.
        settings: the registry, and the sides in Avro.
        table: quoted name of the table that caches schemas, `raw_<source>__schemas`.
        file_format: file format of that table.

    Returns:
        The same columns in the same order, `key` and `value` as strings, and `reason`: null, or the
        reason why key or value cannot be decoded; then both are null. Null stays null, and empty
        stays empty.

    Raises:
        RegistryError: a schema is not in the table, and the registry does not return it.
        ConfigError: the registry's secrets are not in the environment.
        TypeError: a key or value in Avro is not binary.
    """
    sides = [side for side in SIDES if side == "value" or settings.key != TEXT]
    for side in sides:
        kind = records.schema[side].dataType
        if not isinstance(kind, T.BinaryType):
            raise TypeError(
                f"debezium_spark: records in Avro need `{side}` as bytes, but it is of type "
                f"{kind.simpleString()}. Land them from Kafka, from Parquet files or from a table "
                "with binary columns, or remove `avro` from the source."
            )
    columns = [name for name in records.columns if name != "reason"]
    reason = F.col("reason") if "reason" in records.columns else F.lit(None).cast("string")
    framed = _with_frames(records.withColumn("reason", reason), sides)
    needed_by = _first_records(framed, sides)
    schemas = find_schemas(
        session,
        needed_by,
        settings=settings,
        table=table,
        file_format=file_format,
    )
    decoders = {schema.id: _decoder(schema) for schema in schemas.values()}
    for schema_id, decoder in sorted(decoders.items()):
        if decoder.problem == _NOT_PROTOBUF:
            report(f"schema id {schema_id}, which {needed_by[schema_id]} needs, {_NOT_PROTOBUF}")
    if any(decoder.shape is not None for decoder in decoders.values()):
        load_avro(session)

    try:
        texts = _texts(framed, sides, decoders)
    except Exception:  # of py4j or Spark: Avro's parser refuses one of the schemas
        checked = {
            number: _checked_decoder(session, decoder) for number, decoder in decoders.items()
        }
        if checked == decoders:
            raise
        decoders = checked
        texts = _texts(framed, sides, decoders)
    decoded = texts.withColumn(
        "reason",
        F.coalesce("reason", *[_reason(side, decoders) for side in sides], _bad_key(sides)),
    )
    is_decoded = F.col("reason").isNull()
    results = {side: F.when(is_decoded, _result(side, sides)).alias(side) for side in SIDES}
    return decoded.select(
        *[results.get(name, F.col(f"`{name}`")) for name in columns], F.col("reason")
    )


def _with_frames(records: DataFrame, sides: Iterable[str]) -> DataFrame:
    """Add the header of each side, null without one, and its body."""
    parts = []
    for side in sides:
        value = F.col(side)
        is_framed = (
            F.col("reason").isNull()
            & (F.octet_length(value) >= HEADER_BYTES)
            & (F.substring(value, 1, 1) == F.lit(_MAGIC))
        )
        header = F.when(is_framed, F.substring(value, 1, HEADER_BYTES))
        parts.append(header.alias(_HEADER.format(side)))
        # Spark reads another end if the body is shorter or longer than in its schema.
        body = F.concat(F.substr(value, F.lit(HEADER_BYTES + 1)), F.lit(END_BYTES))
        parts.append(body.alias(_BODY.format(side)))
    return records.select("*", *parts)


def _first_records(framed: DataFrame, sides: Iterable[str]) -> dict[int, str]:
    """Return all schema ids in records, each with a text about its first record."""
    headers = [_HEADER.format(side) for side in sides]
    first: dict[int, str] = {}
    # Sorted, so that the first record of an id is its earliest one.
    rows = (
        framed.where(reduce(operator.or_, [F.col(name).isNotNull() for name in headers]))
        .groupBy(*headers)
        .agg(F.min(F.struct("topic", "partition", "offset")).alias("place"))
        .orderBy("place")
        .collect()
    )
    for row in rows:
        for side, header in zip(sides, headers, strict=True):
            if row[header] is not None:
                place = row.place
                first.setdefault(
                    int.from_bytes(row[header][1:], "big"),
                    f"the {side} of {place.topic} partition {place.partition} "
                    f"offset {place.offset}",
                )
    return first


def _decoder(schema: RegisteredSchema) -> _Decoder:
    if schema.problem is not None:
        return _Decoder(problem=schema.problem)
    if schema.type == PROTOBUF:
        return _Decoder(problem=_NOT_PROTOBUF)
    if schema.type not in (AVRO, JSON_SCHEMA):
        return _Decoder(problem=f"is a schema in {schema.type}, not in Avro or JSON Schema")
    try:
        if schema.type == JSON_SCHEMA:
            return _Decoder(connect_schema_of_json(schema.text, schema.referenced))
        tree = parse(schema.text, schema.referenced)
        if tree.type == "bytes":
            raise UnsupportedSchema("it is of bytes, which serializers write without their length")
        text, shape = reader_schema(tree)
        return _Decoder(connect_schema_text(tree), text, shape)
    except UnsupportedSchema as error:
        return _Decoder(problem=f"cannot be written as JSON: {error}")


def _texts(framed: DataFrame, sides: Iterable[str], decoders: Mapping[int, _Decoder]) -> DataFrame:
    texts = framed.select("*", *[_text(side, decoders).alias(_TEXT.format(side)) for side in sides])
    # A Spark Connect session checks the schemas only when it needs the columns.
    _ = texts.schema
    return texts


def _checked_decoder(session: SparkSession, decoder: _Decoder) -> _Decoder:
    """Return the decoder, with a problem if Spark cannot read its schema."""
    if decoder.shape is None:
        return decoder
    try:
        _ = session.range(0).select(_read(F.lit(b""), decoder)).schema
    except Exception as error:  # of py4j or Spark
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        causes = [line for line in lines if "SchemaParseException" in line] or lines[:1]
        return _Decoder(
            problem=f"cannot be read by Spark: {''.join(causes[:1])[:MAX_REASON_CHARACTERS]}"
        )
    return decoder


def _read(body: Column, decoder: _Decoder) -> Column:
    return from_avro(body, decoder.reader_schema)


def from_avro(body: Column, schema: str) -> Column:
    """Return bytes as Spark's Avro reads them, null if they do not match the schema."""
    options = F.create_map(*[F.lit(option) for pair in _OPTIONS.items() for option in pair])
    return F.call_function("from_avro", body, F.lit(schema), options)


def connect_text(value: Column, tree: Avro, shape: Shape) -> Column:
    """Return a decoded value as Connect writes it, null for null.

    Text and bytes alone are what the converter of the record wrote; any other value becomes JSON
    with its schema.

    Args:
        value: a value that Spark read with the schema of `reader_schema`.
        tree: its type.
        shape: its form in JSON.

    Raises:
        UnsupportedSchema: Connect has no such schema.
    """
    member = optional_member(tree) or tree
    if member.type in ("string", "bytes", "enum") and not member.logical_type:
        return value.cast("string")
    schema = connect_schema_text(tree)
    is_row = shape.is_plain and member.type == "record"
    payload = F.to_json(value, TO_JSON) if is_row else json_text(value, shape)
    text = F.concat(F.lit(f'{{"schema":{schema},"payload":'), payload, F.lit("}"))
    return F.when(value.isNotNull(), text)


def _text(side: str, decoders: Mapping[int, _Decoder]) -> Column:
    """Return the JSON text of a side, with the end that `_result` checks and removes."""
    header, body = F.col(_HEADER.format(side)), F.col(_BODY.format(side))
    text: Column | None = None
    for schema_id, decoder in sorted(decoders.items()):
        if decoder.problem is not None:
            continue
        if decoder.shape is None:
            printed = _with_payload(side, decoder.connect_schema)
        else:
            read = _read(body, decoder)
            if decoder.shape.is_plain:
                payload = F.to_json(read, TO_JSON)
            else:
                payload = _printed_once(read, decoder.shape)
            printed = F.concat(
                F.lit(f'{{"schema":{decoder.connect_schema},'), F.substr(payload, F.lit(2))
            )
        is_this = header == F.lit(_header(schema_id))
        text = F.when(is_this, printed) if text is None else text.when(is_this, printed)
    return F.lit(None).cast("string") if text is None else text


def _with_payload(side: str, connect_schema: str) -> Column:
    """Return the text of a body that is JSON; null unless it is one JSON value.

    A body is a stranger's text: `1},"schema":{` would end the object and begin another. No body can
    know the name of the member that has to follow it.
    """
    body = F.substr(F.col(side), F.lit(HEADER_BYTES + 1)).cast("string")
    after = uuid.uuid4().hex
    whole = F.concat(F.lit('{"payload":'), body, F.lit(f',"{after}":0}}'))
    members = F.json_object_keys(whole)
    is_one_value = F.is_valid_utf8(body) & (members == F.array(F.lit("payload"), F.lit(after)))
    text = F.concat(F.lit(f'{{"schema":{connect_schema},"payload":'), body, F.lit(_END_TEXT))
    return F.when(is_one_value, text)


def _printed_once(read: Column, shape: Shape) -> Column:
    # A lambda names the decoded value, so that Spark decodes it once: SQL has no local names.
    return F.transform(F.array(read), lambda decoded: json_text(decoded, shape))[0]


def _header(schema_id: int) -> bytes:
    return _MAGIC + schema_id.to_bytes(HEADER_BYTES - 1, "big")


def _reason(side: str, decoders: Mapping[int, _Decoder]) -> Column:
    """Return the reason why a side cannot be decoded, null if it can."""
    value, header, text = F.col(side), F.col(_HEADER.format(side)), F.col(_TEXT.format(side))
    begins = F.lower(F.hex(F.substring(value, 1, HEADER_BYTES)))
    reason = F.when(value.isNull() | (F.octet_length(value) == 0), F.lit(None)).when(
        header.isNull(),
        F.concat(
            F.lit(f"bad_value: {side}: not Avro with a schema id: "),
            F.octet_length(value).cast("string"),
            F.lit(" bytes that begin with 0x"),
            begins,
        ),
    )
    for schema_id, decoder in sorted(decoders.items()):
        is_this = header == F.lit(_header(schema_id))
        if decoder.problem == _NOT_PROTOBUF:
            of_topic = F.concat(
                F.lit(f"bad_value: {side}: schema id {schema_id} of topic "),
                F.col("topic"),
                F.lit(f" {_NOT_PROTOBUF}"),
            )
            reason = reason.when(is_this, of_topic)
        elif decoder.problem is not None:
            reason = reason.when(
                is_this, F.lit(f"bad_value: {side}: schema id {schema_id} {decoder.problem}")
            )
        elif decoder.reads_json:
            reason = reason.when(
                is_this & text.isNull(),
                F.lit(f"bad_value: {side}: not one JSON value after schema id {schema_id}"),
            )
    return reason.when(
        text.isNull() | ~text.endswith(_END_TEXT),
        F.concat(
            F.lit(f"bad_value: {side}: not what its schema describes: schema id "),
            F.conv(F.hex(F.substr(header, F.lit(2))), 16, 10),
        ),
    )


def _bad_key(sides: Iterable[str]) -> Column:
    """Return the reason why a key that is text cannot land."""
    if "key" in sides:
        return F.lit(None).cast("string")
    return F.when(F.expr("not is_valid_utf8(cast(key as string))"), "bad_value: key: not UTF-8")


def _result(side: str, sides: Iterable[str]) -> Column:
    """Return the text of a side without the end; null and empty stay as they are."""
    plain = F.col(side).cast("string")
    if side not in sides:
        return plain
    text = F.col(_TEXT.format(side))
    whole = F.concat(F.substr(text, F.lit(1), F.char_length(text) - len(_END_TEXT)), F.lit("}"))
    return F.when(F.octet_length(F.col(side)) == 0, plain).otherwise(whole)
