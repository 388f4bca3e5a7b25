"""Which files of a sink a run reads together, and which wait."""

from __future__ import annotations

from datetime import UTC, datetime

from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.sinks.file_sets import Known, SinkFile, plan_files
from dbt_debezium_spark.landing.sinks.names import connect_name

FOLDER = "topics/t/partition=0"


def file(name: str) -> SinkFile:
    path = f"{FOLDER}/{name}"
    listed = File(path, f"file:/{path}", 1, datetime(2026, 1, 1, tzinfo=UTC))
    return SinkFile(listed, connect_name(path))


def planned(*names: str, known: Known | None = None, old: tuple[str, ...] = ()):
    """Return for each set its names, the names that wait, and the reasons of refused ones."""
    files = [file(name) for name in names]
    new = frozenset(one.file.name for one in files)
    plan = plan_files([*files, *[file(name) for name in old]], known or Known(), new)
    return (
        [tuple(_short(one) for one in files.files) for files in plan.sets],
        sorted(_short(one) for one in plan.waiting),
        {uri.rpartition("/")[2]: why.partition(";")[0] for uri, why in plan.refused.items()},
    )


def _short(one: SinkFile) -> str:
    return one.file.name.rpartition("/")[2]


def read(*names: str) -> Known:
    """Return what the ledger tells after these files were read."""
    highest: dict[tuple[str, int, str], int] = {}
    for name in names:
        told = file(name).name
        place = (told.topic, told.partition, told.part)
        highest[place] = max(highest.get(place, -1), told.first_offset)
    return Known(frozenset(f"{FOLDER}/{name}" for name in names), highest)


def test_values_without_keys_are_read_at_once():
    assert planned("t+0+0.json", "t+0+5.json") == ([("t+0+0.json",), ("t+0+5.json",)], [], {})


def test_keys_and_headers_are_read_with_their_values():
    sets, waiting, _ = planned("t+0+0.headers.avro", "t+0+0.json", "t+0+0.keys.avro")

    assert sets == [("t+0+0.json", "t+0+0.keys.avro", "t+0+0.headers.avro")]
    assert waiting == []


def test_the_newest_values_wait_for_keys_that_others_have():
    sets, waiting, _ = planned("t+0+0.json", "t+0+0.keys.avro", "t+0+5.json")

    assert sets == [("t+0+0.json", "t+0+0.keys.avro")]
    assert waiting == ["t+0+5.json"]


def test_what_earlier_runs_read_shows_that_there_are_keys():
    known = read("t+0+0.json", "t+0+0.keys.avro")

    assert planned("t+0+5.json", known=known)[:2] == ([], ["t+0+5.json"])
    assert planned("t+0+5.json", "t+0+5.keys.avro", known=known)[0] == [
        ("t+0+5.json", "t+0+5.keys.avro")
    ]


def test_older_values_do_not_wait_because_their_keys_would_be_there():
    sets, waiting, _ = planned("t+0+0.json", "t+0+5.json", "t+0+5.keys.avro")

    assert sets == [("t+0+0.json",), ("t+0+5.json", "t+0+5.keys.avro")]
    assert waiting == []


def test_values_wait_for_headers_too():
    known = read("t+0+0.json", "t+0+0.keys.avro", "t+0+0.headers.avro")

    assert planned("t+0+5.json", "t+0+5.keys.avro", known=known)[:2] == (
        [],
        ["t+0+5.json", "t+0+5.keys.avro"],
    )


def test_keys_wait_for_their_values():
    assert planned("t+0+0.keys.avro")[:2] == ([], ["t+0+0.keys.avro"])


def test_keys_that_come_after_their_values_have_landed_are_told():
    known = read("t+0+0.json")
    sets, waiting, refused = planned("t+0+0.keys.avro", known=known, old=("t+0+0.json",))

    assert (sets, waiting) == ([], [])
    assert refused == {"t+0+0.keys.avro": "its values landed before it, without their keys"}


def test_values_are_read_again_with_keys_that_changed():
    known = read("t+0+0.json", "t+0+0.keys.avro")
    sets, _, refused = planned("t+0+0.keys.avro", known=known, old=("t+0+0.json",))

    assert sets == [("t+0+0.json", "t+0+0.keys.avro")]
    assert refused == {}


def test_values_that_changed_are_read_with_the_same_keys():
    known = read("t+0+0.json", "t+0+0.keys.avro")

    assert planned("t+0+0.json", known=known, old=("t+0+0.keys.avro",))[0] == [
        ("t+0+0.json", "t+0+0.keys.avro")
    ]


def test_two_files_with_the_keys_of_the_same_values_are_told():
    sets, _, refused = planned("t+0+0.json", "t+0+0.keys.avro", "t+0+0.keys.json")

    assert sets == [("t+0+0.json", "t+0+0.keys.avro")]
    assert refused == {"t+0+0.keys.json": "another file has the keys of the same values"}
