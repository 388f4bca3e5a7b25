"""Columns of the models that do not depend on tables: raw, catalog, transactions, observability.

A text has a line for each column: name, type and description, which may go on in indented lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class DescribedColumn(NamedTuple):
    """A column with its type and description."""

    name: str
    data_type: str
    description: str


DescribedColumns = Sequence[DescribedColumn]


def described(text: str) -> tuple[DescribedColumn, ...]:
    """Return the columns that a text describes; a name alone is that of a shared column."""
    columns: list[DescribedColumn] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            name, data_type, words = columns.pop()
            columns.append(DescribedColumn(name, data_type, f"{words} {line.strip()}".strip()))
        elif line in _SHARED:
            columns.append(_SHARED[line])
        else:
            name, data_type, *rest = line.split(None, 2)
            columns.append(DescribedColumn(name, data_type, "".join(rest)))
    return tuple(columns)


_SHARED: dict[str, DescribedColumn] = {}
_SHARED |= {
    column.name: column
    for column in described("""
source_name      string    Source in the configuration.
database_name    string    Database of the table.
schema_name      string    Schema of the table; the database where the connector has no schemas.
table_name       string    Table, as the source writes it.
""")
}

# -- raw and catalog -------------------------------------------------------------------------------

RAW = described("""
topic            string    Kafka topic.
partition        int       Partition of the topic.
offset           bigint    Offset in the partition; increasing, not always consecutive.
timestamp        timestamp The record's own time: of the producer or the broker, not of the change.
timestampType    int       0: set by the producer, 1: set by the broker.
key              string    Record key as text; null for a record without one.
value            string    Record value as text; null for a tombstone.
headers          array<struct<key:string,value:string>> Record headers.
""")

CATALOG_COLUMNS = described("""
source_name
topic_prefix     string    Name of the connector, as the source blocks of its records have it.
database_name
schema_name
table_name
topic            string    Topic of the table; where no record has come yet, the one the connector
                           would write.
topics           array<string> All topics that carry records of the table.
version          int       Number of the column list, from 1, in order of first sighting.
is_current       boolean   Whether this version stands furthest in the source's log: the one models
                           are generated from.
since_position   string    Record (topic:partition:offset) that showed this version first.
since_source_position string    Lowest position in the source's log at which this version was seen;
                           null where records have none.
last_source_position string    Position in the source's log at which this version was seen last.
last_position    string    Record (topic:partition:offset) with this version that stands furthest
                           in the source's log.
evidence         string    Where the encoding is known from: embedded_schema, schema_change_topic,
                           column_export or configuration.
column_name      string    Column, as the source writes it.
ordinal_position int       Place in the table, from 1; null for a field that only record keys have.
connect_type     string    Literal type in Kafka Connect; null when it is not known.
semantic_type    string    Name of the Connect schema, which says what the literal means.
parameters       map<string,string> Parameters of the Connect schema, like the scale of a decimal.
schema_json      string    The whole Connect schema of the column, as JSON.
is_optional      boolean   Whether the column may be null.
is_never_null    boolean   Whether no version seen lets the column be null or lacks it.
default_value    string    Default as the evidence writes it: encoded value or SQL expression.
is_key           boolean   Whether the column belongs to the record key.
key_position     int       Place in the key, from 1.
database_type    string    Type in the database, where the evidence tells it.
comment          string    Comment in the database, where the evidence tells it.
enum_values      array<string> Labels of an enum in any version, from the schema-change topic.
enum_lists       array<string> Labels of an enum in any version as records list them, between
                           commas.
table_comment    string    The table's comment in the database.
gone_until       string    Position in the source's log of the last change without the column,
                           where it was dropped and added again.
ended_by         string    What ended the table at the source: dropped, or renamed and to what;
                           null while it exists.
""")

CATALOG_DISAGREEMENTS = described("""
source_name
database_name
schema_name
table_name
column_name      string    Column, as the source writes it; null where the table as a whole is
                           meant.
