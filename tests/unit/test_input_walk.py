"""What lies in an input folder, and what leads out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dbt_debezium_spark.config.input_walk import LEAVES, NO_FILE, NOT_UTF8, NOWHERE, walk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "input"
    for name in ("a.jsonl", "deep/er/b.jsonl", "c.txt", "_SUCCESS", ".hidden/d.jsonl", "_a=1/e"):
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).write_text("x")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "passwd.jsonl").write_text("root:x:0")
    return inside


def names(location: Path | str, top: Path) -> list[str]:
    return [os.path.relpath(one, top) for one in walk(str(location)).files]


def refused(location: Path | str, top: Path) -> dict[str, str]:
    return {os.path.relpath(one.path, top): one.why for one in walk(str(location)).refused}


def test_a_folder_without_links_is_left_to_spark(folder):
    assert names(folder, folder) == ["_a=1/e", "a.jsonl", "c.txt", "deep/er/b.jsonl"]
    assert walk(str(folder)).is_plain


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("*.jsonl", ["a.jsonl"]),
        ("*", ["_a=1/e", "a.jsonl", "c.txt", "deep/er/b.jsonl"]),
        ("*/*/?.jsonl", ["deep/er/b.jsonl"]),
        ("{a,c}.*", ["a.jsonl", "c.txt"]),
        ("[a-b].jsonl", ["a.jsonl"]),
        ("[^a].*", ["c.txt"]),
        ("d*", ["deep/er/b.jsonl"]),
        ("none/*", []),
    ],
)
def test_a_glob_matches_as_spark_matches_it(folder, glob, expected):
    assert names(f"{folder}/{glob}", folder) == expected


def test_a_relative_place_is_looked_through_too(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert walk("*.jsonl").files == ["./a.jsonl"]
    assert walk("deep").files == ["deep/er/b.jsonl"]
    assert walk("deep/*/b*").files == ["deep/er/b.jsonl"]


@pytest.mark.covers("case symlink-in-input-folder")
@pytest.mark.parametrize("target", ["secret/passwd.jsonl", "secret"])
def test_a_link_that_leaves_the_folder_is_not_followed(folder, target):
    (folder / "deep" / "link.jsonl").symlink_to(folder.parent / target)

    assert names(folder, folder) == ["_a=1/e", "a.jsonl", "c.txt", "deep/er/b.jsonl"]
    assert refused(folder, folder) == {"deep/link.jsonl": LEAVES}
    assert refused(f"{folder}/*.jsonl", folder) == {}
    assert refused(f"{folder}/d*", folder) == {"deep/link.jsonl": LEAVES}


def test_a_link_by_way_of_another_leaves_too(folder):
    (folder / ".way").symlink_to(folder.parent / "secret")
    (folder / "x.jsonl").symlink_to(".way/passwd.jsonl")

    assert refused(folder, folder) == {"x.jsonl": LEAVES}


@pytest.mark.covers("case symlink-in-input-folder")
def test_links_that_go_round_in_a_circle_end(folder):
    (folder / "deep" / "up").symlink_to("..")
    (folder / "deep" / "er" / "self").symlink_to(".")
    (folder / "me").symlink_to("me")

    assert names(folder, folder) == ["_a=1/e", "a.jsonl", "c.txt", "deep/er/b.jsonl"]
    assert refused(folder, folder) == {"me": NOWHERE}
    assert not walk(str(folder)).is_plain


def test_links_inside_the_folder_are_followed_once(folder):
    # As Kubernetes mounts files: every name is a link into a hidden folder.
    (folder / "..data").symlink_to(".hidden")
    (folder / "d.jsonl").symlink_to("..data/d.jsonl")
    (folder / "one").symlink_to(".hidden")
    (folder / "two").symlink_to(".hidden")

    assert names(folder, folder)[3:] == ["d.jsonl", "deep/er/b.jsonl", "one/d.jsonl"]
    assert refused(folder, folder) == {}


def test_the_folder_itself_may_be_a_link(folder):
    place = folder.parent / "place"
    place.symlink_to(folder)

    assert names(place, place) == names(folder, folder)
    assert walk(str(place)).is_plain


@pytest.mark.covers("case symlink-in-input-folder")
def test_a_name_that_is_not_utf_8_is_refused_and_can_be_printed(folder):
    (folder / os.fsdecode(b"f\xff\x1b[31m.jsonl")).write_text("x")

    assert refused(folder, folder) == {"f\\xff\\x1b[31m.jsonl": NOT_UTF8}


def test_a_pipe_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "way.jsonl").symlink_to("pipe.jsonl")

    assert refused(folder, folder) == {"pipe.jsonl": NO_FILE, "way.jsonl": NO_FILE}


def test_a_place_that_is_not_there_holds_nothing(tmp_path):
    found = walk(str(tmp_path / "none" / "*.jsonl"))

    assert (found.files, found.is_plain) == ([], True)
