"""Rules of docs/semantics.md."""

from __future__ import annotations

from tests.mutations.changes import (
    Change,
    answer,
    argument,
    becomes,
    instead_of,
    member,
    reading,
    wrapped,
)
from tests.mutations.rules import cte, function, macro

_LAB, _TRAPS = "tests/lab/test_", "tests/traps/test_traps_"
_NULL = "cast(null as string)"
_NO_NUMBER = becomes("cast(0 as int)")


def _plan(name: str, run: int = 3) -> str:
    """Return the test of a story of the fold's plans: its rows after a run, by default the last."""
    return f"{_LAB}fold_plans.py::test_rows_are_those_of_the_reference[{name}-{run}]"


def _counts(name: str) -> str:
    """Return the test of its replays, and of those that nothing explains."""
    return f"{_LAB}fold_plans.py::test_replays_are_counted_and_explained_by_the_log[{name}-3]"


def _repeats(name: str) -> str:
    """Return the test of a case in which repeats look like changes, or changes like repeats."""
    return f"{_TRAPS}replays.py::test_a_repeat_is_known_by_what_it_is_and_all_else_counts[{name}]"


def _tombstones(test: str) -> str:
    return f"{_TRAPS}tombstones.py::test_{test}"


def _case(name: str, landing: str = "whole") -> str:
    return f"tests/cases/test_sql.py::test_the_sql[{name}: {landing}]"


def _key_changes(test: str) -> str:
    return f"{_TRAPS}key_changes.py::test_36_{test}"


def _unavailable(test: str) -> str:
    return f"{_TRAPS}unavailable.py::test_{test}"


def _closing(test: str) -> str:
    return f"{_TRAPS}closing.py::test_31_{test}"


def _keyless(test: str) -> str:
    return f"{_TRAPS}keyless.py::test_{test}"


# markers of reads: each ends its snapshot; the last of a table ends none
_EACH_IS_THE_LAST = "if(_cdc_snapshot in ('true', 'first'), 'last', _cdc_snapshot)"
_LAST_OF_ALL = "if(_cdc_snapshot = 'last_in_data_collection', 'true', _cdc_snapshot)"


def _spared(where: str) -> Change:
    """A truncate there removes no event whose position does not decide."""
    return wrapped(
        lambda original, event, is_streamed: (
            f"when not ({is_streamed}) and {where.format(event=event)} then false"
            f" {original(event, is_streamed)}"
        )
    )


