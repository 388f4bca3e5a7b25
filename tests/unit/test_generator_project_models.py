"""What the models that a project has mean for those about to be written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.generator import Change, existing_models, plan_changes
from dbt_debezium_spark.generator.existing_models import refused_tables, removed_column_messages
from dbt_debezium_spark.generator.observability import (
    SUBJECTS,
    observability_models,
    observability_subject,
)
from dbt_debezium_spark.generator.project_files import EVENT_PREFIX, read_events
from dbt_debezium_spark.text.literals import argument_text
from tests.support.generated_text import generate, path_of, results_of, row

WIDE = [row(key=1), row(column="name", position=2), row(column="amount", position=3)]
TOPIC = "pg.public.customers"
CONFIG = {"name": "content"}
COLLECTION: dict[str, Any] = {
    "name": "inv.a",
    "model": "a",
    "is_collection": True,
    "evidence": "sample",
    "fields": [{"name": "kept"}],
}
PROBLEM = {"kind": "problem", "source": "shop", "table": "public.t"}


def model(name: str, source: str = "shop", **changes: Any) -> dict[str, Any]:
    meta = {"source": source, "table": "public.t", "model": "t"}
    return {"name": name, "meta": meta, "paths": [f"{name}.sql", ""], **changes}


def no_variable(name: str, default: Any = None) -> Any:
    return default


def vanished(collection: dict[str, Any], *fields: str) -> list[str]:
    state = model("state_content__a", fields=[{"name": field} for field in fields])
    told = removed_column_messages(CONFIG, collection, [state], no_variable)
    return [one["message"] for one in told]


def test_fields_that_the_sample_or_the_configuration_has_no_more_are_told() -> None:
    words = "column 'gone' of table 'inv.a' is no longer generated: "
    assert vanished(COLLECTION, "kept", "gone") == [words + "no document of the sample has it."]
    configured = {**COLLECTION, "evidence": "configuration"}
    assert vanished(configured, "gone") == [words + "the configuration does not name it."]


def test_nothing_vanishes_from_a_model_that_is_not_there_or_does_not_tell() -> None:
    assert removed_column_messages(CONFIG, COLLECTION, [], no_variable) == []
    table = {
        "name": "public.t",
        "model": "t",
        "key": [],
        "image_columns": [],
        "last_position": None,
    }
    taken_over = model("stg_content__t", raw_code="select 1")
    assert removed_column_messages(CONFIG, table, [taken_over], no_variable) == []


def test_refused_tables_keep_all_their_files() -> None:
    models = [model("stg_shop__t"), model("cur_shop__t"), model("stg_erp__t", "erp")]
    assert refused_tables(models, [PROBLEM, {"kind": "file", "source": "erp"}], []) == [
        {
            "source": "shop",
            "table": "public.t",
            "model": "t",
            "paths": ["stg_shop__t.sql", "cur_shop__t.sql"],
        }
    ]
    # refused in one respect only: a damaged schema beside good ones
    assert refused_tables(models, [PROBLEM], [{"source": "shop", "name": "public.t"}]) == []


def test_a_refused_table_of_any_name_keeps_its_files() -> None:
    name = "public.it's {{ x }}"
    properties = {"source": "shop", "table": argument_text(name), "model": "its"}
    models = [model("stg_shop__its", meta=properties)]

    (kept,) = refused_tables(models, [{**PROBLEM, "table": name}], [])

    assert kept["table"] == name and kept["paths"] == ["stg_shop__its.sql"]


def test_observability_covers_kept_tables_and_those_of_other_sources() -> None:
    kept = [{"source": "shop", "table": "public.it's", "model": "its"}]
    others = [model("raw_erp", "erp"), model("stg_erp__t", "erp"), model("stg_shop__old")]
    found = {
        one.name: dict(one.arguments)
        for one in observability_models(["shop"], [], kept, others, {"erp": {}})
    }
    assert list(found) == [subject.name for subject in SUBJECTS if subject.option is None]
    assert found["quarantine"]["raws"] == [
        "('erp', ref('raw_erp')),",
        "('shop', ref('raw_shop')),",
    ]
    assert found["quarantine"]["stagings"] == [
        "{'source': 'erp', 'table': 'public.t', 'relation': ref('stg_erp__t')},",
        r"{'source': 'shop', 'table': 'public.it\'s', 'relation': ref('stg_shop__its')},",
    ]


def test_an_entry_too_long_for_a_line_stands_on_several() -> None:
    kept = [{"source": "shop", "table": "public." + "t" * 60, "model": "t"}]
    (_, quarantine, _) = observability_models(["shop"], [], kept, [], {})
    (entry,) = dict(quarantine.arguments)["stagings"]
    assert entry.startswith("{\n                'source': 'shop',\n") and entry.endswith("},")


def test_without_tables_there_is_nothing_to_observe() -> None:
    assert observability_models(["shop"], [], [], [model("raw_erp", "erp")], None) == []
    documents = {"shop": {"connector": "mongodb"}}
    kept = [{"source": "shop", "table": "inv.a", "model": "a"}]
    names = [one.name for one in observability_models(["shop"], [], kept, [], documents)]
    assert names == ["tables", "quarantine", "drift"]


@pytest.mark.parametrize("bound", [{}, {"max_lag": "1 hour"}])
def test_lateness_is_tested_if_a_source_bounds_it(bound: dict[str, str]) -> None:
    kept = [{"source": name, "table": f"{name}.a", "model": "a"} for name in ("shop", "erp")]
    (tables, *_) = observability_models(["shop", "erp"], [], kept, [], {"shop": bound, "erp": {}})

    first = dict(tables.arguments)["stagings"][0]
    assert "'relation': ref('stg_erp__a')" in first and "'state': ref('state_erp__a')" in first
    reported = ['"unexplained > 0"', '"unavailable_values > 0"']
    assert tables.tests[:2] == [("reports_nothing", one) for one in reported]
    assert tables.tests[2:] == ([("never_late", None)] if bound else [])


def test_every_subject_names_its_tables() -> None:
    for subject in SUBJECTS:
        assert observability_subject(subject.name) is subject
        names = [name for name, _, _ in subject.columns]
        assert names[:2] == ["source_name", "table_name"]


# -- as `generate` tells it ------------------------------------------------------------------------


def staging_of(rows):
    """Return the staging model of the rows as a node of the project."""
    files, _ = generate(rows)
    path = path_of("stg_shop__customers")
    meta = {"debezium_spark": {"source": "shop", "table": "public.customers", "model": "customers"}}
    node = {"name": "stg_shop__customers", "raw_code": files[path], "meta": meta, "path": path}
    return [node]


@pytest.mark.covers("case quarantined-record-decides-layout")
def test_a_column_that_vanishes_is_told_with_the_record_that_says_so():
    narrow = [row(key=1, last_position=f"{TOPIC}:0:3")]
    told = (
        "of table 'public.customers' is no longer generated: record pg.public.customers:0:3"
        " is the last one in the source's log and does not have it. If it is wrong:"
        " debezium_sources.shop.ignore_records."
    )
    assert generate(narrow, models=staging_of(WIDE))[1] == [
        ("warning", f"column 'name' {told}"),
        ("warning", f"column 'amount' {told}"),
    ]


def test_a_key_that_vanishes_is_told_and_nothing_where_nothing_does():
    keyless = [{**one, "is_key": False, "key_position": None} for one in WIDE]
    ((_, text),) = generate(keyless, models=staging_of(WIDE))[1]
    assert text.startswith("the key (id) of table 'public.customers' is no longer generated")
    for before in (WIDE, WIDE[:1]):
        assert generate(WIDE, models=staging_of(before))[1] == []


def test_only_a_model_with_other_lists_is_compiled_for_what_it_loses(monkeypatch):
    models = staging_of(WIDE)
    monkeypatch.setattr(existing_models, "staging_call", None)
    assert generate(WIDE, models=models)[1] == []
    for other in (WIDE[:2], [{**one, "is_key": False, "key_position": None} for one in WIDE]):
        with pytest.raises(TypeError):
            generate(other, models=models)


def test_a_refused_table_keeps_its_models_and_its_place_in_observability():
    refused = [*WIDE, row(column="_cdc_mine", position=4), row("orders", key=1)]
    results = results_of(refused, models=staging_of(WIDE))
    assert [one["kind"] for one in results if "message" in one] == ["problem"]
    (kept,) = [one for one in results if one["kind"] == "kept"]
    assert kept["path"] == path_of("stg_shop__customers")
    (drift,) = [one for one in results if one.get("path", "").endswith("debezium_obs__drift.sql")]
    assert "ref('stg_shop__customers')" in drift["content"]
    assert "ref('stg_shop__orders')" in drift["content"]


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_kept_file_is_not_removed(tmp_path: Path, is_kept: bool):
    name = path_of("stg_shop__customers")
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("-- generated by debezium-spark generate\n")
    event = EVENT_PREFIX + json.dumps({"kind": "kept", "path": name})
    kept = read_events([event]).kept if is_kept else []
    changes = plan_changes(tmp_path, [], clean_sources=["shop"], kept=kept)
    assert [one.change for one in changes] == ([] if is_kept else [Change.REMOVED])
