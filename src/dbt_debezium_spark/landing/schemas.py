"""Columns of the raw table, of its side tables, and of the frames of a run."""

from __future__ import annotations

HEADERS_TYPE = "array<struct<key: string, value: string>>"

RECORD_COLUMNS = {
    "topic": "string",
    "partition": "int",
    "offset": "bigint",
    "timestamp": "timestamp",
    "timestampType": "int",
    "key": "string",
    "value": "string",
    "headers": HEADERS_TYPE,
}
RUN_COLUMNS = {"_cdc_batch_id": "bigint", "_cdc_landed_at": "timestamp"}
RAW_COLUMNS = {**RECORD_COLUMNS, **RUN_COLUMNS}

# The place of a record or line in the files. `block` is the byte at which its block of the file
# starts, and `seq` grows within a block. (path, seq) identifies one line or row of a run.
PLACE_COLUMNS = {"path": "string", "block": "bigint", "seq": "bigint"}

REJECTED_COLUMNS = {
    "file": "string",
    "line": "bigint",
    "reason": "string",
    "content": "string",
    **RECORD_COLUMNS,
    "rejection_id": "string",
    **RUN_COLUMNS,
}

RANGES_TYPE = (
    "array<struct<topic: string, partition: int,"
    " min_offset: bigint, max_offset: bigint, records: bigint>>"
)
LEDGER_COLUMNS = {
    "path": "string",
    "size": "bigint",
    "modified_at": "timestamp",
    "lines": "bigint",
    "records": "bigint",
    "landed": "bigint",
    "ranges": RANGES_TYPE,
    "remaining": "bigint",
    **RUN_COLUMNS,
}
