"""Rules of docs/transactions.md."""

from __future__ import annotations

from tests.mutations.changes import Change, answer, argument, becomes, column, wrapped
from tests.mutations.rules import cte, macro

_LAB = "tests/lab/test_transactions.py::test_"
_AS_OF = "tests/lab/test_as_of_positions.py::test_"
_LATE = f"{_LAB}a_late_event_lets_the_cut_rise_and_older_cuts_stay"


# what is counted together
_OF_COUNTS = "transaction_key, table_name, data_collection"


def _status(told: str, other: str) -> Change:
    return column("statuses", status=f"if(status = '{told}', '{other}', status)")


RULES = {
    "transactions.md#words": {
        "PostgreSQL's id counts without its part from the colon on": (
            macro("transaction_id", wrapped(lambda original, config, name: name)),
            f"{_LAB}the_documented_transaction_is_complete",
        ),
    },
    "transactions.md#counts": {
        "the highest count of an END is expected": (
            cte("_facts", "facts", expected=f"min(expected) over (partition by {_OF_COUNTS})"),
            f"{_LAB}the_highest_count_of_an_end_is_expected",
        ),
        "`incomplete`: a modelled table has fewer events than expected": (
            macro("transaction_statuses", _status("incomplete", "complete")),
            f"{_LAB}what_is_missing_is_overdue_once_later_records_landed",
        ),
        "`no_end`: something later is known": (
            macro("transaction_statuses", _status("no_end", "open")),
            f"{_LAB}records_that_are_ignored_are_not_read",
        ),
        "`unreadable`: a record of the topic that is no boundary": (
            macro(
                "_transactions_of",
                answer(lambda sql: f"select * from ({sql}) as shown where status != 'unreadable'"),
            ),
            f"{_LAB}records_that_are_no_boundaries_are_told_and_fail_the_test",
        ),
    },
    "transactions.md#the-cut": {
        "an incomplete transaction holds the cut": (
            macro(
                "_lowest_bound",
                becomes("select cast(null as string) as bound, cast(null as string) as held_by"),
            ),
            _LATE,
        ),
        "only a complete one passes, or one without an end and without a gap": (
            macro("_passes", becomes("(status = 'complete' and high_pos is not null)")),
            f"{_LAB}a_transaction_without_an_end_and_without_a_gap_passes",
        ),
        "one without an end and with a gap holds the cut": (
            cte("counted_facts", "counted_facts", has_gap="false"),
            f"{_LAB}a_transaction_without_an_end_holds_the_cut_if_it_has_a_gap",
        ),
        "the cut is not written before the histories of its source": (
            macro("check_histories", becomes(None)),
            f"{_LAB}a_history_that_was_left_behind_lets_no_cut_be_written",
        ),
    },
    "transactions.md#read-all-tables-as-of-one-commit": {
        "an instant is the last commit that the source ended by then": (
            macro(
                "commit_position",
                wrapped(
                    lambda original, transactions, cut, instant: f"(select max(cut_pos) from {cut})"
                ),
            ),
            f"{_LAB}an_instant_is_the_last_commit_up_to_it",
        ),
        "of a key's changes up to the position, the last counts": (
            macro(
                "versions_at",
                wrapped(
                    lambda original, history, cut, *more, **named: (
                        f"{history} as versions where versions._cdc_from_pos <= {cut}"
                    )
                ),
            ),
            f"{_AS_OF}a_key_is_what_its_last_change_up_to_the_position_made_it",
        ),
        "an end without a position counts by its time": (
            macro(
                "versions_at",
                argument(instant=lambda instant: instant and "timestamp '1970-01-01'"),
            ),
            f"{_AS_OF}an_end_without_a_position_lies_at_its_time",
        ),
    },
}
