"""The same work by hand, without what makes it right: the floor for the models."""

from __future__ import annotations

from dev.benchmarks.records import BARE_IMAGE, TOPIC

ENVELOPE = (
    f"struct<after:{BARE_IMAGE},source:struct<lsn:bigint,ts_ms:bigint,snapshot:string>,"
    "op:string,ts_ms:bigint>"
)
MERGE_ON_READ = (
    "tblproperties ('format-version'='2', 'write.merge.mode'='merge-on-read',"
    " 'write.update.mode'='merge-on-read', 'write.delete.mode'='merge-on-read')"
)


def typed_columns() -> str:
    """Return SQL for the typed columns of an event, its envelope parsed as `e`."""
    return """cast(get_json_object(key, '$.id') as int) as id,
            e.after.email, e.after.name,
            cast(
                cast(conv(hex(e.after.balance), 16, 10) as decimal(19, 0)) * 0.01BD
                as decimal(12, 2)
            ) as balance,
            e.after.note, e.after.active,
            cast(e.after.created_at as timestamp) as created_at,
            cast(timestamp_micros(e.after.updated_at) as timestamp_ntz) as updated_at,
            date_add(date'1970-01-01', e.after.birthday) as birthday,
            e.op as op, e.source.lsn as lsn, topic, `partition`, `offset`, `timestamp`,
            timestamp_millis(e.source.ts_ms) as source_at"""


def parse(raw: str, batch_id: int, topic: str = TOPIC) -> str:
    """Return SQL that parses and types one batch of a topic's raw records."""
    return f"""
        select
            {typed_columns()}, _cdc_batch_id
        from (
            select *, from_json(value, '{ENVELOPE}') as e
            from {raw} where topic = '{topic}' and _cdc_batch_id = {batch_id}
        ) as parsed"""


def winners(events: str, batch_id: int) -> str:
    """Return SQL for the newest event of each key of a batch."""
    return f"""
        select * except (place) from (
            select *, row_number() over (partition by id order by `offset` desc) as place
            from {events} where _cdc_batch_id = {batch_id}
        ) as numbered where place = 1"""


def merge(current: str, events: str, batch_id: int) -> str:
    """Return the bare MERGE of a batch's winners."""
    return (
        f"merge into {current} as t using ({winners(events, batch_id)}) as s on t.id = s.id"
        " when matched then update set * when not matched then insert *"
    )


def properties(target: str) -> str:
    """Return the table properties that make a MERGE cheap in this table format."""
    return MERGE_ON_READ if target == "iceberg" else ""
