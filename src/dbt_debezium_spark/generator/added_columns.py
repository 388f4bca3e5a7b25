"""The columns that we add to those of a table, by layer."""

from __future__ import annotations

from collections.abc import Mapping

_CURRENT = ["_cdc_op", "_cdc_pos", "_cdc_source_at"]
_STATE = [
    "_cdc_key", "_cdc_batch_id", "_cdc_op", "_cdc_is_deleted", "_cdc_pos", "_cdc_source_at",
    "_cdc_unavailable",
]  # fmt: skip
_STAGED = [
    "_cdc_op", "_cdc_key", "_cdc_pos", "_cdc_stream_pos", "_cdc_identity", "_cdc_topic",
    "_cdc_partition", "_cdc_offset", "_cdc_timestamp", "_cdc_event_id", "_cdc_tx_id",
    "_cdc_tx_total_order", "_cdc_tx_collection_order", "_cdc_snapshot", "_cdc_source_at",
    "_cdc_captured_at", "_cdc_landed_at", "_cdc_batch_id", "_cdc_old_key", "_cdc_run_id",
    "_cdc_unavailable", "_cdc_unmapped", "_cdc_errors",
]  # fmt: skip
_NOT_OF_DOCUMENTS = frozenset(
    ("_cdc_stream_pos", "_cdc_old_key", "_cdc_unavailable", "_cdc_unmapped")
)
# What the walk of a document keeps, in the order of its state model.
_FOLD_OF_DOCUMENTS = [
    "topic", "mark", "last_incarnation", "last_partition", "last_offset", "last_timestamp",
    "last_op", "tombstone_at", "is_moved", "replays", "unexplained", "first_unexplained",
]  # fmt: skip
_TYPES = {
    "_cdc_before": "struct",
    "_cdc_partition": "int",
    "_cdc_offset": "bigint",
    "_cdc_timestamp": "timestamp",
    "_cdc_tx_total_order": "bigint",
    "_cdc_tx_collection_order": "bigint",
    "_cdc_source_at": "timestamp",
    "_cdc_captured_at": "timestamp",
    "_cdc_landed_at": "timestamp",
    "_cdc_batch_id": "bigint",
    "_cdc_unavailable": "array<string>",
    "_cdc_unmapped": "map<string,string>",
    "_cdc_errors": "array<string>",
    "_cdc_is_deleted": "boolean",
    "_cdc_count": "bigint",
}
_FOLD = "_cdc_fold_"


def added_columns(
    layer: str,
    fold_members: Mapping[str, str],
    *,
    is_collection: bool,
    has_key: bool,
    has_before: bool,
) -> list[str]:
    """Return the names of the columns we add, in the order the models have them.

    Args:
        layer: `stg`, `state` or `cur`.
        fold_members: what a state keeps of the walk of a key, with the type of each.
        is_collection: whether the table is a collection of documents.
        has_key: whether the table has a key.
        has_before: whether `before` holds the whole old row.
    """
    if layer == "cur":
        return _CURRENT
    if layer == "state":
        members = _FOLD_OF_DOCUMENTS if is_collection else list(fold_members)
        count = [] if has_key else ["_cdc_count"]
        return [*_STATE, *count, *(_FOLD + name for name in members), "_cdc_marks"]
    if is_collection:
        return [name for name in _STAGED if name not in _NOT_OF_DOCUMENTS]
    before = [] if has_key or not has_before else ["_cdc_before"]
    return [*before, *_STAGED]


def added_type(name: str, fold_members: Mapping[str, str]) -> str:
    """Return the type of a column that we add."""
    if name.startswith(_FOLD):
        return fold_members[name.removeprefix(_FOLD)]
    return _TYPES.get(name, "string")
