"""Groups, exposures and contracts in generated files, as dbt reads them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dbt_debezium_spark.generator.changes import plan_changes
from dbt_debezium_spark.generator.rendering import GeneratedFile, Rendering
from tests.support.generated_text import generate, shop
from tests.support.parsed_project import catalog_row, project_of

# Texts that YAML, Jinja or dbt would read, if they could.
ODD = "it's \"x\": {{ var('canary') }} {% raw %} # no\n- y \\ \u202e ключ"
OWNER = {"name": ODD, "email": "a+b@example.com"}
DASHBOARD = {
    "name": "sales",
    "type": "dashboard",
    "owner": OWNER,
    "label": ODD,
    "url": "https://bi.example/d/1?a=b#c",
    "description": ODD,
    "maturity": "high",
}
ROWS = [
    catalog_row("customers", key=1),
    catalog_row("customers", "na`me", 2, schema={"type": "string"}),
    catalog_row("orders", key=1),
]


def generated(
    options: dict[str, Any], rows: Any = ROWS, **more: Any
) -> tuple[dict[str, str], list[str]]:
    """Return the files that `generate` writes of the tables, and its messages."""
    files, messages = generate(rows, shop(**options), **more)
    return files, [text for _, text in messages]


def model_of(files: dict[str, str], path: str) -> dict[str, Any]:
    return yaml.safe_load(files[path])["models"][0]


def test_files_stay_as_they_are_where_nothing_is_configured():
    before, _ = generated({}, part="all")
    options = {"contract": False, "group": None, "exposures": [], "tables": {}}
    assert generated(options, part="all")[0] == before
    assert not [one for one in before if "groups/" in one or "exposures/" in one]
    assert not [path for path, text in before.items() if "contract" in text or "group:" in text]


def test_a_contract_is_of_current_models_and_a_table_decides_for_itself():
    options = {"contract": True, "tables": {"public.orders": {"contract": False}}}
    files, messages = generated(options, part="all")
    assert messages == []
    with_contract = [path for path, text in files.items() if "contract: {enforced: true}" in text]
    assert with_contract == ["models/current/shop/cur_shop__customers.yml"]
    model = model_of(files, with_contract[0])
    assert model["config"]["contract"] == {"enforced": True}
    assert all(column["data_type"] for column in model["columns"])

    files, _ = generated({"tables": {"public.orders": {"contract": True}}})
    with_contract = [path for path, text in files.items() if "contract: {enforced: true}" in text]
    assert with_contract == ["models/current/shop/cur_shop__orders.yml"]


def test_whatever_is_read_of_a_table_has_its_contract_and_its_group():
    options = {"contract": True, "feed": True, "history": {"names": "dbt", "deleted_rows": True}}
    files, messages = generated({**options, "group": {"name": "finance", "owner": OWNER}})
    assert messages == []
    of_orders = {
        path.split("/")[-1].split("_")[0]: model_of(files, path)
        for path in files
        if path.endswith("_shop__orders.yml")
    }
    assert {*of_orders} == {"stg", "state", "cur", "versions", "hist", "all"}
    assert {model["config"]["group"] for model in of_orders.values()} == {"finance"}
    with_contract = {name for name, model in of_orders.items() if "contract" in model["config"]}
    assert with_contract == {"cur", "hist", "all"}
    for name in with_contract:
        assert all(column["data_type"] for column in of_orders[name]["columns"])


def test_a_group_that_is_defined_elsewhere_is_only_named():
    known = {"group.shop.finance": {"name": "finance", "original_file_path": "models/_owners.yml"}}
    files, messages = generated({"group": "finance"}, groups=known)
    assert messages == [] and not [one for one in files if "groups/" in one]
    assert model_of(files, "models/state/shop/state_shop__orders.yml")["config"]["group"] == (
        "finance"
    )


@pytest.mark.parametrize("path", [None, "models/groups/shop/group_finance.yml"])
def test_a_group_that_nothing_defines_is_left_out_and_told(path):
    groups = {"group.shop.finance": {"name": "finance", "original_file_path": path}} if path else {}
    files, messages = generated({"group": "finance"}, groups=groups)
    (text,) = messages
    assert "group 'finance' of source 'shop' is not defined; its models get no group." in text
    assert "debezium_sources.shop.group: {name: finance, owner: {email: …}}." in text
    assert not [path for path, text in files.items() if "group:" in text]


def test_an_exposure_depends_on_the_current_models_of_its_tables():
    every = {"name": "all_of_it", "type": "ml", "owner": {"name": "x"}}
    options = {"exposures": [{**DASHBOARD, "tables": ["public.orders", "public.none"]}, every]}
    files, messages = generated(options)
    (text,) = messages
    assert "exposure 'sales' names the table 'public.none', which has no models." in text
    first, second = yaml.safe_load(files["models/exposures/shop/exposures_shop.yml"])["exposures"]
    assert first["depends_on"] == ["ref('cur_shop__orders')"]
    assert second == {
        "name": "all_of_it",
        "type": "ml",
        "owner": {"name": "x"},
        "depends_on": ["ref('cur_shop__customers')", "ref('cur_shop__orders')"],
    }


def test_an_exposure_of_no_table_is_not_written():
    files, messages = generated({"exposures": [{**DASHBOARD, "tables": ["public.none"]}]})
    assert len(messages) == 1
    assert not [path for path in files if "exposures" in path]


def test_a_refused_table_that_keeps_its_models_stays_in_exposures():
    meta = {"debezium_spark": {"source": "shop", "table": "public.odd", "model": "odd"}}
    rows = [
        *ROWS,
        catalog_row("odd", key=1),
        catalog_row("odd", "A", 2),
        catalog_row("odd", "a", 3),
    ]
    files, messages = generated(
        {"exposures": [DASHBOARD]}, rows=rows, models=[{"name": "stg_shop__odd", "meta": meta}]
    )
    assert any("odd" in one for one in messages)
    assert "- ref('cur_shop__odd')" in files["models/exposures/shop/exposures_shop.yml"]


def test_dbt_reads_every_text_as_it_was_configured(tmp_path):
    options = {
        "contract": True,
        "group": {"name": "finance", "owner": OWNER},
        "exposures": [DASHBOARD],
    }
    files, messages = generated(options, part="all")
    assert messages == []
    project = project_of(tmp_path / "shop", files)

    manifest = project.run("parse").raw.result

    (group,) = manifest.groups.values()
    assert (group.name, group.owner.name, group.owner.email) == ("finance", ODD, OWNER["email"])
    (exposure,) = manifest.exposures.values()
    for name in ("name", "label", "url", "description"):
        assert getattr(exposure, name) == DASHBOARD[name], name
    assert (exposure.owner.name, exposure.maturity, exposure.type) == (ODD, "high", "dashboard")
    assert exposure.depends_on.nodes == [
        "model.shop.cur_shop__customers",
        "model.shop.cur_shop__orders",
    ]
    nodes = {node.name: node for node in manifest.nodes.values()}
    assert nodes["stg_shop__orders"].config.group == "finance"
    assert nodes["raw_shop"].config.group is None
    assert nodes["cur_shop__orders"].contract.enforced
    assert not nodes["state_shop__orders"].contract.enforced


def test_files_of_groups_and_exposures_go_with_their_configuration(tmp_path):
    options = {"group": {"name": "finance", "owner": OWNER}, "exposures": [DASHBOARD]}
    files, _ = generated(options)
    added = {path for path in files if "groups/" in path or "exposures/" in path}
    assert len(added) == 2
    for path in added:
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(files[path], encoding="utf-8")

    changes = plan_changes(tmp_path, [], ["shop"])

    assert {one.path for one in changes if one.is_drift} == added


def test_a_selection_keeps_the_groups_that_its_models_name():
    files, _ = generated({"group": {"name": "g", "owner": OWNER}, "exposures": [DASHBOARD]})
    rendering = Rendering(
        [
            GeneratedFile(path, text, "shop", "public.orders" if "orders" in path else None)
            for path, text in files.items()
        ]
    )

    kept = {one.path for one in rendering.narrowed(["public.orders"]).files}

    assert "models/groups/shop/group_g.yml" in kept
    assert not [path for path in kept if "exposures" in path or "observability" in path]