matter           string    What they disagree about: encoding, nullability, presence or key.
chosen           string    What the catalog goes by.
chosen_from      string    Evidence that says so.
other            string    What the other evidence says.
other_from       string    The other evidence.
meaning          string    What it can come from, and what to do.
""")

CATALOG_SCHEMAS = described("""
topic            string    Kafka topic.
partition        int       Partition of the topic.
key_hash         bigint    Hash of the schema in the record key; 1 for a key without one, 0 without
                           a key.
value_hash       bigint    Hash of the schema in the record value; 0 or 1 without one.
origin_hash      bigint    Hash of what follows.
origin           struct<name:string,db:string,schema:string,table:string>
                           Connector, database, schema and table that the source blocks of the
                           records name; null for records that are no changes.
first_offset     bigint    First offset of this pair of schemas and of this table in the batch.
last_offset      bigint    Last offset of this pair of schemas in the batch.
first_timestamp  timestamp Earliest record time of this pair of schemas in the batch.
last_timestamp   timestamp Latest record time of this pair of schemas in the batch.
is_snapshot      boolean   Whether the records were read by a full snapshot, the one at the
                           positions that follow.
lowest_position  string    Lowest position in the source's log.
highest_position string    Highest position in the source's log.
highest_timestamp timestamp Record time of the record with the highest position.
highest_offset   bigint    Offset of that record.
last_position    string    Position in the source's log of the last record.
kind             string    What the records are (data, schema_change, transaction, …); null where
                           the pair was met before.
key_schema       string    Connect schema of the key, as JSON.
value_schema     string    Connect schema of the value, as JSON.
key_fields       array<string> Names of the fields of one record key.
value_fields     array<string> Names of the fields of one row.
source_block     string    Source block of one record, as JSON.
definition       string    The record of the schema-change topic, as JSON.
has_doubtful_key boolean   Whether a delete of PostgreSQL has a key that the connector may have
                           made up (zero, empty, null).
""")

# -- transactions ----------------------------------------------------------------------------------

_PLACE = "struct<incarnation:int,`offset`:bigint>"
TRANSACTIONS = described(f"""
transaction_id   string    Id of the transaction; PostgreSQL's without the LSN.
status           string    complete, incomplete, open, no_end or unreadable.
event_count      bigint    Events that END counts, over all data collections.
tables array<struct<data_collection:string,table_name:string,expected:bigint,landed:bigint>>
                           By table, or data collection without a model: events that END counts,
                           and that landed.
began_at         timestamp Time of BEGIN.
ended_at         timestamp Time of END.
low_pos          string    Lowest position of its landed events: epoch and stream position as text
                           that sorts.
high_pos         string    Highest position of its landed events: epoch and stream position as text
                           that sorts.
has_gap          boolean   Whether the orders of its landed events show that some are missing.
places array<struct<`partition`:int,first_place:{_PLACE},last_place:{_PLACE}>>
                           Where its first and last boundary lie in each partition of the topic.
begin_event_id   string    Its BEGIN as topic:partition:offset.
end_event_id     string    Its END as topic:partition:offset.
end_landed_at    timestamp When its END landed first.
first_batch_id   bigint    Landing run of the first of its records.
""")

CUT = described("""
cut_pos          string    The cut: epoch and stream position as text that sorts; NULL if there is
                           none.
transaction_id   string    Transaction at the cut.
committed_at     timestamp Time of its END.
held_by          string    Transaction that keeps the cut from rising; NULL if none does.
reason           string    Why there is no cut, else NULL.
""")

# -- observability ---------------------------------------------------------------------------------

TABLES = described("""
source_name
table_name
newest_source_at timestamp When the newest staged event was committed at the source.
newest_captured_at timestamp When Debezium saw it.
newest_landed_at timestamp When it landed.
newest_batch_id  bigint    Landing run that brought it.
lag_seconds      bigint    Seconds from commit to landing.
replays          bigint    Events that repeated earlier ones; normal after a crash.
unexplained      bigint    Those among them whose first delivery was never seen.
first_unexplained_event_id string    One of the latter, as topic:partition:offset.
unavailable_values bigint  Values of live rows that no landed event says; the columns are NULL until
                           a snapshot reads the rows.
