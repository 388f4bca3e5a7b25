{#-
    One row per key ever seen, deleted keys included (docs/semantics.md). The rows are a function of
    the staged events and of the configuration: how events were cut into batches does not show.
-#}
{%- macro state(source, table, staging, key, columns) -%}
    {{- return(
        adapter.dispatch('state', 'debezium_spark')(source, table, staging, key, columns)
    ) -}}
{%- endmacro -%}


{%- macro default__state(source, table, staging, key, columns) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- do debezium_spark.check_columns('state', table, columns) -%}
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
    {%- if not key -%}
        {{- return(debezium_spark.keyless_state(config, table, staging, columns)) -}}
    {%- endif -%}
    {%- set feed = debezium_spark.has_feed(config, table) -%}
    {%- set has_before = debezium_spark.has_complete_before(config, table, always=true) -%}
    {%- set closes = ((config.get('tables') or {}).get(table) or {}).get('close_unseen', false) -%}
    {%- if not debezium_spark.is_running() -%}
        {%- set plan = debezium_spark.fold_plan(columns) -%}
        {%- do plan.update({'closes': closes, 'feed': feed, 'has_before': has_before}) -%}
        {{- return(debezium_spark.fold_sql(config, staging, columns, plan)) -}}
    {%- endif -%}
    {%- set plan = debezium_spark.choose_fold_plan(
        config, staging, columns, closes, feed, has_before
    ) -%}
    {%- if plan.follows_origins and not plan.nothing_new -%}
        {%- do plan.update({'chains': debezium_spark.write_chains(config, staging, plan)}) -%}
        {%- do debezium_spark.decide({'has_chains': true}) -%}
    {%- endif -%}
    {#- all rows replace the table: a MERGE would leave rows of keys that no longer exist -#}
    {%- do debezium_spark.decide({
        'nothing_new': plan.nothing_new,
        'replaces_table': plan.watermark is none and not plan.nothing_new,
        'keys_are_set': true,
        'key_hashes': plan.key_hashes,
    }) -%}
    {%- if plan.in_order and plan.watermark is not none -%}
        {%- do debezium_spark.decide(debezium_spark.preserved_columns()) -%}
    {%- endif -%}
    {{- return(debezium_spark.fold_sql(config, staging, columns, plan)) -}}
{%- endmacro -%}
