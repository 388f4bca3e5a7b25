"""What the models that a project has mean for those about to be written."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.generator.observability_models import observability_models
from dbt_debezium_spark.generator.observability_subjects import SUBJECTS, observability_subject
from dbt_debezium_spark.generator.refused_tables import refused_tables
from dbt_debezium_spark.generator.removed_columns import removed_column_messages
from dbt_debezium_spark.literals import argument_text

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
    table = {"name": "public.t", "model": "t", "key": [], "columns": [], "last_position": None}
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
    assert found["lag"]["stagings"] == [
        "{'source': 'erp', 'table': 'public.t', 'relation': ref('stg_erp__t')},",
        r"{'source': 'shop', 'table': 'public.it\'s', 'relation': ref('stg_shop__its')},",
    ]


def test_an_entry_too_long_for_a_line_stands_on_several() -> None:
    kept = [{"source": "shop", "table": "public." + "t" * 60, "model": "t"}]
    lag = observability_models(["shop"], [], kept, [], {})[-1]
    ((_, (entry,)),) = lag.arguments
    assert entry.startswith("{\n                'source': 'shop',\n") and entry.endswith("},")


def test_without_tables_there_is_nothing_to_observe() -> None:
    assert observability_models(["shop"], [], [], [model("raw_erp", "erp")], None) == []
    documents = {"shop": {"connector": "mongodb"}}
    kept = [{"source": "shop", "table": "inv.a", "model": "a"}]
    names = [one.name for one in observability_models(["shop"], [], kept, [], documents)]
    assert names == ["quarantine", "replays", "unavailable", "drift", "lag"]


def test_lateness_is_observed_for_the_sources_that_bound_it() -> None:
    kept = [{"source": name, "table": f"{name}.a", "model": "a"} for name in ("shop", "erp")]
    bounded = {"shop": {"max_lag": "1 hour"}, "erp": {}}
    found = {one.name: one for one in observability_models(["shop", "erp"], [], kept, [], bounded)}

    assert dict(found["source_lateness"].arguments) == {
        "raws": ["('shop', ref('raw_shop')),"],
        "stagings": ["{'source': 'shop', 'table': 'shop.a', 'relation': ref('stg_shop__a')},"],
    }
    (entry,) = dict(found["table_lateness"].arguments)["stagings"]
    assert "'relation': ref('stg_shop__a')" in entry and "'state': ref('state_shop__a')" in entry
    tests = {name: (one.is_tested, one.test, one.condition) for name, one in found.items()}
    assert tests["source_lateness"] == tests["table_lateness"] == (True, "never_late", None)
    assert tests["replays"] == (True, "reports_nothing", '"unexplained > 0"')


def test_every_subject_names_its_tables() -> None:
    for subject in SUBJECTS:
        assert observability_subject(subject.name) is subject
        names = [name for name, _, _ in subject.columns]
        assert names[0] == "source_name"
        assert names[1] == "table_name" or subject.name == "source_lateness"
