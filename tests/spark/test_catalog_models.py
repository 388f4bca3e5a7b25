"""The catalog as dbt models, and the commands on top of it, on a project as a user has it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.support.generated_project import GeneratedProject, write_records

RECORDS = ("postgres_2.1.4_create_with_schema", "seq_signal_table_events")


@pytest.fixture
def shop(tmp_path, dbt_project_factory, target, monkeypatch):
    """A fresh project of source `inventory`; no record has arrived yet."""
    project = dbt_project_factory(target=target)
    (tmp_path / "records").mkdir()
    made = GeneratedProject(tmp_path / "shop", project, monkeypatch)
    monkeypatch.chdir(tmp_path)
    made.init("inventory", "PostgreSQL_server")
    return made


@pytest.mark.full
def test_generate_follows_the_records_repeats_itself_and_keeps_what_a_person_wrote(shop, tmp_path):
    empty = shop.generate()
    assert empty.exit_code == 0, empty.output
    assert "contain no table" in empty.stderr
    assert set(shop.files()) == {
        "models/catalog/inventory/catalog_inventory.yml",
        "models/catalog/inventory/catalog_inventory__columns.sql",
        "models/catalog/inventory/catalog_inventory__disagreements.sql",
        "models/catalog/inventory/catalog_inventory__schemas.sql",
        "python_models/raw/raw_inventory.py",
        "python_models/raw/raw_inventory.yml",
    }

    write_records(tmp_path / "records" / "a.jsonl", *RECORDS)
    drift = shop.generate("--check")
    assert drift.exit_code == 1
    assert len(shop.files()) == 6

    first = shop.generate()
    assert first.exit_code == 0, first.output
    written = shop.files()
    assert "models/current/inventory/cur_inventory__customers.sql" in written
    versions = shop.versions()

    again = shop.generate()
    assert again.exit_code == 0, again.output
    assert shop.files() == written
    assert shop.versions() == versions
    assert shop.generate("--check").exit_code == 0

    assert Path.cwd() == tmp_path
    check_models_are_described_and_their_columns_typed(shop)
    check_a_file_taken_over_is_kept_and_a_lost_one_comes_back(shop)


def check_models_are_described_and_their_columns_typed(shop):
    parsed = shop.dbt("parse")

    assert parsed.success, parsed.text
    assert "model.shop.cur_inventory__customers" in parsed.raw.result.nodes
    for path, content in shop.files().items():
        if not path.endswith(".yml"):
            continue
        for model in yaml.safe_load(content)["models"]:
            assert model["description"], path
            # the one column of a state that is listed has tests only
            listed = [one for one in model.get("columns", []) if one["name"] != "_cdc_key"]
            assert all(one["data_type"] for one in listed), path
            assert bool(listed) == (not model["name"].startswith(("stg_", "state_"))), path


def check_a_file_taken_over_is_kept_and_a_lost_one_comes_back(shop):
    mine = shop.folder / "models/current/inventory/cur_inventory__customers.yml"
    lost = shop.folder / "models/staging/inventory/stg_inventory__customers.yml"
    text = mine.read_text().split("\n", 1)[1]
    mine.write_text(text)
    lost.unlink()

    result = shop.generate("--no-build")

    assert result.exit_code == 0, result.output
    assert mine.read_text() == text and lost.exists()
    assert "kept" in result.stdout and "1 created" in result.stdout
