"""The history of a collection: every version of its documents (docs/history.md).

Documents are walked as their state is (`documents.py`); what each step leaves is a version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.mongodb.documents import (
    Columns,
    DocumentFold,
    Plan,
    limit_batches,
    plan_fold,
    spark_schema,
    walker,
    watermark_row,
)
from dbt_debezium_spark.mongodb.fields import Field, read_fields
from dbt_debezium_spark.mongodb.lives import Content, HistoryOptions, Lives, Step

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_HOW = {"c": "insert", "u": "update", "r": "read", "d": "delete"}
KEPT = "kept_versions"


@dataclass(frozen=True)
class Written:
    """What a run writes.

    Attributes:
        rows: rows of the table; of those that are not all, `_cdc_write` says how each is written.
        is_replaced: whether they are all rows of the table.
        statements: what to run then, each with a condition under which it has something to do.
    """

    rows: DataFrame
    is_replaced: bool
    statements: Sequence[tuple[str, str]] = ()


def keep_versions(session: SparkSession, staged: DataFrame, context: Mapping[str, Any]) -> None:
    """Bring the history of a collection up to date.

    Args:
        session: the session of the model.
        staged: the staged events.
        context: values of the materialization `debezium_document_versions`.
    """
    limit_batches(session)
    written = plan_versions(session, staged, context)
    if written is None:
        return
    _write(session, written, context)


def plan_versions(
    session: SparkSession, staged: DataFrame, context: Mapping[str, Any]
) -> Written | None:
    """Return what a run writes; None if no events were staged since the last run."""
    plan = plan_fold(session, staged, context)
    if plan is None:
        return None
    newest = [
        mark for mark in (plan.newest, context["checkpoint"].get("newest")) if mark is not None
    ]
    plan = replace(plan, marks={**plan.marks, "newest": max(newest, default=None)})
    oldest = _oldest(session, context["options"].get("keep"), plan.marks["newest"])
    rows = _kept(version_rows(session, plan, context), context, oldest)
    if not context["has_state"]:
        return Written(rows, is_replaced=True)
    statements = () if oldest is None else _expiry(context["table"], context["last_of"], oldest)
    # Both halves of a MERGE read the rows. No cache: Spark would compute it anew afterwards.
    rows.localCheckpoint().createOrReplaceTempView(KEPT)
    rows = session.sql(context["sql"]["changed"])
    return Written(rows, False, statements)


def version_rows(session: SparkSession, plan: Plan, context: Mapping[str, Any]) -> DataFrame:
    """Return the rows of the table: of touched documents, and one with the watermark."""
    from pyspark.sql import functions as f

    columns: Columns = [(column[0], column[1]) for column in context["columns"]]
    fields = tuple(read_fields(context["fields"]))
    tracked = context["tracked"]
    options = HistoryOptions(
        every_change=context["options"].get("within_transaction") == "all",
        tracked=None if tracked is None else tuple(tracked),
        deleted_rows=bool(context["options"].get("deleted_rows")),
    )
    walk = walker(lambda events: document_versions(events, fields, options), columns)
    versions = plan.frame.mapInArrow(walk, spark_schema(columns)).withColumn(
        "_cdc_batch_id", f.lit(plan.highest).cast("bigint")
    )
    watermark = watermark_row(session, plan, _cdc_scd_id="!watermark")
    rows = versions.unionByName(watermark, allowMissingColumns=True)
    return rows.withColumn("_cdc_marks", f.expr(context["sql"]["marks"]))


def document_versions(
    events: Iterator[dict[str, Any]], fields: Sequence[Field], options: HistoryOptions
) -> Iterator[dict[str, Any]]:
    """Walk events that are grouped by key, in arrival order; yield the rows of each document."""
    document: _DocumentVersions | None = None
    for event in events:
        if document is None or document.key != event["row_key"]:
            if document is not None:
                yield from document.finish()
            document = _DocumentVersions(event["row_key"], fields, options)
        yield from document.take(event)
    if document is not None:
        yield from document.finish()


class _DocumentVersions:
    """The walk of one document, whose steps become versions."""

    def __init__(self, key: str, fields: Sequence[Field], options: HistoryOptions) -> None:
        self.key = key
        self._fields = fields
        self._fold = DocumentFold(key)
        self._lives = Lives(key, options)

    def take(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Take the next event, and yield versions that no later one changes."""
        if self._fold.take(event):
            yield from self._lives.take(self._step(event))

    def finish(self) -> Iterator[dict[str, Any]]:
        """Yield the last versions."""
        yield from self._lives.finish()

    def _step(self, event: dict[str, Any]) -> Step:
        text, values, missing = self._fold.content(self._fields)
        source_at = event["source_at"]
        return Step(
            how=_HOW.get(event["op"], event["op"]),
            at=event["timestamp"] if source_at is None else source_at,
            event_id=event["event_id"],
            pos=event["position"],
            source_at=source_at,
            transaction=event["tx"],
            tx_id=event["tx_id"],
            incarnation=event["incarnation"],
            content=None if text is None else Content(text, missing, values),
            is_upsert=text is not None,
        )


def _oldest(session: SparkSession, keep: int | None, newest: int | None) -> int | None:
    """Return since when ended versions are kept, in microseconds."""
    if keep is None or newest is None:
        return None
    now = session.sql("select unix_micros(current_timestamp())").collect()[0][0]
    return int(min(newest, now) - keep)


def _kept(rows: DataFrame, context: Mapping[str, Any], oldest: int | None) -> DataFrame:
    """Return rows without those that `keep` removes; a version before a kept gap is hidden."""
    from pyspark.sql import functions as f

    if context["options"].get("keep") is None:
        return rows
    if oldest is None:
        return rows.withColumn("_cdc_is_expired", f.lit(False))
    since = f"timestamp_micros({oldest})"
    return rows.where(
        f"_cdc_version is null or coalesce({context['last_of']} >= {since}, true)"
    ).withColumn("_cdc_is_expired", f.expr(f"coalesce(_cdc_valid_to < {since}, false)"))


def _expiry(table: str, last_of: str, oldest: int) -> tuple[tuple[str, str], ...]:
    """Return conditions and statements that remove or hide what `keep` does not keep."""
    since = f"timestamp_micros({oldest})"
    is_gone = f"_cdc_version > 0 and {last_of} < {since}"
    is_hidden = f"_cdc_version > 0 and _cdc_valid_to < {since} and not _cdc_is_expired"
    return (
        (is_gone, f"delete from {table} where {is_gone}"),
        (is_hidden, f"update {table} set _cdc_is_expired = true where {is_hidden}"),
    )


def _write(session: SparkSession, written: Written, context: Mapping[str, Any]) -> None:
    table = context["table"]
    if written.is_replaced:
        written.rows.createOrReplaceTempView("debezium_kept_versions")
        session.sql(
            f"{context['create']} {table}\n{context['clauses']}\nas"
            f" select * from debezium_kept_versions where {not context['is_empty']}"
        )
        return
    written.rows.createOrReplaceTempView("debezium_kept_versions")
    session.sql(context["sql"]["merge"])
    for condition, statement in written.statements:
        if not session.sql(f"select 1 from {table} where {condition} limit 1").isEmpty():
            session.sql(statement)
