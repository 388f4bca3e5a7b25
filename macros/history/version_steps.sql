{#-
    CTE `steps`: the steps of each key in order (docs/history.md, steps of a key), from the walk's
    events (`walk`, a relation). Between two events lies at most one cut, a truncate or a snapshot.
-#}
{%- macro version_steps(config, staging, columns, plan, walk) -%}
{%- set cuts = plan.truncates or plan.closes -%}
applied_events as (

    select
        key_hash,
        row_key,
        arrival,
        op,
        topic,
        old_key,
        tx,
        tx_id,
        source_at,
        `timestamp`,
        incarnation,
        concat_ws(':', topic, `partition`, `offset`) as event_id,
        {{ debezium_spark.place() }} as place,
        {%- if config.connector == 'postgresql' %}
        if(op = 'r', {{ debezium_spark.log_place('epoch_stream_pos') }},
            coalesce(epoch_stream_pos, epoch_pos)) as log_pos,
        {%- else %}
        coalesce(epoch_stream_pos, epoch_pos) as log_pos,
        {%- endif %}
        op in ('c', 'u', 'r') as is_upsert,
        op = 'c' and unavailable is not null as lacks_values,
        {{ debezium_spark.resolved_row(columns, plan) }} as `row`,
        {{ debezium_spark.still_unavailable(plan, none) }} as still_unknown
        {%- if cuts %},
        kind,
        struct(
            topic, incarnation, `partition`, `offset`, `timestamp`, kind, epoch_pos,
            epoch_stream_pos
        ) as winner,
        last_value(case when kind = 'full' then {{ debezium_spark.delivery() }} end) ignore nulls
            over (
                partition by {{ debezium_spark.walk_key() }} order by arrival
                rows between unbounded preceding and current row
            ) as full_read,
        struct(topic, incarnation, epoch_stream_pos, run_id) as snapshot_of
        {%- endif %}
    from {{ walk }}
    where is_applied

),

{{ debezium_spark.key_change_halves(config, staging, plan.key_hashes) }},

{%- if cuts %}

{{ debezium_spark.version_cuts(config, staging, plan) }},
{%- endif %}

steps as (

    select
        key_hash,
        row_key,
        arrival,
        {%- if cuts %}
        number,
        number > 0 as is_cut,
        if(number = 0, `row`, null) as `row`,
        {%- else %}
        0 as number,
        false as is_cut,
        `row`,
        {%- endif %}
        still_unknown,
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
            'step_at', coalesce(source_at, `timestamp`),
            'source_at', source_at,
            'log_pos', log_pos,
            'event_id', event_id,
            'incarnation', incarnation,
            'tx', tx,
            'tx_id', tx_id
        )
{%- endmacro -%}


{#- SQL: the row that an upsert left, as one struct. -#}
{%- macro resolved_row(columns, plan) -%}
    {%- set members = [] -%}
    {%- for column in columns -%}
        {%- set value = 'image.' ~ debezium_spark.quote(column) -%}
        {%- if column in plan.lookup_columns -%}
            {%- set value = (
                'case when coalesce(array_contains(unavailable, '
                ~ debezium_spark.text_literal(column) ~ '), false) then known_'
                ~ (plan.lookup_columns.index(column) + 1) ~ '.`value` else ' ~ value ~ ' end'
            ) -%}
        {%- endif -%}
        {%- do members.append(value ~ ' as ' ~ debezium_spark.quote(column)) -%}
    {%- endfor -%}
    {{- return('struct(' ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}
