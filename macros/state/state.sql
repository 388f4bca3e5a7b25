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
    {%- if not debezium_spark.is_running() -%}
        {{- return(debezium_spark.walked_rows(
            config, staging, columns, debezium_spark.whole_plan(config, table, columns)
        )) -}}
    {%- endif -%}
    {%- set plan = debezium_spark.profile(config, table, staging, columns) -%}
    {%- set staging = plan.staging -%}
    {#- all rows replace the table: a MERGE would leave rows of keys that no longer exist -#}
    {%- do debezium_spark.decide({
        'nothing_new': plan.nothing_new,
        'replaces_table': plan.watermark is none and not plan.nothing_new,
        'watermark': plan.watermark,
        'keys_are_set': true,
        'key_hashes': plan.key_hashes,
    }) -%}
    {%- if plan.marks_rows -%}
        {%- do debezium_spark.decide({
            'marked_rows': debezium_spark.mark_rows(config, staging, plan)
        }) -%}
    {%- endif -%}
    {%- if plan.is_in_order -%}
        {%- if plan.watermark is not none -%}
            {%- do debezium_spark.decide({
                'merge_values': debezium_spark.merge_values(plan),
            }) -%}
        {%- endif -%}
        {{- return(debezium_spark.in_order(config, staging, columns, plan)) -}}
    {%- endif -%}
    {%- if plan.follows_origins and plan.lookup_columns -%}
        {%- do plan.update({'chains': debezium_spark.write_chains(config, staging, plan)}) -%}
    {%- endif -%}
    {{- return(debezium_spark.walked_rows(config, staging, columns, plan)) -}}
{%- endmacro -%}


{#- SQL: which staged rows are events of a row (docs/semantics.md, words). -#}
{%- macro is_row_event() -%}
    {{- return("_cdc_key is not null and _cdc_op in ('c', 'u', 'd', 'r', 'tombstone')") -}}
{%- endmacro -%}


{#- SQL: the event kind, by which the walk treats an event. -#}
{%- macro event_kind() -%}
case
    {#- it lies before the horizon of a retention #}
    when _cdc_snapshot like 'settled/%' then 'settled'
    when _cdc_op = 'tombstone' then 'tombstone'
    when _cdc_op = 'r' and _cdc_snapshot = 'incremental' then 'incremental'
    when _cdc_op = 'r' then 'full'
    else 'stream'
end
{%- endmacro -%}


{#- SELECT list: where an event lies, in its topic and, within its epoch, in the source's log. -#}
{%- macro event_place(config) -%}
_cdc_topic as topic,
{{ debezium_spark.event_incarnation(config) }} as incarnation,
_cdc_partition as `partition`,
_cdc_offset as `offset`,
_cdc_timestamp as `timestamp`,
{{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
{{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
{{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }} as epoch_identity
{%- endmacro -%}


{#-
    SQL: what two deliveries of an event share, and no other event of its key; NULL for tombstones.
-#}
{%- macro fold_identity(config) -%}
case
    when _cdc_op = 'r' then concat('r/', _cdc_identity)
    when _cdc_op in ('c', 'u', 'd')
        then concat(_cdc_op, '/', {{ debezium_spark.event_epoch(config) }}, '/',
            {{ debezium_spark.log_identity() }})
end
{%- endmacro -%}
