"""Columns of the raw table, its side tables, and the frames between them."""

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

# Where a record or a line stands in the files. `block` is the byte at which its piece of the file
# starts, `seq` grows within a block; (path, seq) names one line or row of this run.
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
    **RUN_COLUMNS,
}
