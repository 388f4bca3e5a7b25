"""Generated PostgreSQL change records, made by Spark so that a million take seconds."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

COLUMNS = [
    {"name": "id", "type": "int32", "optional": False},
    {"name": "email", "type": "string"},
    {"name": "name", "type": "string"},
    {
        "name": "balance",
        "type": "bytes",
        "semantic": "org.apache.kafka.connect.data.Decimal",
        "parameters": {"scale": "2", "connect.decimal.precision": "12"},
    },
    {"name": "note", "type": "string"},
    {"name": "active", "type": "boolean"},
    {"name": "created_at", "type": "string", "semantic": "io.debezium.time.ZonedTimestamp"},
    {"name": "updated_at", "type": "int64", "semantic": "io.debezium.time.MicroTimestamp"},
    {"name": "birthday", "type": "int32", "semantic": "io.debezium.time.Date"},
]
PREFIX, TABLE = "bench", "customers"
TOPIC = f"{PREFIX}.public.{TABLE}"
NOTE = "concat(repeat('lorem ipsum ', 4), n)"
NO_HEADERS = "cast(array() as array<struct<key:string,value:string>>)"
# the row image as the bare parse declares it
BARE_IMAGE = (
    "struct<id:int,email:string,name:string,balance:binary,note:string,active:boolean,"
    "created_at:string,updated_at:bigint,birthday:int>"
)


def topic_of(table: str) -> str:
    """Return the topic of a table."""
    return f"{PREFIX}.public.{table}"


def change_records(
    spark: SparkSession,
    first: int,
    count: int,
    keys: int,
    batch_id: int,
    *,
    reads: bool = False,
    table: str = TABLE,
) -> DataFrame:
    """Return raw records: events `first` to `first + count - 1` of a log, in one partition.

    Args:
        spark: the session.
        first: number of the first event; its offset, and what its position is made of.
        count: how many events.
        keys: size of the key space. Streamed events fall on random keys; 90 % update, 8 % insert
            or update under op `c`, 2 % delete. Reads take the keys in order.
        batch_id: of the raw contract.
        reads: a snapshot instead of streamed events.
        table: its name, in the schema `public`.
    """
    streamed = (
        "case when pmod(hash(n), 50) = 0 then 'd' when pmod(hash(n), 12) = 0 then 'c' else 'u' end"
    )
    return event_records(
        spark,
        first,
        count,
        batch_id,
        key="n" if reads else f"pmod(hash(n, 7), {keys})",
        op="'r'" if reads else streamed,
        table=table,
    )


def event_records(
    spark: SparkSession,
    first: int,
    count: int,
    batch_id: int,
    *,
    key: str,
    op: str,
    note: str = NOTE,
    headers: str = NO_HEADERS,
    table: str = TABLE,
) -> DataFrame:
    """Return raw records whose parts are given as SQL over `n`, the number of an event.

    Args:
        spark: the session.
        first: number of the first event.
        count: how many events.
        batch_id: of the raw contract.
        key: the number that is the record key's `id`.
        op: Debezium's `op`, or `tombstone`.
        note: text of the column `note`.
        headers: of the record.
        table: its name, in the schema `public`.
    """
    image = f"""concat('{{"id":', k, ',"email":"u', k, '@example.org","name":"Name ', n,
        '","balance":"', base64(unhex(lpad(hex(pmod(n * 37, 1000000000)), 10, '0'))),
        '","note":"', {note}, '","active":', pmod(n, 2) = 0,
        ',"created_at":"2020-01-01T00:00:00.123456Z","updated_at":', 1577836800000000 + n,
        ',"birthday":', 10000 + pmod(n, 5000), '}}')"""
    lsn = "100000000 + n * 100"
    after = f"case when op in ('d', 't') then 'null' else {image} end"
    value = f"""concat('{{"before":null,"after":', {after},
        ',"source":{{"version":"3.6.3.Final","connector":"postgresql","name":"bench","ts_ms":',
        1700000000000 + n, ',"snapshot":"', op = 'r',
        '","db":"shop","sequence":"[\\\\"', {lsn} - 50, '\\\\",\\\\"', {lsn}, '\\\\"]","ts_us":',
        (1700000000000 + n) * 1000, ',"schema":"public","table":"{table}","txId":', n div 3,
        ',"lsn":', {lsn}, ',"xmin":null}},"transaction":null,"op":"', op, '","ts_ms":',
        1700000000100 + n, '}}')"""
    return (
        spark.range(first, first + count, numPartitions=2)
        .selectExpr("id as n")
        .selectExpr("n", f"{key} as k", f"{op} as op")
        .selectExpr(
            *raw_columns(
                topic_of(table),
                "case when op <> 't' then concat('{\"id\":', k, '}') end",
                f"case when op <> 'tombstone' then {value} end",
                batch_id,
                headers,
            )
        )
    )


def raw_columns(
    topic: str, key: str, value: str, batch_id: int, headers: str = NO_HEADERS
) -> list[str]:
    """Return SQL for the columns of the raw contract, of records numbered by `n`.

    Args:
        topic: its name; all records are of one partition.
        key: SQL of the record's key.
        value: SQL of the record's value.
        batch_id: of the raw contract.
        headers: SQL of the record's headers.
    """
    return [
        f"'{topic}' as topic",
        "0 as partition",
        "n as offset",
        "timestamp_millis(1700000000000 + n) as timestamp",
        "0 as timestampType",
        f"{key} as key",
        f"{value} as value",
        f"{headers} as headers",
        f"cast({batch_id} as bigint) as _cdc_batch_id",
        "current_timestamp() as _cdc_landed_at",
    ]
