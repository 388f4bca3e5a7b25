"""Rules of docs/inputs.md and docs/operations.md: what lands, once, and what is set aside."""

from __future__ import annotations

import json
from typing import Any

from tests.mutations.changes import answer, argument, becomes, wrapped
from tests.mutations.rules import function, macro

_LINE = "tests/unit/test_record_line.py::test_"
_WALK = "tests/unit/test_input_walk.py::test_"
_NAMES = "tests/unit/test_sink_names.py::test_"
_SETS = "tests/unit/test_sink_file_sets.py::test_"
_PLAN = "tests/unit/test_kafka_plan.py::test_"
_LATE = "tests/lab/test_lateness.py::test_"
_ONCE = "tests/spark/test_landing_once.py::test_"


def _refused_as_files(original: Any, location: str) -> Any:
    """Open what a walk refuses."""
    walk = original(location)
    walk.files.extend(one.path for one in walk.refused)
    walk.refused.clear()
    return walk


RULES = {
    "inputs.md#files": {
        "a link that leaves the folder is not opened": (
            function("walk", wrapped(_refused_as_files)),
            f"{_WALK}a_link_that_leaves_the_folder_is_not_followed",
        ),
        "a line without a value, but with an unknown member, is no tombstone": (
            function("record_line._unknown", becomes([])),
            f"{_LINE}a_line_that_holds_no_record_says_why",
        ),
        "half of a surrogate pair is a bad value": (
            function("without_half_pairs", wrapped(lambda original, content, name: content)),
            f"{_LINE}half_a_surrogate_pair_inside_a_key_or_value_is_told",
        ),
        "numbers inside a value stay as they are written": (
            function(
                "text_of",
                answer(
                    lambda text: (
                        json.dumps(json.loads(text)) if (text or "").startswith("{") else text
                    )
                ),
            ),
            f"{_LINE}numbers_in_objects_are_taken_as_they_are_written",
        ),
        "records that landed before do not land again": (
            function("shared_ranges", becomes([])),
            f"{_ONCE}a_copied_file_lands_nothing_and_is_not_read_again",
            f"{_ONCE}an_appended_file_lands_its_new_lines",
        ),
        "nor do those that one run finds twice": (
            function("has_repeated_identity", becomes(False)),
            f"{_ONCE}repeats_in_one_run_land_once",
        ),
        "nor do those of a run that was killed behind its append": (
            function("_unrecorded_ranges", becomes([])),
            f"{_ONCE}a_crash_after_the_append_repeats_nothing",
        ),
    },
    "inputs.md#files-of-kafka-connects-sinks": {
        "offsets of a partitioner by time or field leave room": (
            function("SinkName.base_offset", wrapped(lambda original, name: name.first_offset)),
            f"{_NAMES}records_that_a_partitioner_spread_are_numbered_apart",
        ),
        "the newest values wait for their keys": (
            function("_may_get_sidecars", becomes(False)),
            f"{_SETS}files_are_read_together[the newest values wait for keys that others have]",
        ),
        "without a key, a row is told by `after`, and a deleted one by `before`": (
            function("may_lack_keys", becomes(False)),
            "tests/lab/test_sink_keys.py::test_rows_are_told_by_after_and_deleted_rows_by_before",
        ),
    },
    "inputs.md#kafka": {
        "a run reads from where the one before ended": (
            function("spans_to_read", argument(progress={})),
            f"{_PLAN}a_known_partition_is_read_from_where_it_was_left",
        ),
        "a topic that was created again is read from its beginning": (
            function("spans_to_read", argument(recreated=frozenset())),
            f"{_PLAN}a_partition_that_was_created_anew_is_read_from_its_beginning",
        ),
        "partitions with little to read do not wait for those with much": (
            function(
                "_shares",
                wrapped(lambda original, sizes, limit: {one: limit // len(sizes) for one in sizes}),
            ),
            f"{_PLAN}small_partitions_do_not_wait_for_large_ones",
        ),
    },
    "inputs.md#a-table-of-your-own": {
        "if rows came below the highest offset, the whole partition is read": (
            function("Extent.after", wrapped(lambda original, extent: extent.last)),
            "tests/unit/test_table_progress.py::test_new_late_and_unplaced_rows_are_read",
        ),
    },
    "operations.md#quarantine": {
        "a repaired line leaves the quarantine": (
            function("write_rejections", argument(names=[])),
            "tests/spark/test_landing_rejections.py::"
            "test_a_repaired_line_leaves_quarantine_and_others_stay",
        ),
        "another record under one identity is a conflict until a boundary explains it": (
            function("Run._conflict_ranges", becomes([])),
            f"{_ONCE}a_conflict_is_kept_aside_until_a_boundary_explains_it",
        ),
        "a declared incarnation lets both records land": (
            function("repeats.incarnation", becomes("0")),
            f"{_ONCE}a_declared_boundary_lets_both_incarnations_land",
        ),
        "a value that does not decode is listed": (
            macro("decoding_errors", becomes("cast(null as array<string>)")),
            "tests/lab/test_hostile_records.py::test_a_value_that_would_stop_the_table_is_told",
        ),
    },
    "operations.md#leaving-a-record-out": {
        "neither key nor value of an ignored record is read": (
            function("ignored_records", becomes([])),
            "tests/lab/test_hostile_records.py::test_nothing_is_read_from_an_ignored_record",
        ),
    },
    "operations.md#lateness": {
        "a heartbeat is a sign of the source": (
            macro("_heartbeats_of_sources", argument(limits={})),
            f"{_LATE}a_heartbeat_is_a_sign_of_a_source_in_which_nothing_changes",
        ),
        "the time of a record never counts as later than its landing": (
            macro("_no_later_than_landed", wrapped(lambda original, time: time)),
            f"{_LATE}no_time_is_later_than_the_landing",
        ),
        "what the state has folded waits no longer": (
            macro("_folded_batches", answer(lambda sql: f"{sql} having false")),
            f"{_LATE}what_the_state_has_not_folded_waits",
        ),
    },
}
