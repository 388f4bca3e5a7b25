"""Descriptions of columns become comments of tables and views, which catalogs limit."""

from __future__ import annotations

import re

import yaml

from tests.support.paths import REPOSITORY

MODELS = REPOSITORY / "models"
# COLUMNS_V2.COMMENT of a Hive metastore. Spark gets a longer one in only after every retry of the
# metastore has failed: 20 seconds for each view.
LONGEST = 256


def test_a_shared_description_fits_into_a_comment() -> None:
    text = (MODELS / "_columns__docs.md").read_text(encoding="utf-8")
    found = re.findall(r"{% docs (\w+) %}\n(.*?){% enddocs %}", text, re.DOTALL)
    assert found
    assert [name for name, said in found if not 0 < len(said.strip()) <= LONGEST] == []


def test_a_models_description_of_a_column_fits_into_a_comment() -> None:
    models = [
        (path, model)
        for path in sorted(MODELS.rglob("*.yml"))
        for model in yaml.safe_load(path.read_text(encoding="utf-8")).get("models", [])
    ]
    assert models
    long = [
        (path, model["name"], column["name"])
        for path, model in models
        for column in model.get("columns", [])
        if len(column.get("description", "")) > LONGEST
    ]
    assert long == []
