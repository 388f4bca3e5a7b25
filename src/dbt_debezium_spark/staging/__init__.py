"""SQL of a staging model's columns, keys and origins, and what its stored rows depend on.

Functions here build text and run nothing. Macros call them as `adapter.debezium().staging.…`: see
`door`. "SQL" in descriptions of arguments and results means the text of an expression.
"""

from __future__ import annotations

from dbt_debezium_spark.staging.columns import (
    decimals_record,
    nulls_are_absent,
    staged_columns,
    value_problems,
)
from dbt_debezium_spark.staging.images import all_names, image_member
from dbt_debezium_spark.staging.keys import (
    canonical_key,
    complete_key,
    is_struct_text,
    struct_text_members,
)
from dbt_debezium_spark.staging.layouts import may_share, no_layouts, read_layouts
from dbt_debezium_spark.staging.origins import (
    has_no_origin,
    included_origins,
    is_of_table,
    is_read_for_table,
    matches_text,
    origin_columns,
    origin_members,
    origin_rules,
    origin_struct,
    origin_text,
    routed_table,
    short_name,
    table_of_collection,
    with_included,
)
from dbt_debezium_spark.staging.records import (
    ignored_records,
    is_ignored,
    member_of_record,
    topic_condition,
)
from dbt_debezium_spark.staging.renewal import (
    changed_columns,
    changed_events,
    flattened_fingerprint,
    incompatible_changes,
    rebuild_reasons,
    staging_fingerprint,
)
from dbt_debezium_spark.staging.replica_identity import (
    before_is_complete,
    has_complete_before,
    has_right_keys,
    may_invent_keys,
    may_lack_keys,
    replica_identity_is,
)

__all__ = [
    "all_names",
    "before_is_complete",
    "canonical_key",
    "changed_columns",
    "changed_events",
    "complete_key",
    "decimals_record",
    "flattened_fingerprint",
    "has_complete_before",
    "has_no_origin",
    "has_right_keys",
    "ignored_records",
    "image_member",
    "included_origins",
    "incompatible_changes",
    "is_ignored",
    "is_of_table",
    "is_read_for_table",
    "is_struct_text",
    "matches_text",
    "may_invent_keys",
    "may_lack_keys",
    "may_share",
    "member_of_record",
    "no_layouts",
    "nulls_are_absent",
    "origin_columns",
    "origin_members",
    "origin_rules",
    "origin_struct",
    "origin_text",
    "read_layouts",
    "rebuild_reasons",
    "replica_identity_is",
    "routed_table",
    "short_name",
    "staged_columns",
    "staging_fingerprint",
    "struct_text_members",
    "table_of_collection",
    "topic_condition",
    "value_problems",
    "with_included",
]
