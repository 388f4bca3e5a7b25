"""The steps by which staging reads a column."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.config.for_macros import load_source
from dbt_debezium_spark.staging import all_names, staged_columns
from tests.support.blocks import source_options


def steps(column: dict[str, Any], **options: Any) -> Any:
    """Return the column of a table without a key, whose images before a change are kept."""
    config = load_source("s", {"s": source_options("mysql")})
    options = {"position": "pos", "reads_before": True, "keeps_before": True, **options}
    (staged,) = staged_columns(config, [column], [], names=all_names([column]), **options)
    return staged


def test_both_images_of_a_row_take_an_added_default_with_its_companion() -> None:
    """Else a row that is older than the column would not be found again by its content."""
    column = {
        "name": "at",
        "type": "int64",
        "semantic": "io.debezium.time.NanoTimestamp",
        "added_default": "2026-01-31T00:00:00Z",
    }

    staged = steps(column)

    for image, ops in ((staged, "('c', 'r', 'u')"), (staged.before, "('u', 'd')")):
        assert "cast('2026-01-31T00:00:00Z' as string)" in image.exact_text
        assert image.value.startswith(f"case when op in {ops} and (not (")
    assert "map_contains_key(image, 'at')" in staged.exact_text
    assert "map_contains_key(before, 'at')" in staged.before.exact_text


def test_a_value_that_is_the_placeholder_is_not_prepared_and_no_error() -> None:
    staged = steps({"name": "v", "type": "bytes", "semantic": None})

    assert staged.unavailable is not None
    assert staged.prepared.startswith(f"case when ({staged.unavailable}) is distinct from true")
    assert staged.undecodable.endswith(f"({staged.unavailable}) is distinct from true)")


def test_a_text_decodes_always() -> None:
    assert steps({"name": "v", "type": "string"}).undecodable is None
