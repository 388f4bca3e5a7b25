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
        relations: the argument with an entry for every table, and the layer of these entries.
        columns: name, type and description of each column.
        per_source: the argument with an entry for every source.
        fails: condition of rows that fail the model's test, `always` for every row.
    """

    name: str
    description: str
    relations: tuple[str, str]
    columns: Columns
    per_source: str | None = None
    fails: str | None = None


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
                "How it is known: embedded_schema, schema_change_topic or configuration; values"
                " where only _cdc_unmapped of the newest event shows the column.",
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
)


def observability_subject(name: str) -> Subject:
    """Return the subject of the macro `obs_<name>`."""
    return next(subject for subject in SUBJECTS if subject.name == name)
