"""Rules of docs/history.md: the SQL, and the Python for documents."""

from __future__ import annotations

from tests.mutations.changes import (
    answer,
    argument,
    becomes,
    member,
    wrapped,
)
from tests.mutations.rules import case, cte, function, macro

_MACROS = "tests/unit/test_history_macros.py::test_"
_DOCUMENTS = "tests/unit/test_mongodb_lives.py"
_OPTIONS = "tests/lab/test_versions.py::test_options_hold_over_runs"


def _story(test: str) -> str:
    return f"tests/lab/test_versions.py::test_{test}"


def _case(name: str) -> str:
    return case(name, "test_version_sql")


RULES = {
    "history.md#steps-of-a-key": {
        "a truncate is a step after an upsert that it removes": (
            cte("version_cuts", "cut_events", cut="if(false, cut, null)"),
            _story("a_truncate_ahead_of_all_ends_what_is_there"),
        ),
        "unless it also removes the next upsert": (
            cte("version_cuts", "next_events", next_removed_by="if(false, next_removed_by, null)"),
            _story("a_truncate_ahead_of_all_ends_what_is_there"),
        ),
        "a complete snapshot is a step after an upsert that it closes": (
            macro("snapshot_closes", becomes("false")),
            _case("a complete snapshot ends a row that it did not see"),
        ),
        "a `c` of a key change begins a life": (
            cte("version_steps", "steps", begins_life="false"),
            _case("a key change onto a row whose end was lost begins a life"),
        ),
        "a `c` with a `d` of another key at its place is part of a key change": (
            cte("key_change_halves", "walk_halves", previous_key="cast(null as string)"),
            _story("the_halves_of_a_key_change_may_land_in_two_runs"),
        ),
    },
    "history.md#transactions": {
        "steps of one transaction are one step": (
            macro(
                "version_transactions",
                argument(options=lambda options: {**options, "within_transaction": "all"}),
            ),
            _story("a_transaction_that_lands_in_two_runs_is_one[last]"),
        ),
        "`within_transaction: all` makes every step a version": (
            macro(
                "version_transactions",
                argument(options=lambda options: {**options, "within_transaction": None}),
            ),
            _story("a_transaction_that_lands_in_two_runs_is_one[all]"),
        ),
        "the first step that ended the row is what ended the version before": (
            cte("version_transactions", "changes", ending="if(is_upsert, null, ending)"),
            _story("a_transaction_that_lands_in_two_runs_is_one[last]"),
        ),
        "without its id, a transaction is the commit before it": (
            macro("event_transaction", answer(lambda sql: f"if(_cdc_tx_id is null, null, {sql})")),
            _story("a_transaction_that_lands_in_two_runs_is_one[last]"),
        ),
    },
    "history.md#versions": {
        "a read whose row equals the version before makes none": (
            macro("is_same_row", becomes("false")),
            f"{_OPTIONS}[all columns]",
        ),
        "with `track` or `ignore`, only the columns that are tracked make versions": (
            macro("tracked_columns", becomes(None)),
            f"{_OPTIONS}[ignored columns]",
        ),
        "the version takes the values of what made none": (
            macro("version_values", member("w", "versions.`row`.`w`")),
            f"{_OPTIONS}[ignored columns]",
        ),
    },
    "history.md#time": {
        "instants of a key never fall": (
            cte("version_boundaries", "numbered_changes", instant="changed_at"),
            f"{_OPTIONS}[ignored columns]",
        ),
        "a first read with `first_from` begins there": (
            macro("shown_version_column", wrapped(lambda original, name, options: name)),
            f"{_MACROS}the_view_shows_what_options_ask_for",
        ),
    },
    "history.md#options": {
        "a table's own `history` replaces that of its source": (
            macro(
                "history_options", wrapped(lambda original, config, table: config.get("history"))
            ),
            f"{_MACROS}options_of_a_table_replace_those_of_its_source",
        ),
        "`deleted_rows` adds a row over the gap, from the end of a life to the next": (
            macro(
                "_of_gap",
                wrapped(
                    lambda original, name: (
                        "_cdc_gap_to" if name == "_cdc_valid_from" else original(name)
                    )
                ),
            ),
            f"{_OPTIONS}[tracked columns and gaps]",
        ),
        "`keep` removes versions that ended long ago": (
            macro("expiry_statements", becomes([])),
            "tests/lab/test_versions.py::test_a_version_expires_without_news_of_its_key",
        ),
    },
    "history.md#documents": {
        "a read of an equal document makes no version": (
            function("Lives._is_same", becomes(False)),
            _DOCUMENTS,
        ),
        "every other change of a document makes one": (
            function(
                "Lives._is_same",
                wrapped(
                    lambda original, lives, version, step: (
                        version.content is not None and version.content.text == step.content.text
                    )
                ),
            ),
            _DOCUMENTS,
        ),
        "what ended a document in a transaction ended the version before": (
            function("Lives._net", answer(lambda steps: steps[-1:])),
            _DOCUMENTS,
        ),
    },
    "history.md#queries": {
        "a version holds up to, but without, its end": (
            macro("_holds_at", answer(lambda sql: sql.replace(" < ", " <= "))),
            f"{_MACROS}as_of_asks_for_half_open_intervals",
        ),
    },
}
