"""Values that were not in the log, as staging shows them: traps 34 and 35 of the specification.

Which value a row has then: `tests/cases/unavailable.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.articles import (
    ARTICLES,
    BASE64,
    DOCUMENTED,
    FORMS,
    TABLE,
    articles,
    image,
)
from tests.cases.log import GONE, Log, late
from tests.cases.table import Table
from tests.cases.tables import column, plain_table
from tests.cases.unavailable import LOOKALIKES, OTHER
from tests.support.examples import example

absent = dict.fromkeys(("hs", "blobs", "days", "smalls", "old_uuids"))
EXAMPLE = ARTICLES.story(
    "example",
    articles().add("c", {"id": 9}, 10, image(9, **absent)).records
    + late(example("postgres_3.6_update_unavailable_toast_with_schema"), 1),
)
forms = articles().add("c", {"id": 1}, 10, image(1))
forms.add("u", {"id": 1}, 20, image(1, title="new", **FORMS))
EVERY_FORM = ARTICLES.story("every_form", forms.records)
EVERY_FORM_CUT = ARTICLES.story("every_form_cut", *forms.cut(1))
LOOKALIKE = ARTICLES.story(
    "lookalike", articles().add("c", {"id": 1}, 10, image(1, **LOOKALIKES)).records
)


def test_34_the_documented_update_lists_every_column_that_it_does_not_carry(built):
    (found,) = built.current(EXAMPLE)
    assert found["blob"] == b"\x01\x02\x03"
    event = built.staged(EXAMPLE)[1]
    assert event["_cdc_unavailable"] == [c["name"] for c in DOCUMENTED[2:]]
    assert event["_cdc_errors"] is None


def test_35_a_placeholder_is_known_in_the_encoding_of_its_column_before_decoding(built):
    created, updated = built.staged(EVERY_FORM)
    assert {name: updated[name] for name in FORMS} == dict.fromkeys(FORMS)
    assert set(updated["_cdc_unavailable"]) == set(FORMS) and updated["_cdc_errors"] is None
    assert all(created[name] is not None for name in FORMS)
    for story in (EVERY_FORM, EVERY_FORM_CUT):
        (found,) = built.current(story)
        assert {name: found[name] for name in FORMS} == {name: created[name] for name in FORMS}


def test_35_what_only_looks_like_a_placeholder_is_decoded(built):
    (event,) = built.staged(LOOKALIKE)
    assert event["_cdc_unavailable"] is None and event["_cdc_errors"] is None
    (found,) = built.current(LOOKALIKE)
    assert found["blob"] == GONE.encode() + b" " and found["blobs"] == [GONE.encode()] * 2


# a configured placeholder in a column of bytes, and in complete before images

FULL = Table(
    "pg_full",
    "postgresql",
    [column("id", "int32"), column("body"), column("blob", "bytes")],
    table=TABLE,
    full=True,
    options={"unavailable_value_placeholder": OTHER},
)


def full(number: int, body: str = "long", blob: str = "AQID") -> dict[str, Any]:
    return {"id": number, "body": body, "blob": blob}


def gone(number: int) -> dict[str, Any]:
    return full(number, OTHER, "4oCmbm90IHNlbnTigKY=")


BYTES = FULL.story(
    "bytes",
    articles()
    .add("u", {"id": 1}, 10, gone(1), before=full(1))
    .add("c", {"id": 2}, 11, full(2))
    .add("u", {"id": 2}, 20, gone(2), before=gone(2))
    .add("c", {"id": 3}, 30, full(3, GONE, BASE64))
    .records,
)
DELETED = FULL.story(
    "deleted",
    articles().add("c", {"id": 1}, 10, full(1)).add("d", {"id": 1}, 20, before=gone(1)).records,
)
SS_MAX = plain_table("sqlserver").story(
    "max",
    Log("sqlserver")
    .c(1, 10, "long")
    .u(1, 20, "longer", before={"id": 1, "v": GONE})
    .d(1, 30, GONE)
    .c(2, 40, "long")
    .u(2, 50, "longer", before={"id": 2, "v": GONE})
    .records,
)


def test_35_the_configured_text_is_the_placeholder_of_bytes_and_the_default_is_not(built):
    kept = {"body": "long", "blob": b"\x01\x02\x03"}
    own = {"id": 3, "body": GONE, "blob": GONE.encode()}
    assert built.current(BYTES) == [{"id": 1} | kept, {"id": 2} | kept, own]
    assert [state["_cdc_unavailable"] for state in built.state(BYTES)] == [None] * 3


@pytest.mark.parametrize("story", [SS_MAX, DELETED], ids=["sqlserver", "postgresql"])
def test_34_the_placeholder_of_a_before_image_is_shown_nowhere(built, story):
    shown = [*built.staged(story), *built.current(story), *built.state(story)]
    texts = repr(shown)
    assert len(built.staged(story)) == len([r for batch in story.batches for r in batch])
    assert GONE not in texts and OTHER not in texts and repr(GONE.encode()) not in texts
