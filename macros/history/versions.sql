{#-
    Every version that the rows of a table had (docs/history.md), with what the next run needs; the
    view that `history` makes shows them. The rows are a function of the staged events and of the
    configuration. For a model materialized `debezium_versions`.
-#}
{%- macro versions(source, table, staging, key, columns) -%}
    {{- return(
        adapter.dispatch('versions', 'debezium_spark')(source, table, staging, key, columns)
    ) -}}
{%- endmacro -%}


{%- macro default__versions(source, table, staging, key, columns) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- do debezium_spark.check_columns('versions', table, columns) -%}
    {%- if not key -%}
        {%- do debezium_spark._fail(
            'versions',
            'table ' ~ table ~ ' has no key.',
            'Nothing shows which of its rows became which: configure `key`, or set `history: false`'
            ~ ' for it.',
        ) -%}
    {%- endif -%}
    {#- while dbt parses, only the checks and the refs count -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(staging)) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.up_to_date_with(staging) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set options = debezium_spark.history_options(config, table) or {} -%}
    {%- if not debezium_spark.is_running() -%}
        {%- set plan = debezium_spark.whole_versions_plan(config, table, columns) -%}
        {{- return(debezium_spark.versions_sql(
            config, staging, columns, plan, options,
            '(\n' ~ debezium_spark.version_walk(config, staging, columns, plan) ~ '\n) as walk', {}
        )) -}}
    {%- endif -%}
    {%- set plan = debezium_spark.profile_versions(config, table, staging, columns, options) -%}
    {%- do debezium_spark.decide({
        'nothing_new': plan.nothing_new,
        'watermark': plan.watermark,
        'replaces_table': plan.watermark is none and not plan.nothing_new,
        'key_hashes': plan.key_hashes,
        'statements': debezium_spark.expiry_statements(options, plan),
    }) -%}
    {%- if plan.nothing_new -%}
        {{- return('select * from ' ~ this ~ ' where false') -}}
    {%- endif -%}
    {%- if plan.follows_origins and plan.lookup_columns -%}
        {%- do plan.update({'chains': debezium_spark.write_chains(config, plan.staging, plan)}) -%}
    {%- endif -%}
    {%- set types = debezium_spark.column_types(staging) -%}
    {%- set staging = plan.staging -%}
    {%- set walk = debezium_spark._walk_view() -%}
    {%- do adapter.debezium().run.create_temporary_view(
        walk, debezium_spark.version_walk(config, staging, columns, plan)
    ) -%}
    {%- do debezium_spark.decide({'temporary_views': [walk | string]}) -%}
    {{- return(debezium_spark.versions_sql(
        config, staging, columns, plan, options, walk, types
    )) -}}
{%- endmacro -%}


{#-
    SELECT of the rows that a run writes; `walk`: what `version_walk` selects; `types`: of the
    columns of staging by name in lower case.
-#}
{%- macro versions_sql(config, staging, columns, plan, options, walk, types) -%}
{%- set tracked = debezium_spark.tracked_columns(options, columns) -%}
with

{{ debezium_spark.version_steps(config, staging, columns, plan, walk) }},

{{ debezium_spark.version_transactions(options) }},

{{ debezium_spark.version_boundaries(columns, tracked, types) }},

{{ debezium_spark.version_rows(columns, options, plan) }}

{{ debezium_spark.rows_to_write(staging, columns, options, plan, types) }}
{%- endmacro -%}


{#-
    SELECT: each event of the keys to write with its verdict, its image and the values that it
    lacks. It becomes a temporary view: the steps behind it are another half of a plan that is too
    deep for one.
-#}
{%- macro version_walk(config, staging, columns, plan) -%}
with
{{ 'recursive' if plan.follows_origins and plan.lookup_columns and not plan.chains }}

{{ debezium_spark.walk(config, staging, plan, images=columns) }},

{{ debezium_spark.known_values(plan) }}

select * from known
{%- endmacro -%}


{#- A temporary view beside that of the model's rows. -#}
{%- macro _walk_view() -%}
    {%- set path = {'identifier': this.identifier ~ '__dbt_walk'} -%}
    {{- return(
        this.incorporate(path=path, type='view').include(database=false, schema=false)
            .quote(identifier=true)
    ) -}}
{%- endmacro -%}
