"""A column that was dropped and added again under its name is another one."""

from __future__ import annotations

import json

import pytest

from tests.support.blocks import source_options
from tests.support.catalog_run import CatalogRun
from tests.support.paths import REPOSITORY

CASES = REPOSITORY / "tests/traps/records_of_cases"
GONE = "00000000000000000200"


def records(name):
    text = (CASES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def moved(record, **source):
    value = json.loads(record["value"])
    value["payload"]["source"] |= source
    value["payload"]["op"] = "r" if source.get("snapshot", "false") != "false" else "c"
    return record | {"value": json.dumps(value, separators=(",", ":"))}


def gone(spark, *batches, **options):
    run = CatalogRun(spark, {"pg": source_options(prefix="pg", **options)}).read(*batches)
    return {row["column_name"]: row["gone_until"] for row in run.catalog if row["is_current"]}


@pytest.fixture
def told():
    return records("column-dropped-and-added-again")


@pytest.mark.covers("case column-dropped-and-added-again")
@pytest.mark.parametrize("cuts", [[0, 4], [0, 1, 2, 3, 4], [0, 3, 4]])
def test_changes_without_a_column_between_changes_with_it(spark, told, cuts):
    batches = [told[start:end] for start, end in zip(cuts, cuts[1:], strict=False)]
    assert gone(spark, *batches) == {"id": None, "v": GONE}


def test_a_column_that_was_added_or_dropped_once_was_never_gone(spark, told):
    assert gone(spark, told[2:]) == {"id": None, "v": None}
    assert gone(spark, told[:3]) == {"id": None}


def test_a_snapshot_shows_columns_that_the_stream_leaves_out(spark, told):
    """A generated column of PostgreSQL: never gone, and never streamed."""
    first = [moved(one, snapshot="true") for one in told[:2]]
    again = moved(told[3], snapshot="last")
    assert gone(spark, [*first, told[2], again]) == {"id": None, "v": None}


def test_a_column_that_is_streamed_from_some_moment_on_was_never_gone(spark, told):
    """A LOB of Oracle: snapshots show it, the stream only since `lob.enabled` is on."""
    first = [moved(one, snapshot="true") for one in told[:2]]
    assert gone(spark, [*first, *told[2:]]) == {"id": None, "v": None}


def test_a_repeat_that_lacks_a_dropped_column_says_nothing_of_it(spark, told):
    """Such repeats come after a DROP COLUMN (spec §16), at the positions of the first delivery."""
    repeat = moved(told[2], lsn=105, sequence='["104","105"]') | {"offset": 4}
    assert gone(spark, [*told, repeat]) == {"id": None, "v": GONE}


def test_positions_that_start_anew_order_nothing(spark, told):
    epochs = [{"from": "2023-11-14T22:13:20.025Z"}]
    assert gone(spark, told, epochs=epochs) == {"id": None, "v": None}
