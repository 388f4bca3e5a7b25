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
from tests.mutations.rules import Target, case, cte, function, macro

_LAB, _TRAPS = "tests/lab/test_", "tests/traps/test_traps_"
_NULL = "cast(null as string)"
_NO_NUMBER = becomes("cast(0 as int)")


def _plan(name: str, run: int = 3) -> str:
    """Return the test of a story of the fold's plans: its rows after a run, by default the last."""
    return f"{_LAB}fold_plans.py::test_rows_are_those_of_the_reference[{name}-{run}]"


def _counts(name: str) -> str:
    """Return the test of its replays, and of those that nothing explains."""
    return f"{_LAB}fold_plans.py::test_replays_are_counted_and_explained_by_the_log[{name}-3]"


def _tombstones(own_op_before: str) -> Target:
    """Let another event be the one before a tombstone."""
    is_deleting = (
        f"op = 'tombstone' and {own_op_before} is distinct from 'd'"
        " and not coalesce(`timestamp` = tombstone_before, false)"
    )
    return cte("_arrived", "arrived", own_op_before=own_op_before, is_deleting=is_deleting)


def _repeats(of: str) -> Target:
    """Tell repeats among the events of a key that are alike in these columns."""
    among = f"partition by key_hash, row_key, {of} order by arrival"
    return cte(
        "walk", "repeats",
        is_repeat=f"identity is not null and row_number() over ({among}) > 1",
    )  # fmt: skip


def _cases(*names: str) -> tuple[str, ...]:
    return tuple(map(case, names))


# markers of reads: each ends its snapshot; the last of a table ends none
_EACH_IS_THE_LAST = "if(_cdc_snapshot in ('true', 'first'), 'last', _cdc_snapshot)"
_LAST_OF_ALL = "if(_cdc_snapshot = 'last_in_data_collection', 'true', _cdc_snapshot)"


def _spared(where: str) -> Change:
    """A truncate there removes no event whose position does not decide."""
    return wrapped(
        lambda original, event, is_streamed: (
            f"case when ({is_streamed}) is not true and {where.format(event=event)} then false"
            f" else {original(event, is_streamed)} end"
        )
    )


