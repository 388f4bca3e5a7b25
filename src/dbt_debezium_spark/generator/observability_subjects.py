"""The subjects of the project-wide observability models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Columns = Sequence[tuple[str, str, str]]
_COMMON_COLUMNS: Columns = (
    ("source_name", "string", "Source in the configuration."),
    ("table_name", "string", "Table, as the source writes it."),
)


@dataclass(frozen=True)
class Subject:
    """Arguments and columns of the macro `obs_<name>`.

    Attributes:
        name: name of the subject.
        description: description of the model.
        relations: the argument with an entry for every table, and the layer of these entries; None
            without such an argument.
        columns: name, type and description of each column.
        per_source: the argument with an entry for every source.
        fails: condition of rows that fail the model's test, `always` for every row.
        test: the generic test; one other than `reports_nothing` has the condition in it.
        also: a further layer of which each entry names the table's relation.
        option: an option of sources; the model has only tables of sources with it.
    """

    name: str
    description: str
    relations: tuple[str, str] | None
    columns: Columns
    per_source: str | None = None
    fails: str | None = None
    test: str = "reports_nothing"
    also: str | None = None
    option: str | None = None


_LATENESS_COLUMNS: Columns = (
    ("max_lag_seconds", "bigint", "Option max_lag of the source."),
    ("late_at", "timestamp", "When it is late, or became late, if nothing arrives."),
    ("is_late", "boolean", "Whether that was before as_of."),
)
_AS_OF = (
    "as_of",
    "timestamp",
    "The time of the query, or the var debezium_as_of.",
)

SUBJECTS = (
    Subject(
        name="quarantine",
        per_source="raws",
        relations=("stagings", "stg"),
        description=(
            "Everything that could not be read, or that ignore_records leaves out, with where it"
            " came from and why. Nothing in it is lost."
        ),
        fails="reason not like 'record: ignored: %'",
        columns=(
            *_COMMON_COLUMNS,
            ("stage", "string", "Where it was kept aside: landing or staging."),
            ("file", "string", "File of a line that could not land."),
            ("line", "bigint", "Number of that line, from 1."),
            ("topic", "string", "Kafka topic of the record."),
            ("partition", "int", "Partition of the record."),
            ("offset", "bigint", "Offset of the record."),
            ("reason", "string", "Why it was kept aside."),
            (
                "content",
                "string",
                "What could not be read; the raw table has that of staged records.",
            ),
            ("_cdc_batch_id", "bigint", "Landing run that met it."),
            ("_cdc_landed_at", "timestamp", "When that was."),
        ),
    ),
    Subject(
        name="replays",
        relations=("states", "state"),
        description=(
            "How often connectors repeated themselves. Unexplained: below the position of their row"
            " and never delivered before: their first delivery did not land, or positions started"
            " anew (a restored database, another adapter) and no epoch says so. docs/operations.md"
            " has the query that tells."
        ),
        fails="unexplained > 0",
        columns=(
            *_COMMON_COLUMNS,
            ("replays", "bigint", "Events that repeated earlier ones; normal after a crash."),
            ("unexplained", "bigint", "Those among them whose first delivery was never seen."),
            (
                "first_unexplained_event_id",
                "string",
                "One of the latter, as topic:partition:offset.",
            ),
        ),
    ),
    Subject(
        name="unavailable",
        relations=("states", "state"),
        description=(
            "Columns of live rows whose value no landed event says. They are NULL until a snapshot"
            " reads them."
        ),
        fails="always",
        columns=(
            *_COMMON_COLUMNS,
            ("column_name", "string", "Column whose value is not known."),
            ("row_count", "bigint", "Live rows in which it is not known."),
            ("example_key", "string", "Key of one of them."),
        ),
    ),
    Subject(
        name="drift",
        per_source="catalogs",
        relations=("stagings", "stg"),
        description=(
            "Where a table at its source differed from its models at the last build: one row a"
            " change, with the commands that bring the models up to date. Nothing is lost until"
            " then."
        ),
        fails="always",
        columns=(
            *_COMMON_COLUMNS,
            (
                "change",
                "string",
                "column_added, column_dropped, column_added_again, column_type_changed,"
                " column_nullability_changed, key_changed, topics_changed, table_added,"
                " table_dropped or table_renamed.",
            ),
            (
                "column_name",
                "string",
                "Column that changed; null where the table as a whole did.",
            ),
            ("modelled", "string", "What the models say; null where they say nothing."),
            ("recorded", "string", "What the source says; null for a column it no longer has."),
            (
                "is_compatible",
                "boolean",
                "Whether a plain dbt build takes the change in once the models are generated.",
            ),
            (
                "evidence",
                "string",
                "How it is known: embedded_schema, schema_change_topic, column_export or"
                " configuration; values where only _cdc_unmapped of the newest event shows the"
                " column.",
            ),
            (
                "event_id",
                "string",
                "Record (topic:partition:offset) that first showed the table's layout; the newest"
                " event where only values show the column; null where no record tells.",
            ),
            (
                "batch_id",
                "bigint",
                "Landing run that brought the newest event, where only values show the column.",
            ),
            ("remedy", "string", "What to do, with the commands."),
        ),
    ),
    Subject(
        name="lag",
        relations=("stagings", "stg"),
        description="How far each table is behind its source, by its newest event.",
        columns=(
            *_COMMON_COLUMNS,
            ("newest_source_at", "timestamp", "When that was committed at the source."),
            ("newest_captured_at", "timestamp", "When Debezium saw it."),
            ("newest_landed_at", "timestamp", "When it landed."),
            ("newest_batch_id", "bigint", "Landing run that brought it."),
            ("lag_seconds", "bigint", "Seconds from commit to landing."),
        ),
    ),
    Subject(
        name="source_lateness",
        per_source="raws",
        relations=("stagings", "stg"),
        description=(
            "When there was the last sign of each source with max_lag: a heartbeat of its"
            " connector, or an event of a table. Late: neither is younger than max_lag."
        ),
        fails="is_late",
        test="never_late",
        option="max_lag",
        columns=(
            _COMMON_COLUMNS[0],
            ("newest_heartbeat_at", "timestamp", "Time in the newest heartbeat."),
            ("newest_event_at", "timestamp", "When the newest event was committed at the source."),
            ("heard_at", "timestamp", "The later of the two; null if nothing has landed."),
            _AS_OF,
            ("lag_seconds", "bigint", "Seconds from heard_at to as_of."),
            *_LATENESS_COLUMNS,
        ),
    ),
    Subject(
        name="table_lateness",
        per_source="raws",
        relations=("stagings", "stg"),
        also="state",
        description=(
            "Which records of each table wait to be read, in sources with max_lag. Late: one of"
            " them has waited for longer than max_lag. A table without waiting records is as new as"
            " its source."
        ),
        fails="is_late",
        test="never_late",
        option="max_lag",
        columns=(
            *_COMMON_COLUMNS,
            ("waiting_records", "bigint", "Records that wait, counted at each step."),
            (
                "waits_for",
                "string",
                "What the oldest of them waits for: landing, staging or state.",
            ),
            ("waiting_since", "timestamp", "Record timestamp of the oldest of them."),
            _AS_OF,
            ("waited_seconds", "bigint", "Seconds from waiting_since to as_of."),
            *_LATENESS_COLUMNS,
        ),
    ),
    Subject(
        name="transactions",
        per_source="transactions",
        relations=None,
        description=(
            "What was expected and what landed of each transaction, by table"
            " (docs/transactions.md). The test fails for events that are missing although later"
            " records landed."
        ),
        fails="is_overdue",
        option="provide_transaction_metadata",
        columns=(
            *_COMMON_COLUMNS,
            (
                "data_collection",
                "string",
                "Data collection as the transaction's END names it; null without one.",
            ),
            ("transaction_id", "string", "Transaction; PostgreSQL's without the LSN."),
            (
                "status",
                "string",
                "complete, incomplete, open, no_end, not_modelled (a data collection without a"
                " model, in an incomplete transaction) or unreadable (a record that is no"
                " boundary).",
            ),
            ("expected", "bigint", "Events that END counts; null without END."),
            ("landed", "bigint", "Different events that landed; null without a model."),
            ("began_at", "timestamp", "Time of BEGIN."),
            ("ended_at", "timestamp", "Time of END."),
            ("event_id", "string", "END or else BEGIN, as topic:partition:offset."),
            ("_cdc_batch_id", "bigint", "Landing run of its last record."),
            ("_cdc_landed_at", "timestamp", "When that was."),
            ("is_overdue", "boolean", "Whether what is missing should have landed by now."),
        ),
    ),
)


def observability_subject(name: str) -> Subject:
    """Return the subject of the macro `obs_<name>`."""
    return next(subject for subject in SUBJECTS if subject.name == name)