RULES = {
    "semantics.md#words": {
        "an event that cannot be read is none": (
            macro("record_error", becomes(_NULL)),
            f"{_TRAPS}operations.py::test_38_events_that_say_nothing_about_a_row_are_quarantined",
            f"{_TRAPS}operations.py::test_38_rows_of_the_signal_table_are_no_rows_of_another_table",
        ),
        "a `c` with a snapshot marker is a read": (
            macro("event_op", becomes("coalesce(message.op, message.payload.op)")),
            _repeats("read-to-insert-transform"),
        ),
        "a read is incremental by its marker, and then positions go on": (
            macro("event_kind", instead_of("incremental", "full")),
            f"{_TRAPS}snapshots.py::test_04_an_incremental_read_leaves_the_mark_alone",
        ),
        "an incarnation begins at each configured boundary": (
            macro("event_incarnation", _NO_NUMBER),
            _counts("recreated"),
        ),
        "an epoch begins where an entry holds": (
            macro("event_epoch", _NO_NUMBER),
            _plan("restored"),
        ),
        "PostgreSQL's changes are in the order of commits, not of LSNs": (
            macro("postgresql_position", member("position", "lpad(source.lsn, 20, '0')")),
            f"{_LAB}positions.py::test_transactions_of_postgresql_are_ordered_by_their_commits",
        ),
        "the op is part of an identity": (
            macro("fold_identity", answer(lambda sql: f"regexp_replace({sql}, '^[cud]/', '')")),
            _repeats("sqlserver-3.7-same-serial"),
        ),
        "the identity of a PostgreSQL change is its LSN, whatever commit it names": (
            macro("log_identity", becomes("_cdc_pos")),
            _counts("higher_half"),
        ),
        "the identity of a read is its bytes": (
            macro("fold_identity", answer(lambda sql: f"if(_cdc_op = 'r', null, {sql})")),
            _plan("reread"),
        ),
        "content has no time of the envelope": (
            macro("change_content", answer(lambda sql: f"concat({sql}, coalesce(ts_ms, ''))")),
            f"{_TRAPS}mysql.py::test_22_repeats_of_a_compressed_transaction_are_known_by_what_they_change",
        ),
    },
    "semantics.md#what-each-member-is-needed-for": {
        "a record whose key cannot be read is refused": (
            macro("key_errors", becomes("")),
            f"{_LAB}hostile_records.py::test_a_key_that_cannot_be_read_is_no_row_of_its_own",
        ),
        "a source block that names no table is refused where several share the topic": (
            macro("has_no_origin", becomes("false")),
            f"{_TRAPS}routing.py::test_a_record_that_leaves_open_which_table_it_is_of_is_quarantined",
        ),
    },
    "semantics.md#arrival": {
        "in one partition, a later incarnation arrived later": (
            macro("arrival_columns", becomes("is_staged, `offset`")),
            _plan("recreated"),
            _counts("recreated"),
        ),
        "over several partitions, timestamps order arrival, and not offsets": (
            macro("arrival_columns", argument(several_partitions=False)),
            _plan("torn"),
            _repeats("two-topics-of-one-table"),
        ),
        "what arrived before the last folded event is put before it": (
            macro("is_late_arrival", becomes("false")),
            _plan("late"),
            _counts("late"),
        ),
    },
    "semantics.md#columns-of-the-key": {
        "a column of the key that rows lack is in the record key": (
            macro("is_outside_image", becomes("false")),
            f"{_LAB}keys_outside_rows.py::test_a_table_whose_rows_lack_the_whole_key_is_keyed",
        ),
    },
    "semantics.md#keys-of-an-earlier-layout": {
        "a record under a former key is of the row that it shows": (
            macro("former_key", becomes(_NULL)),
            f"{_LAB}earlier_layouts.py::"
            "test_a_record_under_a_former_key_is_of_the_row_that_this_key_showed_last",
        ),
        "a delete under a former key is of the row that the last image showed": (
            cte(
                "keyed_images",
                "keyed_images",
                key_members="if(_former_key is null, key_members, _key_in_force)",
            ),
            f"{_LAB}earlier_layouts.py::"
            "test_a_record_under_a_former_key_is_of_the_row_that_this_key_showed_last",
        ),
    },
    "semantics.md#walking-a-keys-events-in-arrival-order": {
        "a repeat is not applied": (
            cte("fold_repeats", "repeats", is_repeat="false"),
            _counts("replayed"),
        ),
        "a full read lets positions begin again": (
            cte("fold_replays", "segments", segment="deleting_tombstones"),
            _plan("below"),
        ),
        "a change without a position counts": (
            cte(
                "fold_replays",
                "events_below_mark",
                is_below_mark="is_below_mark or (kind = 'stream' and epoch_pos is null)",
            ),
            _repeats("position-that-never-moves"),
        ),
        "a late birth counts": (
            cte(
                "fold_replays",
                "classified_events",
                is_old="is_below_mark",
                is_replay="is_repeat or is_below_mark",
            ),
            _plan("births"),
        ),
        "a late birth commits after the delete": (
            cte(
                "fold_replays",
                "predecessors",
                event_before="named_struct('op', event_before.op,"
                " 'epoch_stream_pos', cast(null as string))",
            ),
            _plan("births"),
        ),
        "a change below the mark is not applied": (
            cte("fold_replays", "classified_events", is_old="false", is_replay="is_repeat"),
            _plan("unexplained"),
        ),
        "unless its row moved between partitions at one moment": (
            cte("fold_replays", "classified_events", is_unexplained="is_old"),
            _tombstones("25_a_row_that_moves_between_partitions_at_one_moment_stays"),
        ),
        "within one position, arrival decides": (
            cte(
                "fold_replays",
                "events_below_mark",
                is_below_mark="coalesce(kind = 'stream' and not is_repeat"
                " and mark_before.segment = segment and epoch_pos <= mark_before.epoch_pos, false)",
            ),
            _repeats("sqlserver-direct-mode-deferred-update"),
        ),
        "a tombstone behind its delete does nothing": (
            cte("fold_arrivals", "neighbours", op_before=_NULL),
            _counts("gone"),
        ),
        "events of other partitions with a tombstone's timestamp are not before it": (
            cte("fold_arrivals", "neighbours", op_of_moment="op_before"),
            _tombstones("25_a_row_that_moves_between_partitions_at_one_moment_stays"),
        ),
        "a tombstone with the timestamp of the one before it does nothing": (
            cte("fold_arrivals", "neighbours", tombstone_before="cast(null as timestamp)"),
            _plan("sent_again", 2),
        ),
        "any other tombstone deletes": (
            cte("fold_arrivals", "neighbours", tombstone_before="`timestamp`"),
            _tombstones("24_a_tombstone_that_is_all_there_is_makes_a_dead_key"),
            _tombstones("24_after_a_lone_tombstone_whatever_arrives_counts"),
        ),
        "behind a deleting tombstone, positions begin again": (
            cte("fold_replays", "segments", segment="segment - deleting_tombstones"),
            _tombstones("24_after_a_lone_tombstone_whatever_arrives_counts"),
        ),
        "behind a deleting tombstone, no identity counts as seen": (
            cte("fold_tombstones", "tombstones", deleting_tombstones="0"),
            _plan("emptied_now", 2),
        ),
        "equal identities that one run delivers are different changes": (
            cte("fold_repeats", "occurrences", occurrence="1"),
            f"{_TRAPS}mysql.py::test_22_changes_that_share_a_position_all_count",
        ),
        "a delete ends a life": (
            cte("fold_walk", "walk_events", life="0"),
            _unavailable("34_no_value_crosses_a_delete"),
        ),
    },
    "semantics.md#events-without-a-position": {
        "the changes of a compressed transaction of MySQL have none": (
            macro("mysql_position", argument(shares_positions=False)),
            f"{_LAB}positions.py::test_changes_of_compressed_transactions_have_a_place_in_the_stream_only",
        ),
        "changes of Oracle that the record cannot place have none": (
            macro(
                "oracle_position",
                member(
                    "position", "concat(lpad(source.scn, 40, '0'), '/', coalesce(source.rs_id, ''))"
                ),
            ),
            f"{_LAB}positions.py::test_what_orders_no_row_has_a_place_in_the_stream_only",
        ),
        "what another writer calls a position is none": (
            macro("is_own_connector", becomes("true")),
            f"{_LAB}positions.py::test_what_another_writer_calls_a_position_is_none",
        ),
    },
    "semantics.md#unavailable-values": {
        "a complete `before` gives the value": (
            macro("image_text", argument(reads_before=False)),
            _unavailable("34_the_complete_before_of_a_row_never_seen_gives_its_values"),
        ),
        "a `before` that may be incomplete gives none": (
            macro("before_is_complete", becomes("true")),
            _unavailable("a_before_of_the_time_before_it_was_complete_is_not_trusted"),
        ),
        "the value just before, in the same life, goes on": (
            cte("fold_walk", "walk_events", life="arrival"),
            _unavailable("34_the_latest_value_that_was_said_is_carried_on"),
        ),
        "a column that nothing says is listed": (
            macro("still_unavailable", becomes("cast(null as array<string>)")),
            _unavailable("34_a_value_nobody_said_is_null_and_listed_until_it_is_said"),
        ),
        "the header names the old key": (
            cte("_known_origins", "partial_creates", old_key=_NULL),
            _key_changes("a_read_tells_the_life_that_was_renamed"),
        ),
        "without it, a delete at the same place does": (
            cte(
                "_known_origins",
                "known_origins",
                origin_key="if(creation.was_alive, origin_key, null)",
            ),
            _key_changes("a_value_is_found_under_the_former_key"),
        ),
        "the origin ends with the first delete at the place of the `c`": (
            cte("fold_links", "origin_events", is_its_delete="false"),
            _key_changes("a_repeated_delete_ends_no_other_row_that_had_the_key"),
        ),
        "what the old key says behind the `c` is of another row": (
            cte("fold_links", "origin_events", is_before="true"),
            _key_changes("a_row_that_took_the_old_key_later_says_nothing_of_the_renamed_one"),
        ),
        "a delete at another position ended another row": (
            cte("fold_links", "origin_events", is_placed_delete="false"),
            _key_changes("a_row_that_was_deleted_before_says_nothing_of_the_renamed_one"),
        ),
        "origins chain": (
            macro("extend_chains", answer(lambda sql: f"{sql} and false")),
            _key_changes("a_value_is_found_over_a_chain_of_keys"),
        ),
    },
    "semantics.md#truncates": {
        "of a truncate that arrived several times, the first delivery counts": (
            macro(
                "first_truncates",
                reading("relation", epoch_identity="concat(epoch_identity, `offset`)"),
            ),
            _case("a repeat of a truncate removes no row that was read since"),
            _case("a truncate that tells another commit the next time is the same"),
        ),
        "rule 2: a full read that came after it protects its row": (
            cte("fold_winners", "ends", last_full_read="if(false, last_full_read, null)"),
            _case("a truncate says nothing about a row that a full read showed later"),
        ),
        "rule 3: positions decide about changes, whatever landed first": (
            macro("lies_before_truncate", argument(is_streamed="false")),
            _case("a truncate removes what lies below it, wherever it lies"),
            _case("truncates and changes are ordered by the commits before them"),
            f"{_TRAPS}oracle.py::test_27_a_truncate_of_oracle_counts_by_scn_in_every_partition",
        ),
        "rule 4: in the same partition, offsets decide about the others": (
            macro("lies_before_truncate", _spared("{event}.`partition` = t.`partition`")),
            _case("a truncate says nothing about a row that a full read showed later"),
            _case("an incremental read obeys truncates of its partition by offset"),
        ),
        "rule 5: elsewhere, the order of commits or time decides": (
            macro("lies_before_truncate", _spared("{event}.`partition` != t.`partition`")),
            _case(
                "an incremental read at 90 obeys a truncate of another partition at 70 by position"
            ),
        ),
        "a DROP on the schema-change topic is a truncate": (
            function("table_end", becomes(None)),
            "tests/unit/test_table_ends.py::test_a_drop_becomes_a_truncate_at_its_place",
        ),
    },
    "semantics.md#closing": {
        "a snapshot is complete with its last read": (
            macro("fold_closings", reading("staging", _cdc_snapshot=_EACH_IS_THE_LAST)),
            _closing("a_snapshot_closes_nothing_before_its_last_read_and_chunks_never_do"),
        ),
        "or with the last of the table": (
            macro("fold_closings", reading("staging", _cdc_snapshot=_LAST_OF_ALL)),
            _closing("a_closed_row_comes_back_with_its_next_event"),
        ),
        "a row that a complete snapshot did not see is not live": (
            macro("is_closed", becomes("false")),
            _closing("a_complete_snapshot_closes_what_it_does_not_show_where_that_is_wanted"),
        ),
        "in one incarnation, a row with a later timestamp stays": (
            macro(
                "snapshot_closes",
                argument(
                    starts=lambda starts: (
                        f"transform_values({starts or 's.starts'}, (_, start) -> named_struct("
                        "'offset', start.`offset`, 'timestamp', cast(null as timestamp)))"
                    )
                ),
            ),
            _closing("a_row_of_a_topic_that_was_created_again_is_not_closed_by_a_snapshot_before"),
        ),
        "in a partition without reads, a row before every read is closed": (
            macro("snapshot_closes", argument(timestamp="timestamp '9999-01-01'")),
            _closing("in_a_partition_without_reads_time_tells_what_came_before_the_snapshot"),
        ),
    },
    "semantics.md#tables-without-a-key": {
        "a `u` and a `d` remove a row equal to `before`": (
            macro("keyless_multiset", argument(complete_before=False)),
            _keyless("23_equal_rows_are_counted_and_their_repeats_are_not"),
        ),
        "a repeat has the same row images": (
            cte("counted_events", "events", content="'same'"),
            _keyless("23_different_rows_at_one_position_are_no_repeats"),
        ),
        "elsewhere they count as often as one run delivered them": (
            cte("keyless_events", "staged_events", is_shared="false"),
            _keyless("23_equal_rows_at_one_position_are_told_apart_by_the_run_that_delivered_them"),
        ),
        "the latest snapshot replaces what was before": (
            cte("counted_events", "events", counts="true"),
            _keyless("31_of_a_table_without_a_key_the_latest_snapshot_is_all_there_is"),
        ),
        "a read marked `first` begins another snapshot": (
            cte("keyless_events", "staged_events", is_first_read="false"),
            _repeats("keyless-two-snapshots-at-one-position"),
        ),
        "a truncate removes what lies before it": (
            macro("_is_keyless_truncated", becomes("false")),
            _keyless("27_a_truncate_behind_a_snapshot_empties_a_table_without_a_key"),
        ),
        "without complete before images, rows are only added": (
            macro("has_complete_before", becomes(True)),
            "tests/property/test_flattened.py::"
            "test_flattened_histories_without_a_key_are_append_only",
        ),
    },
}
