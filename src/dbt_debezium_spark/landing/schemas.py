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

# What an input is read into: a row for each record (`state` is `record`), and for each line, row or
# file that is none (`rejected`), with the reason. `content_hash` is set if `content` is cut.
CANDIDATE_COLUMNS = {
    **PLACE_COLUMNS,
    "state": "string",
    **RECORD_COLUMNS,
    "reason": "string",
    "content": "string",
    "content_hash": "string",
}
RECORD, REJECTED = "record", "rejected"

# The bytes of a row, for its rejection: a decoder returns null where it cannot read them.
BYTES = {"key": "_key_bytes", "value": "_value_bytes"}
# The place of a row, for origins whose own columns for it do not survive a projection.
PLACE = {"path": "_cdc_path", "seq": "_cdc_seq"}
OWN_COLUMNS = {"reason", *BYTES, *BYTES.values(), *PLACE.values()}

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
