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
    {%- set complete_before = debezium_spark.has_complete_before(config, table) -%}
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
    {%- do debezium_spark.decide({'nothing_new': is_current, 'replaces_table': replaces_table}) -%}
    {{- return(
        debezium_spark.keyless_sql(
            config,
            staging,
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

{{ debezium_spark.keyless_snapshots() }},

{%- if complete_before %}

{{ debezium_spark.keyless_truncates() }},
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


{#-
    CTE `multiset`: each content with how often the table holds it (docs/semantics.md, tables
    without a key).
-#}
{%- macro keyless_multiset(complete_before) -%}
{%- set identity = ['of_table', 'op', 'identity', 'content', 'is_shared'] | join(',\n        ') -%}
distributed_events as (

    {# both counts below group by these: one shuffle #}
    select * from events
    distribute by
        {{ identity }}

),

deliveries as (

    {# equal identities are different changes within a run, and repeats across runs #}
    select
        {{ identity }},
        run_id,
        min_by(
            struct(after_image, before_image, counts, op, pos, source_at, batch_id, arrival),
            arrival
        ) as first_delivery,
        max_by(struct(op, pos, source_at, arrival), arrival) as last_delivery,
        max(batch_id) as last_batch_id,
        case when not is_shared or (run_id is null and op != 'r') then 1 else count(*) end as times
    from distributed_events
    group by
        {{ identity }},
        run_id

),

changes as (

    select
        min_by(first_delivery, first_delivery.arrival) as event,
        max_by(last_delivery, last_delivery.arrival) as last_delivery,
        max(last_batch_id) as last_batch_id,
        max(times) as times
    from deliveries
    group by
        {{ identity }}

),

contents as (

    select inline(
        filter(
            array(
                {# contents of rows that are gone stay with a count of 0 #}
                case
                    when event.op != 'd'
                        then named_struct(
                            'image', event.after_image,
                            'event', last_delivery,
                            'batch_id', last_batch_id,
                            'times', if(event.counts, times, cast(0 as bigint))
                        )
                end
                {%- if complete_before %},
                case
                    when event.op in ('u', 'd') and event.counts and event.before_image is not null
                        then named_struct(
                            'image', event.before_image,
                            'event', struct(event.op, event.pos, event.source_at, event.arrival),
                            'batch_id', event.batch_id,
                            'times', -times
                        )
                end
                {%- endif %}
            ),
            content -> content is not null
        )
    )
    from changes

),

multiset as (

    select
        sha2({{ debezium_spark.exact_json('image') }}, 256) as row_key,
        any_value(image) as image,
        max_by(event, event.arrival) as last_event,
        max(batch_id) as last_batch_id,
        sum(times) as times
    from contents
    group by sha2({{ debezium_spark.exact_json('image') }}, 256)

)
{%- endmacro -%}
