"""Ids and reasons of rejections, as SQL: see `rejections`."""

from __future__ import annotations

CONFLICT = "conflicting_record"
FOREIGN = "foreign_file"
IS_CONFLICT = f"reason like '{CONFLICT}%'"
IS_FOREIGN = f"reason like '{FOREIGN}%'"

# Of a line, row or file. Versions of a foreign file differ only in the reason.
LINE_ID = (
    r"sha2(concat_ws('\u0001', file, coalesce(cast(line as string), ''),"
    " coalesce(content_hash, content, reason)), 256)"
)
# Of a record with the columns of the raw table. Null and empty are equal, as in `identity_rules`.
CONFLICT_ID = (
    r"sha2(concat_ws('\u0001', "
    + ", ".join(
        f"coalesce(cast(`{name}` as string), '')"
        for name in ("topic", "partition", "offset", "key", "value")
    )
    + "), 256)"
)
CONFLICT_REASON = (
    f"concat('{CONFLICT}: another record landed as ',"
    " concat_ws(':', topic, cast(`partition` as string), cast(`offset` as string)))"
)
# Of equal conflicts the one that came first is kept, or its timestamp would be left to chance.
COPY = (
    "row_number() over (partition by rejection_id"
    " order by `timestamp` asc nulls last, path, block, seq)"
)
# The offset of a rejected row, in its content.
LINE_OF_ROW = "try_cast(get_json_object(content, '$.offset') as bigint)"
