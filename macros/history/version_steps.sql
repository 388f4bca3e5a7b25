{#-
    CTE `steps`: the steps of each key in order (docs/history.md, steps of a key), from the walk's
    events (`walk`, a relation). Between two events lies at most one cut, a truncate or a snapshot.
-#}
{%- macro version_steps(config, staging, columns, plan, walk) -%}
{%- set cuts = plan.cuts_truncates or plan.cuts_snapshots -%}
{%- set is_new = '_cdc_batch_id > ' ~ plan.watermark if plan.reads_state else 'true' -%}
{{ 'resolved_events' if plan.lookup_columns else 'walk_events' }} as (

    select * from {{ walk }}

),

applied_events as (

    select
        key_hash,
        row_key,
        arrival,
        kind,
        op,
        topic,
        old_key,
        tx,
        tx_id,
        source_at,
        `timestamp`,
        incarnation,
        head,
        concat_ws(':', topic, `partition`, `offset`) as event_id,
        {{ debezium_spark._place() }} as place,
        {%- if config.connector == 'postgresql' %}
        if(op = 'r', {{ debezium_spark.log_place('epoch_stream_pos') }},
            coalesce(epoch_stream_pos, epoch_pos)) as log_pos,
        {%- else %}
        coalesce(epoch_stream_pos, epoch_pos) as log_pos,
        {%- endif %}
        case
            when kind = 'state' then coalesce(head.is_current, false)
            else op in ('c', 'u', 'r')
        end as is_upsert,
        op = 'c' and unavailable is not null as lacks_values,
        {{ debezium_spark.resolved_row(columns, plan) }} as `row`,
        {{ debezium_spark.unknown_columns(plan) }} as still_unknown
        {%- if cuts %},
        {{ debezium_spark._as_winner() | indent(8) }} as winner
        {%- endif %}
        {%- if plan.cuts_snapshots %},
        struct(topic, incarnation, epoch_stream_pos, run_id) as snapshot_of
        {%- endif %}
    from {{ debezium_spark._with_last_read(plan) if cuts else
        ('resolved_events' if plan.lookup_columns else 'walk_events') }}
    where is_applied

),

{{ debezium_spark.key_change_halves(config, staging, is_new) }},

{%- if cuts %}

{{ debezium_spark.version_cuts(config, staging, plan, is_new) }},
{%- endif %}

steps as (

    select
        key_hash,
        row_key,
        arrival,
        {%- if cuts %}
        number,
        if(number = 0, kind, 'cut') as kind,
        if(number = 0, `row`, null) as `row`,
        {%- else %}
        0 as number,
        kind,
        `row`,
        {%- endif %}
        still_unknown,
        head,
        step.*
    from (
        select
            *,
            {%- if cuts %}
            array_compact(array({{ debezium_spark._own_step() }}, cut)) as step_list
            {%- else %}
            {{ debezium_spark._own_step() }} as step
            {%- endif %}
        from {{ 'cut_events' if cuts else 'walk_halves' }}
    ) as events_with_steps
    {%- if cuts %}
    lateral view posexplode(step_list) each_step as number, step
    {%- endif %}

)
{%- endmacro -%}


{#- SQL: an event as a step. -#}
{%- macro _own_step() -%}
named_struct(
            'is_upsert', is_upsert,
            'begins_life', is_upsert
                and (coalesce(lacks_values, false) or previous_key is not null),
            'how', case
                when op = 'c' then if(previous_key is not null, 'key_change', 'insert')
                when op = 'u' then 'update'
                when op = 'r' then 'read'
                when op = 'd' then if(next_key is not null, 'key_change', 'delete')
                else op
            end,
            'other_key', coalesce(previous_key, next_key),
            'step_at', case
                when kind = 'state' then coalesce(head.valid_to, head.valid_from)
                else coalesce(source_at, `timestamp`)
            end,
            'source_at', source_at,
            'log_pos', log_pos,
            'event_id', event_id,
            'incarnation', incarnation,
            'tx', if(kind = 'state', null, tx),
            'tx_id', tx_id
        )
{%- endmacro -%}


{#- SQL: columns of an event whose value nothing tells, NULL without any. -#}
{%- macro unknown_columns(plan) -%}
    {%- set winners = debezium_spark.still_unavailable(plan) -%}
    {{- return(winners | replace('winners.winner.', '')) -}}
{%- endmacro -%}
