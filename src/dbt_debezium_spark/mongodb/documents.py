"""The fold of all documents of a collection with Spark, each in the order of its events.

Spark groups events by key and sorts them on disk, and Python reads them one after another. Its
memory contains one document, one batch of events and one batch of result rows, so a collection may
be larger than the memory of all machines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.decode.document_fields import DECIMAL
from dbt_debezium_spark.mongodb.fields import Field, read_fields, typed_values
from dbt_debezium_spark.mongodb.walk import DOCUMENT, Change, Walk
from dbt_debezium_spark.text.sql_text import quoted_name

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

# Maximal size of a batch between Spark and Python. A document can have 16 MB.
MAX_BATCH_ROWS = 2_000
MAX_BATCH_BYTES = 16 * 1024 * 1024

Columns = list[tuple[str, str]]  # names and types of Spark


def columns_of(text: str) -> Columns:
    """Return the columns of a text such as `a string, b int`."""
    return [(name, kind) for name, kind in (column.split() for column in text.split(","))]


_HEAD = columns_of("_cdc_key string, _cdc_batch_id bigint, _id string, document string")
# what a walk goes on from, besides the document
FOLD_COLUMNS = columns_of(
    "_cdc_fold_mark string, _cdc_fold_last_incarnation int, _cdc_fold_last_topic string,"
    " _cdc_fold_last_partition int, _cdc_fold_last_offset bigint,"
    " _cdc_fold_last_timestamp timestamp, _cdc_fold_last_op string,"
    " _cdc_fold_tombstone_at timestamp, _cdc_fold_is_moved boolean,"
    " _cdc_fold_replays bigint, _cdc_fold_unexplained bigint, _cdc_fold_first_unexplained string,"
    " _cdc_marks string"
)
_TAIL = (
    columns_of(
        "_cdc_op string, _cdc_is_deleted boolean, _cdc_pos string, _cdc_source_at timestamp,"
        " _cdc_unavailable array<string>"
    )
    + FOLD_COLUMNS
    + columns_of("_cdc_deleted_at timestamp, _cdc_landed_at timestamp")
)


@dataclass(frozen=True)
class Plan:
    """The plan of one run.

    Attributes:
        frame: events grouped by key, in the order of their arrival.
        is_replaced: whether all events are folded and the table is replaced.
        highest: the new watermark.
        marks: state for the next run.
        newest: the latest time at the source of the new events, in microseconds.
    """

    frame: DataFrame
    is_replaced: bool
    highest: int | None
    marks: dict[str, Any]
    newest: int | None = None


def plan_fold(session: SparkSession, staged: DataFrame, context: Mapping[str, Any]) -> Plan | None:
    """Return the plan for events staged since the last run; None if there are none.

    Args:
        session: the session of the model.
        staged: the staged events, which get the view that the SQL reads.
        context: values of the materialization: `staging`, `has_state`, `checkpoint`,
            `configuration` and `sql`.
    """
    sql, has_state = context["sql"], context["has_state"]
    staged.createOrReplaceTempView(context["staging"])
    profile = session.sql(sql["profile"]).collect()[0]
    if has_state and profile["highest"] is None:
        return None
    # what another run stages meanwhile is left to the next one
    found = staged.where(f"_cdc_batch_id <= {profile['highest'] or 0}")
    found.createOrReplaceTempView(context["staging"])
    events = "events"
    if has_state:
        # Small, and read twice: if it is empty, the log is not read at all. No cache: Spark would
        # compute it anew after the state is written, and keep it.
        refolded_keys = session.sql(sql["refolded_keys"]).localCheckpoint()
        if not refolded_keys.isEmpty():
            refolded_keys.createOrReplaceTempView("refolded_keys")
            events = "events_with_refolds"
    return Plan(
        session.sql(sql[events]),
        not has_state,
        profile["highest"],
        {"configuration": context["configuration"]},
        profile["newest"],
    )


def state_rows(session: SparkSession, plan: Plan, fields: Sequence[Field]) -> DataFrame:
    """Return the rows of the state: one per touched key, and one with the watermark."""
    columns = state_columns(fields)
    fields = tuple(fields)
    walk = walker(lambda events: document_rows(events, fields), columns)
    documents = plan.frame.mapInArrow(walk, spark_schema(columns))
    return documents.unionByName(
        watermark_row(session, plan, _cdc_is_deleted=True), allowMissingColumns=True
    )


def watermark_row(session: SparkSession, plan: Plan, **values: Any) -> DataFrame:
    """Return the row that remembers what was folded; `values`: of further columns."""
    from pyspark.sql import functions as f

    return session.range(1).select(
        f.lit("!watermark").alias("_cdc_key"),
        f.lit(plan.highest).cast("bigint").alias("_cdc_batch_id"),
        f.lit(json.dumps(plan.marks)).alias("_cdc_marks"),
        *(f.lit(value).alias(name) for name, value in values.items()),
    )


def state_columns(fields: Sequence[Field]) -> Columns:
    """Return the columns of a state of documents."""
    typed = [(field.name, field.spark_type) for field in fields]
    return [*_HEAD, *typed, *_TAIL]


def fold(session: SparkSession, staged: DataFrame, context: Mapping[str, Any]) -> None:
    """Bring the state of a collection up to date.

    Args:
        session: the session of the model.
        staged: the staged events.
        context: values of the materialization `debezium_documents`.
    """
    limit_batches(session)
    plan = plan_fold(session, staged, context)
    if plan is None:
        return
    _write(session, plan, context)


def limit_batches(session: SparkSession) -> None:
    """Limit the batches of events that Python gets."""
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(MAX_BATCH_ROWS))
    session.conf.set("spark.sql.execution.arrow.maxBytesPerBatch", str(MAX_BATCH_BYTES))


def _write(session: SparkSession, plan: Plan, context: Mapping[str, Any]) -> None:
    rows = state_rows(session, plan, read_fields(context["fields"]))
    rows.createOrReplaceTempView("debezium_folded_documents")
    table = context["table"]
    if plan.is_replaced:
        session.sql(
            f"{context['create']} {table}\n{context['clauses']}\nas"
            f" select * from debezium_folded_documents where {not context['is_empty']}"
        )
        return
    settings = [
        f"{name} = {context['checked_batch'] if name == '`_cdc_batch_id`' else source}"
        for name in map(quoted_name, rows.columns)
        for source in [f"debezium_source.{name}"]
    ]
    session.sql(
        f"merge into {table} as debezium_target"
        " using debezium_folded_documents as debezium_source"
        " on debezium_target._cdc_key = debezium_source._cdc_key"
        f" when matched then update set {', '.join(settings)} when not matched then insert *"
    )


def walker(
    rows_of: Callable[[Iterator[dict[str, Any]]], Iterator[dict[str, Any]]], columns: Columns
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that turns the sorted events of a partition into result rows."""

    def walk_partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, Any]] = []
        size = 0
        for row in rows_of(_events(batches)):
            rows.append(row)
            size += len(row.get("document") or "")
            if len(rows) >= MAX_BATCH_ROWS or size >= MAX_BATCH_BYTES:
                yield _batch(rows, columns)
                rows, size = [], 0
        if rows:
            yield _batch(rows, columns)

    return walk_partition


