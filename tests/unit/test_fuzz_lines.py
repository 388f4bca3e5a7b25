"""Damaged records of the demo, read line by line: `python -m tests.fuzz` reads many more."""

from __future__ import annotations

from collections import Counter

from dbt_debezium_spark.generator import TopicPrefixError
from dbt_debezium_spark.generator.topic_prefix import look_into_files
from tests.fuzz.mutants import mutants, originals
from tests.fuzz.readers import RECORD, outcome

SEED = 20261124
MUTANTS = 500


def test_each_damaged_line_is_a_record_or_is_rejected_with_its_reason():
    found = Counter(outcome(one.line) for one in mutants(SEED, MUTANTS))

    assert found.total() == MUTANTS
    assert set(found) >= {"record", "malformed_line", "missing_column", "bad_value"}


def test_a_line_that_was_not_damaged_is_a_record():
    assert {outcome(line) for _, line in originals()} == {RECORD}


def test_init_reads_past_damaged_lines(tmp_path):
    (tmp_path / "damaged.jsonl").write_bytes(
        b"\n".join(one.line for one in mutants(SEED, MUTANTS) if one.connector == "oracle")
    )
    try:
        assert look_into_files(str(tmp_path)).topic_prefix("oracle")
    except TopicPrefixError as error:
        assert "--topic-prefix" in str(error)
