"""Descriptions of columns become comments of tables and views, which catalogs limit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.support.paths import REPOSITORY

MODELS = REPOSITORY / "models"
# COLUMNS_V2.COMMENT of a Hive metastore. Spark gets a longer one in only after every retry of the
# metastore has failed: 20 seconds for each view.
LONGEST = 256


def _blocks() -> dict[str, str]:
    text = (MODELS / "_columns__docs.md").read_text(encoding="utf-8")
    found = re.findall(r"{% docs (\w+) %}\n(.*?){% enddocs %}", text, re.DOTALL)
    return {name: said.strip() for name, said in found}


BLOCKS = _blocks()


@pytest.mark.parametrize("name", BLOCKS)
def test_a_shared_description_fits_into_a_comment(name: str) -> None:
    assert 0 < len(BLOCKS[name]) <= LONGEST


@pytest.mark.parametrize("path", sorted(MODELS.rglob("*.yml")), ids=lambda path: path.stem)
def test_a_models_description_of_a_column_fits_into_a_comment(path: Path) -> None:
    models = yaml.safe_load(path.read_text(encoding="utf-8")).get("models", [])
    columns = [(model["name"], one) for model in models for one in model.get("columns", [])]
    long = [
        (model, one["name"]) for model, one in columns if len(one.get("description", "")) > LONGEST
    ]
    assert long == []