def spark_schema(columns: Columns) -> str:
    """Return columns as Spark reads them."""
    return ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, kind in columns)


def document_rows(
    events: Iterator[dict[str, Any]], fields: Sequence[Field]
) -> Iterator[dict[str, Any]]:
    """Fold events that are grouped by key, in arrival order; yield a row for each key."""
    document: DocumentFold | None = None
    for event in events:
        if document is None or document.walk.key != event["row_key"]:
            if document is not None:
                yield document.row(fields)
            document = DocumentFold(event["row_key"])
        document.take(event)
    if document is not None:
        yield document.row(fields)


class DocumentFold:
    """The walk of one key, with further columns of its row."""

    def __init__(self, key: str) -> None:
        """Begin before the first event."""
        self.walk = Walk(key)
        self._last: dict[str, Any] = {}
        self._winner: dict[str, Any] = {}
        self._batch_id = 0
        self._landed_at: Any = None

    def take(self, event: dict[str, Any]) -> bool:
        """Take the next event, or the state of an earlier run; return whether it was applied."""
        self._batch_id = max(self._batch_id, event["batch_id"] or 0)
        if self._batch_id == event["batch_id"]:
            self._landed_at = event["landed_at"]
        columns = {name: value for name, value in event.items() if name not in _TEXTS}
        if event["kind"] == "state":
            self.walk.resume(
                document=event["after"],
                incomplete=event["is_incomplete"],
                mark=event["position"],
                last_op=event["last_op"],
                tombstone_at=event["tombstone_at"],
                replays=event["replays"],
                unexplained=event["unexplained"],
                first_unexplained=event["first_unexplained"],
            )
            is_applied = True
        else:
            change = Change(**{name: event[name] for name in Change.__slots__})
            self.walk.take(change, may_be_repeated=event["may_repeat"])
            is_applied = self.walk.winner is change
        if is_applied:
            self._winner = columns
        self._last = columns
        return is_applied

    def content(self, fields: Sequence[Field]) -> tuple[str | None, dict[str, Any], list[str]]:
        """Return the document's text, its typed columns, and the columns that it lacks."""
        walk = self.walk
        text = walk.document_text()
        if text is None:
            return None, {}, []
        values, unavailable = typed_values(walk.document(), fields)
        return text, values, [DOCUMENT, *unavailable] if walk.incomplete else unavailable

    def row(self, fields: Sequence[Field]) -> dict[str, Any]:
        """Return the row of the state."""
        text, values, unavailable = self.content(fields)
        walk, last, winner = self.walk, self._last, self._winner
        return values | {
            "_cdc_key": walk.key,
            "_id": walk.key,
            "document": text,
            "_cdc_is_deleted": not walk.alive,
            "_cdc_source_at": winner.get("source_at"),
            "_cdc_unavailable": unavailable or None,
            "_cdc_deleted_at": self._deleted_at(),
            "_cdc_landed_at": self._landed_at,
            "_cdc_batch_id": self._batch_id,
            "_cdc_op": winner.get("op"),
            "_cdc_pos": winner.get("pos"),
            "_cdc_fold_mark": walk.mark,
            "_cdc_fold_last_incarnation": last["incarnation"],
            "_cdc_fold_last_topic": last["topic"],
            "_cdc_fold_last_partition": last["partition"],
            "_cdc_fold_last_offset": last["offset"],
            "_cdc_fold_last_timestamp": last["timestamp"],
            "_cdc_fold_last_op": walk.last_op,
            "_cdc_fold_tombstone_at": walk.tombstone_at,
            "_cdc_fold_is_moved": last["is_moved"],
            "_cdc_fold_replays": walk.replays,
            "_cdc_fold_unexplained": walk.unexplained,
            "_cdc_fold_first_unexplained": walk.first_unexplained,
            "_cdc_marks": None,
        }

    def _deleted_at(self) -> Any:
        """Return when the document was deleted; a tombstone says no time of the source."""
        winner = self._winner
        if self.walk.alive:
            return None
        if winner.get("kind") == "state":
            return winner.get("deleted_at")
        return winner.get("timestamp" if winner.get("op") == "tombstone" else "source_at")


