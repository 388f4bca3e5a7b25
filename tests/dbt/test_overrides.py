"""A project replaces what a layer of the package does by a macro of its own."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]
TOPIC = "own.public.goods"
# each layer adds a column that only the layer below it has
MACROS = """
{% macro default__staging(
    source, raw, topics, table, key, columns,
    shared_topic=false, schemas=none, former_keys=[], origins=[]
) -%}
{{- return(debezium_spark.default__staging(
    source, raw, topics, table, key, columns + [{'name': 'note', 'type': 'string'}],
    shared_topic, schemas, former_keys, origins
)) -}}
{%- endmacro %}

{% macro default__state(source, table, staging, key, columns) -%}
{{- return(debezium_spark.default__state(source, table, staging, key, columns + ['note'])) -}}
{%- endmacro %}

{% macro default__current(state, columns, keyless=false) -%}
{{- return(debezium_spark.default__current(state, columns + ['note'], keyless)) -}}
{%- endmacro %}
"""
# a template of the generator
TEMPLATE = """
{% macro default__catalog_schemas_model(file) -%}
{{- return(debezium_spark.default__catalog_schemas_model(file).replace(
    "materialized='debezium_append'", "materialized='debezium_append', tags=['of the team']"
)) -}}
{%- endmacro %}
"""
# a model that names no columns, and what a unit test needs to know of them
SHOWN = """
{{ config(materialized='debezium_view') }}
{{ debezium_spark.current(state=ref('state_goods')) }}
"""
UNIT_TEST = """
unit_tests:
  - name: shown__live_rows
    model: shown
    given:
      - input: ref('state_goods')
        format: sql
        rows: |
          select
              1 as id, 'x' as name, 'y' as note, 'c' as _cdc_op, '01' as _cdc_pos,
              timestamp '2026-01-01 00:00:00' as _cdc_source_at, false as _cdc_is_deleted
    expect: {rows: [{id: 1, name: x, note: y}]}
    overrides: {macros: {debezium_spark.table_columns: [id, name]}}
"""


def test_layers_and_templates_can_be_overridden(landed: Callable[..., LandedProject]) -> None:
    files = {
        **table_models("goods", source="own", columns=COLUMNS),
        "macros/layers.sql": MACROS,
        "macros/templates.sql": TEMPLATE,
        "models/shown.sql": SHOWN,
        "models/shown.yml": UNIT_TEST,
    }
    project = landed("own", files)
    log = Log("postgresql").add("c", {"id": 1}, 10, {"id": 1, "name": "a", "note": "mine"})
    project.land_log(1, log, TOPIC)

    built = project.run("build")

    assert project.rows("cur_goods", ["id", "name", "note"]) == [(1, "a", "mine")]
    assert project.rows("shown", ["id", "name", "note"]) == [(1, "a", "mine")]
    assert list(built.statuses.values()).count("pass") == 1

    arguments = json.dumps({"source": "own", "part": "source"})
    generated = project.run("run-operation", "generate", "--args", arguments)
    assert "tags=['of the team']" in generated.text
    assert generated.text.count("==> ") == 6
