{#-
    State of a table without a key: one row per content with its `_cdc_count`, 0 for contents that
    are gone. Rows cannot be identified, so a run with new events counts the whole log again
    (docs/semantics.md, tables without a key). Of events, and the contents then:

    | op | before | after |     | content | _cdc_count |
    |----|--------|-------|     |---------|------------|
    | c  |        | (a)   | --> | (a)     | 1          |
    | c  |        | (a)   |     | (b)     | 1          |
    | u  | (a)    | (b)   |
-#}
{%- macro keyless_state(config, table, staging, columns) -%}
    {%- set is_run = debezium_spark.is_running() -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() if is_run -%}
    {%- set highest = debezium_spark.batch_watermark(staging) if is_run -%}
    {%- set complete_before = adapter.debezium().staging.has_complete_before(config, table) -%}
    {%- set fingerprint = debezium_spark.fold_fingerprint(
        config, columns + [complete_before], staging
    ) -%}
    {%- set is_current = (
        checkpoint
        and checkpoint.configuration == fingerprint
        and highest is not none
        and highest <= checkpoint.batch_id
    ) -%}
    {%- set replaces_table = (
        is_run and (not checkpoint or checkpoint.configuration != fingerprint)
    ) -%}
    {%- do debezium_spark.decide({
        'nothing_new': is_current,
        'replaces_table': replaces_table,
        'watermark': checkpoint.batch_id if checkpoint,
    }) -%}
    {{- return(
        debezium_spark.keyless_sql(
            config,
            debezium_spark.as_found(staging, highest if is_run else none),
            columns,
            complete_before,
            highest,
            tojson({'configuration': fingerprint})
        )
    ) -}}
{%- endmacro -%}


{%- macro keyless_sql(config, staging, columns, complete_before, highest_batch, checkpoint) -%}
with

{{ debezium_spark.keyless_events(config, staging, columns, complete_before) }},

{%- if complete_before %}

{{ debezium_spark.keyless_snapshots() }},

truncates as (

    {{ debezium_spark.known_truncates(config, staging, {'watermark': none}) | indent(4) }}

),

{%- endif %}

{{ debezium_spark.counted_events(complete_before) }},

{{ debezium_spark.keyless_multiset(complete_before) }},

rows as (

    select
        row_key as _cdc_key,
        last_batch_id as _cdc_batch_id,
        {%- for column in columns %}
        image.{{ debezium_spark.quote(column) }} as {{ debezium_spark.quote(column) }},
        {%- endfor %}
        last_event.op as _cdc_op,
        times <= 0 as _cdc_is_deleted,
        last_event.pos as _cdc_pos,
        last_event.source_at as _cdc_source_at,
        cast(null as array<string>) as _cdc_unavailable,
        greatest(times, 0) as _cdc_count,
        {{ debezium_spark.state_columns() | indent(8) }},
        cast(null as string) as _cdc_marks
    from multiset

    {%- if highest_batch is not none and highest_batch is defined %}

    union all

    select
        '!watermark' as _cdc_key,
        cast({{ highest_batch }} as bigint) as _cdc_batch_id,
        {%- for column in columns %}
        null as {{ debezium_spark.quote(column) }},
        {%- endfor %}
        cast(null as string) as _cdc_op,
        true as _cdc_is_deleted,
        cast(null as string) as _cdc_pos,
        cast(null as timestamp) as _cdc_source_at,
        cast(null as array<string>) as _cdc_unavailable,
        cast(0 as bigint) as _cdc_count,
        {{ debezium_spark.state_columns() | indent(8) }},
        {{ debezium_spark.text_literal(checkpoint) }} as _cdc_marks
    {%- endif %}

)

select * from rows
{%- endmacro -%}