RULES = {
    "semantics.md#words": {
        "an event that cannot be read is none": (
            macro("record_error", becomes(_NULL)),
            case("events that say nothing about a row are quarantined"),
            f"{_TRAPS}operations.py::test_38_rows_of_the_signal_table_are_no_rows_of_another_table",
        ),
        "a `c` with a snapshot marker is a read": (
            macro("event_op", becomes("coalesce(message.op, message.payload.op)")),
            case("read-to-insert-transform"),
        ),
        "a read is incremental by its marker, and then positions go on": (
            macro("event_kind", instead_of("incremental", "full")),
            case(
                "every marker of a full snapshot resets the mark,"
                " and an incremental read leaves it alone"
            ),
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
            case("the order of the stream is not that of the LSN"),
        ),
        "the op is part of an identity": (
            macro("fold_identity", answer(lambda sql: f"regexp_replace({sql}, '^[cud]/', '')")),
            case("sqlserver-3.7-same-serial"),
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
            case("without a position, equal changes of two runs are repeats"),
        ),
    },
    "semantics.md#what-each-member-is-needed-for": {
        "a record whose key cannot be read is refused": (
            macro("key_errors", becomes("")),
            f"{_LAB}hostile_records.py::test_a_key_that_cannot_be_read_is_no_row_of_its_own",
        ),
        "a source block that names no table is refused where several share the topic": (
            function("has_no_origin", becomes("false")),
            f"{_TRAPS}routing.py::test_a_record_that_leaves_open_which_table_it_is_of_is_quarantined",
        ),
    },
    "semantics.md#arrival": {
        "in one partition, a later incarnation arrived later": (
            macro("arrival_columns", becomes("moved_at, moved_topic, moved_to, `offset`")),
            _plan("recreated"),
            _counts("recreated"),
        ),
        "over several partitions, timestamps order arrival, and not offsets": (
            macro("arrival_columns", becomes("incarnation, `offset`")),
            _plan("torn"),
            case("two-topics-of-one-table"),
        ),
        "what arrived before the last folded event is put before it": (
            macro("is_late_arrival", becomes("false")),
            _counts("late_high"),
        ),
    },
    "semantics.md#columns-of-the-key": {
        "a column of the key that rows lack is in the record key": (
            function("is_outside_image", becomes("false")),
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
            cte("walk", "repeats", is_repeat="false"),
            _counts("replayed"),
        ),
        "a full read lets positions begin again": (
            cte("walk", "repeats", kind="if(kind = 'full', 'incremental', kind)"),
            _plan("below"),
        ),
        "a change without a position counts": (
            macro("verdict", instead_of("change without position", "unexplained")),
            case("position-that-never-moves"),
        ),
        "a late birth counts": (
            macro("verdict", instead_of("late birth", "unexplained")),
            _plan("births"),
        ),
        "a late birth commits after the delete": (
            cte("walk", "events", epoch_stream_pos=_NULL),
            _plan("births"),
        ),
        "a change below the mark is not applied": (
            macro("verdict", instead_of("unexplained", "change")),
            _plan("unexplained"),
        ),
        "unless its row moved between partitions at one moment": (
            macro("verdict", instead_of("moved", "unexplained")),
            *_cases(
                "a row that moves from 1 to 0 at one moment stays",
                "a row that moves from 0 to 1 at one moment stays",
            ),
        ),
        "within one position, arrival decides": (
            cte(
                "walk",
                "marks",
                mark_before="struct(mark_before.segment, concat(mark_before.epoch_pos, '!') as"
                " epoch_pos, mark_before.moved_at, mark_before.moved_topic, mark_before.moved_to)",
            ),
            case("sqlserver-direct-mode-deferred-update"),
        ),
        "a tombstone behind its delete does nothing": (
            _tombstones(_NULL),
            _counts("gone"),
        ),
        "events of other partitions with a tombstone's timestamp are not before it": (
            _tombstones("op_before"),
            *_cases(
                "a row that moves from 1 to 0 at one moment stays",
                "a row that moves from 0 to 1 at one moment stays",
            ),
        ),
        "a tombstone with the timestamp of the one before it does nothing": (
            cte(
                "_arrived",
                "arrived",
                is_deleting="op = 'tombstone' and own_op_before is distinct from 'd'",
            ),
            _plan("sent_again", 2),
        ),
        "any other tombstone deletes": (
            cte("_arrived", "arrived", is_deleting="false"),
            case("a tombstone that is all there is makes a dead key: postgresql"),
            case("after a lone tombstone whatever arrives counts"),
        ),
        "behind a deleting tombstone, positions begin again": (
            cte("walk", "marks", segment="segment - deletions"),
            case("after a lone tombstone whatever arrives counts"),
        ),
        "behind a deleting tombstone, no identity counts as seen": (
            _repeats("identity, occurrence"),
            _plan("emptied_now", 2),
        ),
        "equal identities that one run delivers are different changes": (
            _repeats("deletions, identity"),
            case("without a position, equal changes of one run are different changes"),
        ),
        "a delete ends a life": (
            cte("walk", "walk", life="0"),
            case("no value crosses a delete", landing="in parts, the last first"),
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
            case("what another writer calls a position is none: postgresql"),
        ),
    },
    "semantics.md#unavailable-values": {
        "a complete `before` gives the value": (
            function("image_text", argument(reads_before=False)),
            case(
                "a complete before tells a value that is not sent,"
                " and a placeholder in it tells none"
            ),
        ),
        "a `before` that may be incomplete gives none": (
            function("before_is_complete", becomes("true")),
            case("a before that is not complete, or made up, tells no value"),
        ),
        "the value just before, in the same life, goes on": (
            cte("walk", "walk", life="arrival"),
            case(
                "postgresql: a value that is not sent"
                " is the one that was said last in the same life",
                landing="in parts, the last first",
            ),
        ),
        "a column that nothing says is listed": (
            macro("unless_empty", becomes("cast(null as array<string>)")),
            case("a value that nobody said is null and listed"),
        ),
        "the header names the old key": (
            cte("_known_origins", "partial_creates", old_key=_NULL),
            case("a read tells the life that was renamed"),
        ),
        "without it, a delete at the same place does": (
            cte(
                "_known_origins",
                "known_origins",
                origin_key="if(creation.was_alive, origin_key, null)",
            ),
            case("postgresql: a value is found over a chain of keys, headers=False"),
        ),
        "the origin ends with the first delete at the place of the `c`": (
            cte("origin_links", "origin_events", is_its_delete="false"),
            case("a repeated delete ends no other row that had the key"),
        ),
        "what the old key says behind the `c` is of another row": (
            cte("origin_links", "origin_events", is_before="true"),
            case("a row that took the old key later says nothing of the renamed one"),
        ),
        "a delete at another position ended another row": (
            cte("origin_links", "origin_events", is_placed_delete="false"),
            case("a row that was deleted before says nothing of the renamed one"),
        ),
        "origins chain": (
            macro("extend_chains", answer(lambda sql: f"{sql} and false")),
            case("postgresql: a value is found over a chain of keys, headers=True"),
        ),
    },
    "semantics.md#truncates": {
        "of a truncate that arrived several times, the first delivery counts": (
            macro("truncate_identity", becomes("concat_ws(':', topic, `partition`, `offset`)")),
            case("a repeat of a truncate removes no row that was read since"),
            case("a truncate that tells another commit the next time is the same"),
        ),
        "rule 2: a full read that came after it protects its row": (
            macro(
                "truncate_removes",
                argument(full_read=lambda full_read: f"if(false, {full_read}, null)"),
            ),
            case("a truncate says nothing about a row that a full read showed later"),
        ),
        "rule 3: positions decide about changes, whatever landed first": (
            macro("lies_before_truncate", argument(is_streamed="false")),
            case("a truncate removes what lies below it, wherever it lies"),
            case("truncates and changes are ordered by the commits before them"),
            f"{_TRAPS}oracle.py::test_27_a_truncate_of_oracle_counts_by_scn_in_every_partition",
        ),
        "rule 4: in the same partition, offsets decide about the others": (
            macro("lies_before_truncate", _spared("{event}.`partition` = t.`partition`")),
            case("a truncate says nothing about a row that a full read showed later"),
            case("an incremental read obeys truncates of its partition by offset"),
        ),
        "rule 5: elsewhere, the order of commits or time decides": (
            macro("lies_before_truncate", _spared("{event}.`partition` != t.`partition`")),
            case(
                "an incremental read at 90 obeys a truncate of another partition at 110 by position"
            ),
        ),
        "a DROP on the schema-change topic is a truncate": (
            function("table_end", becomes(None)),
            "tests/unit/test_table_ends.py::test_a_drop_becomes_a_truncate_at_its_place",
        ),
    },
    "semantics.md#closing": {
        "a snapshot is complete with its last read": (
            macro("staged_snapshots", reading("staging", _cdc_snapshot=_EACH_IS_THE_LAST)),
            case(
                "a snapshot closes nothing before its last read, and a read that lands late opens"
                " its row",
                landing="4 first",
            ),
        ),
        "or with the last of the table": (
            macro("staged_snapshots", reading("staging", _cdc_snapshot=_LAST_OF_ALL)),
            case("a closed row comes back with its next event"),
        ),
        "a row that a complete snapshot did not see is not live": (
            macro("is_closed", becomes("false")),
            case("a complete snapshot closes what it does not show, where that is wanted"),
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
            case("a row of a topic that was created again is not closed by a snapshot before"),
        ),
        "in a partition without reads, a row before every read is closed": (
            macro("snapshot_closes", argument(timestamp="timestamp '9999-01-01'")),
            case("in a partition without reads time tells what came before the snapshot"),
        ),
    },
    "semantics.md#tables-without-a-key": {
        "a `u` and a `d` remove a row equal to `before`": (
            macro("keyless_multiset", argument(complete_before=False)),
            case("postgresql: equal rows are counted, and their repeats are not"),
        ),
        "a repeat has the same row images": (
            cte("counted_events", "events", content="'same'"),
            case("without a run equal changes at one position count once, and different ones both"),
        ),
        "elsewhere they count as often as one run delivered them": (
            cte("keyless_events", "staged_events", is_shared="false"),
            case("equal changes of one run are different, and those of two runs are repeats"),
        ),
        "the latest snapshot replaces what was before": (
            cte("counted_events", "events", counts="true"),
            case(
                "the latest snapshot replaces everything before it,"
                " and incremental reads add nothing"
            ),
        ),
        "a read marked `first` begins another snapshot": (
            cte("keyless_events", "staged_events", is_first_read="false"),
            case("keyless-two-snapshots-at-one-position"),
        ),
        "a truncate removes what lies before it": (
            macro("keyless_truncate_removes", becomes("false")),
            case("a truncate behind the latest snapshot empties a table without a key"),
        ),
        "without complete before images, rows are only added": (
            function("has_complete_before", becomes(True)),
            "tests/property/test_flattened.py::"
            "test_flattened_histories_without_a_key_are_append_only",
        ),
    },
}
