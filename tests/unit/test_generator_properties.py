"""Properties of generated models: columns, descriptions and data tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.generator.data_tests import model_tests
from dbt_debezium_spark.generator.properties import table_properties
from tests.support.generated_text import (
    SHOP,
    generate,
    path_of,
    properties_of,
    row,
    shop,
    typed,
)
from tests.support.macros import Macros
from tests.support.parsed_project import project_of

CURRENT = "cur_shop__customers"
ID = row(key=1)


def text(column, position=2, **changes):
    return typed(column, position, {"type": "string"}, **changes)


def properties(rows):
    files, messages = generate(rows)
    assert messages == []
    return properties_of(files, CURRENT)


def of_package(name, **arguments):
    return {f"debezium_spark.{name}": {"arguments": arguments}}


# -- columns and descriptions ---------------------------------------------------------------------


def test_a_column_is_described_by_its_comment_alone():
    rows = [ID, row(column="email", position=2, comment="Where to write.")]
    described = [one.get("description") for one in properties(rows)["columns"][:2]]
    assert described == [None, "Where to write."]


def test_a_table_is_described_by_its_comment_and_its_end_in_its_current_model() -> None:
    files, _ = generate([row(key=1, table_comment='Who "buys".', ended_by="dropped")])
    about = {
        layer: properties_of(files, f"{layer}_shop__customers")["description"]
        for layer in ("stg", "state", "cur")
    }
    assert about["cur"].startswith('Who "buys". — Rows of table `public.customers`')
    assert "was dropped" in about["cur"]
    for layer in ("stg", "state"):
        assert "buys" not in about[layer] and "dropped" not in about[layer]


def test_texts_of_strangers_arrive_as_yaml_scalars() -> None:
    name = 'a"\n{{ b }}'
    table: dict[str, Any] = {
        "name": "public.t",
        "model": "t",
        "evidence": "embedded_schema",
        "key": [],
        "decoded": [{"name": name, "data_type": "int", "of": None}],
        "described": {name: {"schema_json": '{"type":"int32"}'}},
        "comment": "<b>\n{{ c }}",
        "ended_by": "renamed to {{ d }}",
    }
    found = table_properties(Macros(SHOP).source_config("shop"), table)
    assert found["cur"].columns[0].name.startswith('"{{ ')
    for words in (found["cur"].description, str(found["stg"].ended_by)):
        assert not set(words) & set("{}<>\n")
    # a key column that is no column of the table is not tested
    keyed = {**table, "key": [{"name": "k"}]}
    assert model_tests(Macros(SHOP).source_config("shop"), keyed) == []


# -- tests of keys --------------------------------------------------------------------------------


@pytest.mark.parametrize("several", [False, True])
def test_that_keys_are_unique_is_tested_on_the_key_of_the_record(several):
    """The case masked-key-column: all rows of the source can have one value in a key column."""
    rows = [row(key=1, is_optional=False)]
    if several:
        rows.append(row(column="part", position=2, key=2, is_optional=False))
    files, _ = generate(rows)

    assert "unique" not in files[path_of(CURRENT, "yml")]
    (key,) = properties_of(files, "state_shop__customers")["columns"]
    assert key == {"name": "_cdc_key", "data_tests": ["not_null", "unique"]}
    tested = [one.get("data_tests") for one in properties_of(files, CURRENT)["columns"]]
    assert tested[: len(rows)] == [["not_null"]] * len(rows)


# -- names that dbt would read --------------------------------------------------------------------


def test_a_column_whose_name_dbt_would_read_is_tested_by_the_model():
    name, argument = 'ref("x")', r"ref\x28\x22x\x22\x29"
    rows = [row(column=name, key=1, is_optional=False), text("a b", enum_values=["S"])]

    model = properties(rows)
    assert "data_tests" not in model["columns"][0]
    accepted = {"accepted_values": {"arguments": {"values": ["S"]}}}
    assert model["columns"][1]["data_tests"] == [accepted]
    assert model["data_tests"][:1] == [of_package("never_null", columns=[argument])]


@pytest.mark.parametrize(
    ("labels", "test", "arguments"),
    [
        ({"enum_values": ["S"]}, "accepted_texts", {"texts": ["S"]}),
        ({"enum_lists": ["S,M"]}, "accepted_values_of_lists", {"lists": ["S,M"]}),
    ],
)
def test_labels_of_a_column_whose_name_dbt_would_read_are_tested_by_the_model(
    labels, test, arguments
):
    model = properties([ID, text("a`b", **labels)])
    assert model["data_tests"][0] == of_package(test, column=r"a\x60b", **arguments)


@pytest.mark.parametrize(
    "name", ["null", "current_date", "select", "order", "Mixed Case", "ключ", "order id", "{{ x }}"]
)
def test_names_of_tested_columns_are_quoted(name):
    column, plain, *_ = properties(
        [row(column=name, key=1, is_optional=False), row(column="plain", position=2)]
    )["columns"]
    assert column["quote"] is True
    assert "quote" not in plain


# -- what dbt configures itself (docs/generate.md) ------------------------------------------------

OWNERS = """\
groups: [{name: finance, owner: {email: finance@example.com}}]
exposures:
  - {name: sales, type: ml, owner: {name: x}, depends_on: [ref('cur_shop__customers')]}
"""
HISTORY = {"names": "dbt", "deleted_rows": True}
WITH_COLUMNS = ("cur", "hist", "all", "asof")


def test_dbt_sets_groups_and_contracts_of_generated_models(tmp_path: Path) -> None:
    options = {"feed": True, "history": HISTORY, "provide_transaction_metadata": True}
    files, _ = generate([ID, text("a`b")], shop(**options), part="all")
    project = project_of(tmp_path / "shop", {**files, "models/owners.yml": OWNERS})
    settings = yaml.safe_load(project.path.joinpath("dbt_project.yml").read_text())
    folders = {"current": True, "feed": True, "asof": True}
    contracts = {folder: {"+contract": {"enforced": True}} for folder in folders}
    history = {"shop": {"hist_shop__customers": {"+contract": {"enforced": True}}}}
    settings["models"] = {"shop": {"+group": "finance", "history": history, **contracts}}
    project.write({"dbt_project.yml": yaml.safe_dump(settings)})

    manifest = project.run("parse").raw.result

    nodes = {node.name: node for node in manifest.nodes.values() if node.resource_type == "model"}
    enforced = {name for name, node in nodes.items() if node.contract.enforced}
    assert enforced == {f"{layer}_shop__customers" for layer in WITH_COLUMNS}
    for name in enforced:
        assert all(column.data_type for column in nodes[name].columns.values()), name
    assert {node.config.group for node in nodes.values()} == {"finance"}
    (exposure,) = manifest.exposures.values()
    assert exposure.depends_on.nodes == ["model.shop.cur_shop__customers"]
