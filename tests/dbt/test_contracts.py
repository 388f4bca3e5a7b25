"""Enforced contracts of our materializations: differences stop a model before it writes."""

from __future__ import annotations

import yaml

from dbt_debezium_spark.text.literals import jinja_text, yaml_text

KINDS = (
    *("debezium_view", "debezium_table", "debezium_append", "debezium_merge"),
    "debezium_versions",
)
# names as a stranger's database may have them
ODD = ["a`b", "it's {{ x }}", "order"]
TYPES = {
    "_cdc_key": "string",
    "_cdc_scd_id": "string",
    "amount": "decimal(12,2)",
    "tags": "map<string,array<int>>",
} | {name: "timestamp_ntz" for name in ODD}


# what the macro of a history decides: which columns of a version that is there are written
DECISIONS = "{%- do debezium_spark.decide({'closing_columns': ['amount']}) -%}"


def model(kind: str, types: dict[str, str]) -> str:
    casts = ", ".join(
        f"cast({chr(39) + 'k' + chr(39) if name.startswith('_cdc_') else 'null'} as {kind_of})"
        f" as `{name.replace('`', '``')}`"
        for name, kind_of in types.items()
    )
    head = f"{{{{ config(materialized='{kind}', unique_key='_cdc_key') }}}}"
    if kind == "debezium_versions":
        # says how a row is written, and is no column of the table
        casts += ", 'close' as _cdc_write"
        head += DECISIONS
    return f"{head}\n{{{{ {jinja_text('select ' + casts)} }}}}\n"


def properties(types: dict[str, str | None]) -> str:
    lines = [
        f"      - {{name: {yaml_text(name)}"
        + (f", data_type: {yaml_text(kind)}}}" if kind else "}")
        for name, kind in types.items()
    ]
    head = "models:\n  - name: {name}\n    config: {{contract: {{enforced: true}}}}\n    columns:\n"
    return "".join(
        head.format(name=kind).replace("models:\n", "" if number else "models:\n")
        + "\n".join(lines)
        + "\n"
        for number, kind in enumerate(KINDS)
    )


def files(types: dict[str, str], declared: dict[str, str | None]) -> dict[str, str]:
    return {f"models/{kind}.sql": model(kind, types) for kind in KINDS} | {
        "models/contracts.yml": properties(declared)
    }


def test_the_properties_of_this_test_are_yaml():
    (first, *_), (count,) = yaml.safe_load(properties(TYPES))["models"], (len(KINDS),)
    assert first["columns"][2] == {"name": "amount", "data_type": "decimal(12,2)"}
    assert len(yaml.safe_load(properties(TYPES))["models"]) == count


def test_a_model_that_differs_from_its_contract_is_not_written(dbt_project_factory, target):
    project = dbt_project_factory(files(TYPES, TYPES), target=target)
    project.run("run")
    project.run("run")
    before = {kind: project.version(kind) for kind in KINDS[1:]}

    # a column more than the contract has, and one of another type
    wider = {**TYPES, "amount": "decimal(14,2)", "note": "string"}
    project.write(files(wider, TYPES))
    result = project.invoke("run")

    assert set(result.statuses.values()) <= {"error", "success"}
    assert {result.statuses[kind] for kind in KINDS} == {"error"}
    words = " ".join(result.text.split())
    assert words.count("decimal(14,2) | decimal(12,2) | data type mismatch") >= len(KINDS), words
    assert words.count("missing in contract") >= len(KINDS)
    assert {kind: project.version(kind) for kind in KINDS[1:]} == before
    assert len(project.sql("select * from {schema}.debezium_view")[0]) == len(TYPES)

    # the contract follows
    project.write(files(wider, wider))
    project.run("run")
    for kind in KINDS:
        assert len(project.sql(f"select * from {{schema}}.{kind}")[0]) == len(wider)


def test_a_contract_needs_the_type_of_each_column(dbt_project_factory):
    project = dbt_project_factory(files(TYPES, {**TYPES, "order": None}))

    result = project.invoke("run", "--select", "debezium_view")

    assert result.statuses["debezium_view"] == "error"
    assert "order" in result.text and "data_type" in result.text
