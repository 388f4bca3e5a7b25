"""A key that changes, as staging shows it: traps 21 and 36 of the specification.

Which rows there are then: `tests/cases/key_changes.py`.
"""

from __future__ import annotations

import pytest

from tests.cases.key_changes import SCHEMA
from tests.cases.log import Log
from tests.cases.tables import PG, pg_log, plain_table
from tests.support.examples import compact, example

MOVED = PG.story(
    "key_change",
    [*pg_log().say("c", 1, 5, "a").records, *example("seq_postgres_2.1.4_key_change")],
)


def test_21_both_halves_of_a_key_change_lie_at_one_position(built):
    staged = [event for event in built.staged(MOVED) if event["_cdc_op"] != "tombstone"]
    positions = {event["_cdc_pos"] for event in staged}
    assert len(positions) == 2  # of the birth, and of both halves


def test_21_the_header_tells_the_old_key(built):
    created = built.staged(MOVED)[-1]
    deleted = built.staged(MOVED)[1]
    assert (created["_cdc_op"], deleted["_cdc_op"]) == ("c", "d")
    assert created["_cdc_old_key"] == deleted["_cdc_key"]


# the forms of the header that converters write; of a binary one it is no text, and the place tells
HEADERS = {
    "a schema": compact({"schema": SCHEMA, "payload": {"id": 1}}),
    "a struct's text": "Struct{id=1}",
    "no text": "\u0000\u0000\u0000\u0000\u0001\u0002",
    "a bare value": "7",
}
FORMS = {
    form: plain_table("postgresql").story(
        f"moved_{number}", Log().c(1, 10, "a").c(2, 20, "a", old=text).records
    )
    for number, (form, text) in enumerate(HEADERS.items())
}


@pytest.mark.parametrize("form", FORMS)
def test_36_the_header_with_the_old_key_may_have_the_form_of_any_converter(built, form):
    born, moved = built.staged(FORMS[form])
    if form == "a struct's text":
        assert moved["_cdc_old_key"] == '{"id":1}'  # it stays as it is in every story
        return
    assert moved["_cdc_old_key"] == (born["_cdc_key"] if form == "a schema" else None)