unavailable_columns array<struct<column_name:string,row_count:bigint,example_key:string>> Columns of
                           these values, how many rows, and the key of one of them.
waiting_records  bigint    With max_lag, records that wait, counted at each step.
waits_for        string    What the oldest of them waits for: landing, staging or state.
waiting_since    timestamp Record timestamp of the oldest of them.
newest_heartbeat_at timestamp Time in the newest heartbeat of the source.
heard_at         timestamp The last sign of the source: its newest heartbeat, or the newest event of
                           one of its tables; null if nothing has landed.
as_of            timestamp The time of the query, or the var debezium_as_of.
max_lag_seconds  bigint    Option max_lag of the source.
late_at          timestamp When the table is late, or became late, if nothing arrives.
is_late          boolean   Whether that was before as_of.
late_because     string    waiting (a record of the table waits too long) or silence (nothing is
                           heard of the source).
""")

QUARANTINE = described("""
source_name
table_name
stage            string    Where it was kept aside: landing or staging.
file             string    File of a line that could not land.
line             bigint    Number of that line, from 1.
topic            string    Kafka topic of the record.
partition        int       Partition of the record.
offset           bigint    Offset of the record.
reason           string    Why it was kept aside.
content          string    What could not be read; the raw table has that of staged records.
_cdc_batch_id    bigint    Landing run that met it.
_cdc_landed_at   timestamp When that was.
""")

DRIFT = described("""
source_name
table_name
change           string    column_added, column_dropped, column_added_again, column_type_changed,
                           column_nullability_changed, key_changed, topics_changed, table_added,
                           table_dropped or table_renamed.
column_name      string    Column that changed; null where the table as a whole did.
modelled         string    What the models say; null where they say nothing.
recorded         string    What the source says; null for a column it no longer has.
is_compatible    boolean   Whether a plain dbt build takes the change in once the models are
                           generated.
evidence         string    How it is known: embedded_schema, schema_change_topic, column_export or
                           configuration; values where only _cdc_unmapped of the newest event shows
                           the column.
event_id         string    Record (topic:partition:offset) that first showed the table's layout;
                           the newest event where only values show the column; null where no record
                           tells.
batch_id         bigint    Landing run that brought the newest event, where only values show the
                           column.
remedy           string    What to do, with the commands.
""")

LOST = described("""
source_name
table_name
kind             string    broken_chain, unknown_row, missing_in_transaction, offset_gap or
                           late_beginning.
row_key          string    Key of the row, as _cdc_key.
transaction_id   string    Transaction of which events are missing.
topic            string    Kafka topic.
partition        int       Partition of the event, or of what is missing.
offset           bigint    Offset of the event, or the first that is missing.
expected         string    What should have landed.
found            string    What landed.
rule             string    Where the rule stands.
_cdc_batch_id    bigint    Landing run that brought what was found.
""")
OBSERVED_TRANSACTIONS = described("""
source_name
table_name
data_collection  string    Data collection as the transaction's END names it; null without one.
transaction_id   string    Transaction; PostgreSQL's without the LSN.
status           string    complete, incomplete, open, no_end, not_modelled (a data collection
                           without a model, in an incomplete transaction) or unreadable (a record
                           that is no boundary).
expected         bigint    Events that END counts; null without END.
landed           bigint    Different events that landed; null without a model.
began_at         timestamp Time of BEGIN.
ended_at         timestamp Time of END.
event_id         string    END or else BEGIN, as topic:partition:offset.
_cdc_batch_id    bigint    Landing run of its last record.
_cdc_landed_at   timestamp When that was.
is_overdue       boolean   Whether what is missing should have landed by now.
""")