_TEXTS = ("after", "before", "patch", "update_description")


def _events(batches: Iterator[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        names = batch.schema.names
        columns = [batch.column(index) for index in range(len(names))]
        for place in range(batch.num_rows):
            # Value by value, so that only one document at a time becomes a Python object.
            yield {name: column[place].as_py() for name, column in zip(names, columns, strict=True)}


def _batch(rows: Sequence[Mapping[str, Any]], columns: Columns) -> pa.RecordBatch:
    import pyarrow as pa

    schema = pa.schema([(name, _arrow_type(kind)) for name, kind in columns])
    return pa.RecordBatch.from_arrays(
        [pa.array([row.get(column.name) for row in rows], column.type) for column in schema],
        schema=schema,
    )


def _arrow_type(kind: str) -> pa.DataType:
    import pyarrow as pa

    decimal = DECIMAL.fullmatch(kind)
    if decimal is not None:
        return pa.decimal128(int(decimal[1]), int(decimal[2]))
    return {
        "string": pa.string(),
        "int": pa.int32(),
        "bigint": pa.int64(),
        "double": pa.float64(),
        "boolean": pa.bool_(),
        "timestamp": pa.timestamp("us", tz="UTC"),
        "date": pa.date32(),
        "binary": pa.binary(),
        "array<string>": pa.list_(pa.string()),
    }[kind]
