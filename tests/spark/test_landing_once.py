"""Each record lands once, however its files are cut, repeated, and interrupted."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from tests.support.landing_lake import BETWEEN, EARLY, LATE, Lake, line


def test_a_run_without_new_files_writes_nothing(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + "bad\n")
    lake.write("b.csv", "x\n")
    lake.run()
    before = lake.versions()

    lake.run()
    lake.run(incarnations=[BETWEEN])

    assert lake.versions() == before


@pytest.mark.full
def test_a_ledger_of_an_earlier_version_gets_its_new_column(lake: Lake) -> None:
    lake.write("a.jsonl", line(0))
    lake.run()
    lake.session.sql(f"alter table {lake.raw}__files drop column remaining")
    lake.write("b.jsonl", line(1))
    lake.run()
    assert lake.offsets() == [0, 1]
    assert "remaining" in lake.session.table(f"{lake.raw}__files").columns


def test_a_copied_file_lands_nothing_and_is_not_read_again(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(1))
    lake.run()
    lake.write("copy.jsonl", line(1) + line(0))

    run = lake.start()
    assert run.frame is None
    before = lake.versions()
    lake.run()

    assert lake.versions() == before
    assert lake.offsets() == [0, 1]


def test_an_appended_file_lands_its_new_lines(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(1))
    lake.run()
    lake.write("a.jsonl", line(0) + line(1) + line(2))
    lake.run()

    assert [(row.offset, row._cdc_batch_id) for row in lake.rows("offset", "_cdc_batch_id")] == [
        (0, 1),
        (1, 1),
        (2, 2),
    ]


@pytest.mark.full
def test_a_late_file_with_lower_offsets_lands(lake: Lake) -> None:
    lake.write("a.jsonl", line(10) + line(20))
    lake.run()
    lake.write("b.jsonl", line(15) + line(3) + line(10))
    lake.run()

    assert [(row.offset, row._cdc_batch_id) for row in lake.rows("offset", "_cdc_batch_id")] == [
        (3, 2),
        (10, 1),
        (15, 2),
        (20, 1),
    ]


def test_repeats_in_one_run_land_once(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(0) + line(1, partition=1))
    lake.write("b.jsonl", line(0, timestamp=LATE, headers=None) + line(1))
    lake.run()

    rows = [(row.partition, row.offset) for row in lake.rows("partition", "offset")]
    assert rows == [(0, 0), (0, 1), (1, 1)]
    assert lake.rejected() == []


@pytest.mark.covers("trap 2")
@pytest.mark.parametrize("twin", [{"value": ""}, {"value": None}])
def test_an_empty_and_a_null_value_are_one_tombstone(lake: Lake, twin: dict[str, None]) -> None:
    lake.write("a.jsonl", line(0, value=None))
    lake.run()
    lake.write("b.jsonl", line(0, **twin))
    lake.run()

    assert (lake.offsets(), lake.rejected()) == ([0], [])


def test_of_two_records_with_one_id_in_one_run_the_earlier_lands(lake: Lake) -> None:
    lake.write("a.jsonl", line(0, value="new", timestamp=LATE))
    lake.write("b.jsonl", line(5) + line(0, value="old"))
    lake.run()

    assert [row.value for row in lake.rows("value")][0] == "old"
    assert lake.rejected() == [("a.jsonl", 1, "conflicting_record")]


def test_a_conflict_is_kept_aside_until_a_boundary_explains_it(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(1))
    lake.run()
    lake.write("b.jsonl", "\n" + line(0, value="again", timestamp=LATE) + line(2, timestamp=LATE))
    lake.run()
    assert lake.offsets() == [0, 1, 2]
    assert lake.rejected() == [("b.jsonl", 2, "conflicting_record")]

    lake.write("c.jsonl", line(0, value="again", timestamp=LATE))
    lake.run()
    assert lake.rejected() == [("b.jsonl", 2, "conflicting_record")], "told once"

    lake.run(incarnations=["2020-01-01T00:00:00Z"])
    assert lake.rejected() == [("b.jsonl", 2, "conflicting_record")], "that does not explain it"

    lake.run(incarnations=[BETWEEN])
    assert lake.offsets() == [0, 0, 1, 2]
    assert lake.rejected() == []
    before = lake.versions()
    lake.run(incarnations=[BETWEEN])
    assert lake.versions() == before


@pytest.mark.full
def test_a_conflict_that_is_found_while_another_one_is_explained_is_kept_aside(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(1))
    lake.write("b.jsonl", line(0, value="again", timestamp=LATE))
    lake.run()
    lake.write("c.jsonl", line(1, value="other"))
    lake.run(incarnations=[BETWEEN])

    assert lake.offsets() == [0, 0, 1]
    assert lake.rejected() == [("c.jsonl", 1, "conflicting_record")]


def test_a_declared_boundary_lets_both_incarnations_land(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(0, value="again", timestamp=LATE))
    lake.run(incarnations=[BETWEEN])

    assert [row.offset for row in lake.rows()] == [0, 0]
    assert lake.rejected() == []


def test_a_crash_after_the_append_repeats_nothing(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(1))
    lake.append(lake.start())  # no commit

    lake.write("b.jsonl", line(2))
    lake.run()

    rows = [(row.offset, row._cdc_batch_id) for row in lake.rows("offset", "_cdc_batch_id")]
    assert rows == [(0, 1), (1, 1), (2, 2)]
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


def test_a_crash_before_the_append_loses_nothing(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + "bad\n")
    lake.start()

    lake.run()

    assert lake.offsets() == [0]
    assert lake.rejected() == [("a.jsonl", 2, "malformed_line")]


@pytest.mark.full
def test_a_raw_table_created_anew_gets_everything_again(lake: Lake) -> None:
    lake.write("a.jsonl", line(0))
    lake.run()
    lake.session.sql(f"drop table {lake.raw}")
    lake.create_raw()
    lake.run()

    rows = [(row.offset, row._cdc_batch_id) for row in lake.rows("offset", "_cdc_batch_id")]
    assert rows == [(0, 2)], "batch numbers go on: models below remember them"


@pytest.mark.full
def test_the_project_folder_can_move(lake: Lake, tmp_path: Path) -> None:
    lake.write("a.jsonl", line(0))
    lake.run()
    before = lake.versions()
    moved = tmp_path.with_name(tmp_path.name + "_moved")
    lake.project.rename(moved)
    lake.project = moved

    lake.run()

    assert lake.versions() == before


@pytest.mark.full
def test_delta_tables_work_alike(spark_by_target: dict[str, SparkSession], tmp_path: Path) -> None:
    lake = Lake(spark_by_target["delta"], tmp_path, "delta")
    lake.write("a.jsonl", line(0) + "bad\n" + line(1)[:30])
    lake.run()
    assert lake.rejected() == [("a.jsonl", 2, "malformed_line"), ("a.jsonl", 3, "truncated_line")]
    lake.write("a.jsonl", line(0) + line(1))
    lake.write("b.jsonl", line(0, value="x", timestamp=LATE))
    lake.run()
    assert lake.rejected() == [("b.jsonl", 1, "conflicting_record")]
    lake.run(incarnations=[BETWEEN])
    before = lake.versions()
    lake.run(incarnations=[BETWEEN])

    assert (lake.offsets(), lake.rejected()) == ([0, 0, 1], [])
    assert lake.versions() == before


@settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    copies=st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 9)), min_size=4, max_size=40
    ),
    runs=st.lists(st.integers(1, 3), min_size=2, max_size=3),
    seed=st.integers(0, 1000),
)
def test_any_split_of_records_into_files_and_runs_lands_each_once(
    spark: SparkSession,
    copies: list[tuple[int, int, int]],
    runs: list[int],
    seed: int,
) -> None:
    """`copies` are deliveries of (topic, partition, offset); `runs` are files per run."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        lake = Lake(spark, Path(folder) / "project")
        spots = [
            f"{run}_{number}.jsonl" for run, files in enumerate(runs) for number in range(files)
        ]
        chosen: dict[str, list[tuple[int, int, int]]] = {spot: [] for spot in spots}
        for delivery in copies:
            chosen[chance.choice(spots)].append(delivery)
        for run, files in enumerate(runs):
            for number in range(files):
                lines = [
                    line(offset, topic=f"t{topic}", partition=partition, timestamp=EARLY)
                    for topic, partition, offset in chosen[f"{run}_{number}.jsonl"]
                ]
                lake.write(f"{run}_{number}.jsonl", "".join(lines))
            if chance.random() < 0.3:
                lake.append(lake.start())  # a crash before the ledger
            lake.run()

        landed = [
            (int(row.topic[1:]), row.partition, row.offset)
            for row in lake.rows("topic", "partition", "offset")
        ]
        assert landed == sorted(set(copies))
        assert lake.rejected() == []
        spark.sql(f"drop table {lake.raw}")


@pytest.mark.full
def test_nothing_of_a_run_stays_in_sparks_cache(lake: Lake) -> None:
    cache = lake.session._jsparkSession.sharedState().cacheManager()
    before = cache.numCachedEntries()
    lake.write("a.jsonl", line(0) + line(1) + line(1, value="{}") + "bad\n")
    lake.run()
    lake.write("b.jsonl", line(0) + line(1) + line(2) + line(2, value="{}") + "bad\n")

    lake.run()

    assert lake.offsets() == [0, 1, 2]
    assert cache.numCachedEntries() == before
