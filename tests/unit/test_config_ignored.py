"""Option `ignore_records` of a source."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, SourceConfig, load_source

ENTRY = {"topic": "p.public.t", "partition": 0, "offset": 17, "reason": "cut"}


def load(ignored: Any) -> SourceConfig:
    block = {
        "connector": "postgresql",
        "topic_prefix": "p",
        "input": {"type": "files", "path": "x"},
        "ignore_records": ignored,
    }
    return load_source("s", {"s": block})


def test_records_are_kept_in_the_order_of_their_places() -> None:
    first = {**ENTRY, "offset": 2}
    config = load([ENTRY, first])
    assert config.to_dict()["ignore_records"] == [first, ENTRY]
    assert SourceConfig.from_dict(config.to_dict()) == config


def test_without_any_the_option_is_left_out() -> None:
    assert "ignore_records" not in load([]).to_dict()


@pytest.mark.parametrize(
    ("ignored", "problem"),
    [
        ([ENTRY, ENTRY], "names the record ('p.public.t', 0, 17) twice"),
        ([{**ENTRY, "offset": -1}], "ignore_records[0].offset is -1"),
        ([{**ENTRY, "partition": True}], "ignore_records[0].partition is True"),
        ([{**ENTRY, "offset": "17"}], "ignore_records[0].offset is '17'"),
        (
            [{k: v for k, v in ENTRY.items() if k != "reason"}],
            "ignore_records[0].reason is missing",
        ),
        ([{**ENTRY, "topics": "x"}], "ignore_records[0] has the unknown option `topics`"),
        ({"topic": "x"}, "ignore_records is {'topic': 'x'}"),
    ],
)
def test_what_names_no_record_is_refused(ignored: Any, problem: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(ignored)
    assert problem in str(refused.value)
