from __future__ import annotations

from pathlib import Path

import pytest

from dbt_debezium_spark.config import (
    ConfigError,
    SourceConfig,
    check_input,
    input_location,
    load_source,
)


def source(path: str) -> SourceConfig:
    return load_source(
        "inventory",
        {
            "inventory": {
                "connector": "postgresql",
                "topic_prefix": "p",
                "input": {"type": "files", "path": path},
            }
        },
    )


@pytest.mark.parametrize(
    "path",
    ["data", "data/", "data/*.jsonl", "data/a.jsonl", "*/x", "data/[ab]*", "s3a://bucket/x*"],
)
def test_folders_files_and_globs_without_matches_are_fine(tmp_path: Path, path: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.jsonl").touch()

    check_input(source(path), str(tmp_path))


def test_absolute_paths_and_file_uris_are_fine(tmp_path: Path) -> None:
    check_input(source(str(tmp_path / "*")), "/elsewhere")
    check_input(source((tmp_path).as_uri()), "/elsewhere")


@pytest.mark.parametrize("path", ["dta", "dta/*.jsonl", "data/b.jsonl", "data/a.jsonl/*"])
def test_a_path_that_is_not_there_is_told(tmp_path: Path, path: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.jsonl").touch()

    with pytest.raises(ConfigError) as raised:
        check_input(source(path), str(tmp_path))

    assert f"debezium_sources.inventory.input.path is `{path}`" in str(raised.value)
    assert "orrect the path" in str(raised.value)


def test_a_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests may be allowed everything, so the answer of the system is replaced.
    monkeypatch.setattr("os.access", lambda path, mode: False)

    with pytest.raises(ConfigError, match="cannot be read"):
        check_input(source("."), str(tmp_path))


def test_relative_paths_count_from_the_project() -> None:
    assert input_location("data/*.jsonl", "/home/me/project") == "/home/me/project/data/*.jsonl"
    assert input_location("../in", "/home/me/project") == "/home/me/in"
    assert input_location("s3a://bucket/x", "/home/me/project") == "s3a://bucket/x"
