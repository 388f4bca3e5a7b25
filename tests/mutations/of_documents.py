"""Rules of docs/flattened.md and docs/mongodb.md."""

from __future__ import annotations

from typing import Any

from tests.mutations.changes import answer, becomes, wrapped
from tests.mutations.rules import function, macro

_FIELDS = "tests/unit/test_flattened_fields.py::test_"
_FLATTENED = "tests/lab/test_flattened.py::test_"
_WALK = "tests/unit/test_mongodb_walk.py::test_a_walk_ends_with"
_DELTAS = "tests/unit/test_mongodb_deltas.py::test_"
_EJSON = "tests/unit/test_mongodb_ejson.py::test_"
_STAGING = "tests/lab/test_document_staging.py::test_"


def _kept(name: str, *, when: str) -> Any:
    """Keep what a walk knew before an event of this kind or op."""

    def take(original: Any, walk: Any, event: Any, *more: Any) -> Any:
        before = getattr(walk, name)
        counts = original(walk, event, *more)
        if when in (event.kind, event.op):
            setattr(walk, name, before)
        return counts

    return wrapped(take)


RULES = {
    "flattened.md#configure-the-transform": {
        "a table whose records have no position is refused": (
            function("has_position", becomes(True)),
            f"{_FIELDS}a_table_is_refused_only_if_none_of_its_records_has_a_position",
        ),
        "single records without it are quarantined": (
            macro("flattened_errors", becomes("")),
            f"{_FLATTENED}a_record_without_a_position_among_others_is_quarantined",
        ),
    },
    "flattened.md#options": {
        "each record shows whether it is flattened": (
            macro("_is_flattened", becomes("(_row is not null)")),
            f"{_FLATTENED}envelopes_and_flattened_records_may_share_a_topic",
        ),
    },
    "flattened.md#deletes-and-tombstones": {
        "`__deleted` is a delete, with the row before": (
            macro("_flattened_op", answer(lambda sql: f"nullif({sql}, 'd')")),
            f"{_FLATTENED}a_delete_without_a_record_key_has_its_key_in_its_row",
        ),
        "a null with the position in headers is a delete": (
            macro("_header_text", becomes("cast(null as string)")),
            f"{_FLATTENED}a_delete_in_headers_has_its_place_in_the_log",
        ),
    },
    "flattened.md#mongodb": {
        "what was added is no part of a document": (
            macro("document_text", becomes("_row")),
            "tests/property/test_flattened.py::test_flattened_documents",
        ),
    },
    "mongodb.md#what-you-get": {
        "members of a document are sorted, those of an id are not": (
            function(
                "ejson._text",
                wrapped(lambda original, value, *, sort: original(value, sort=True)),
            ),
            f"{_EJSON}a_document_is_written_in_one_order_and_an_id_keeps_its_own",
        ),
    },
    "mongodb.md#which-event-counts": {
        "a pre-image is the base of a change, whatever is known": (
            function(
                "Walk._change",
                wrapped(
                    lambda original, walk, event: (
                        setattr(event, "before", None) if walk.alive else None,
                        original(walk, event),
                    )[1]
                ),
            ),
            f"{_WALK}[whatever was looked up]",
        ),
        "arrays are cut, then fields are set, then removed": (
            function(
                "apply_description",
                wrapped(
                    lambda original, description, document: [
                        original({name: value}, document)
                        for name, value in reversed(description.items())
                    ]
                ),
            ),
            f"{_DELTAS}a_description_cuts_then_sets_then_removes",
        ),
        "a repeat is not applied": (
            function("Walk._is_repeat", becomes(False)),
            f"{_WALK}[a repeat without a position changes nothing]",
        ),
        "equal identities of one run are different changes": (
            function(
                "Walk._is_repeat",
                wrapped(
                    lambda original, walk, event: (
                        setattr(event, "run_id", None),
                        original(walk, event),
                    )[1]
                ),
            ),
            f"{_WALK}[equal identities of one run are different changes]",
        ),
        "a change below the highest position is not applied": (
            function("Walk._counts", _kept("mark", when="stream")),
            f"{_WALK}[a position below the mark is a replay]",
        ),
        "a full read makes positions start again": (
            function("Walk._counts", _kept("mark", when="full")),
            f"{_WALK}[a full read makes positions start again]",
        ),
        "the tombstone of a delete does nothing": (
            function(
                "Walk._counts",
                wrapped(
                    lambda original, walk, event, *more: (
                        setattr(walk, "last_op", None),
                        original(walk, event, *more),
                    )[1]
                ),
            ),
            f"{_WALK}[the tombstone of a delete says nothing]",
        ),
        "from 3.4 on there is no position": (
            macro(
                "mongodb_position",
                answer(lambda position: {**position, "position": "lpad(source.ord, 20, '0')"}),
            ),
            f"{_STAGING}positions_end_with_3_3",
        ),
        "a number addresses an element where there is an array": (
            function("deltas._place", becomes(None)),
            f"{_DELTAS}set",
        ),
    },
    "mongodb.md#incomplete-documents": {
        "a change without its base is kept, and the document incomplete": (
            function(
                "Walk.document",
                wrapped(
                    lambda original, walk: (original(walk), setattr(walk, "incomplete", False))[0]
                ),
            ),
            f"{_WALK}[a change without its base is kept]",
        ),
    },
}
