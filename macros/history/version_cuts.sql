{#-
    CTEs up to `cut_events`: each event with the truncate or the snapshot that ends its row before
    the next event (docs/history.md, steps of a key).
-#}
{%- macro version_cuts(config, staging, plan) -%}
{%- set order = 'partition by key_hash, row_key order by arrival' -%}
{%- if plan.truncates %}
truncates as (

    {#- without a position a truncate comes last -#}
    select array_sort(collect_list(first_delivery), (a, b) -> case
        when {{ debezium_spark._truncate_order('a') }} < {{ debezium_spark._truncate_order('b') }}
            then -1
        when {{ debezium_spark._truncate_order('a') }} > {{ debezium_spark._truncate_order('b') }}
            then 1
        else 0
    end) as list
    from (
        select
            min(struct(
                incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos,
                source_at, tx, tx_id, is_drop
            )) as first_delivery
        from (
            {{ debezium_spark.staged_truncates(config, staging) | indent(12) }}
        ) as staged_truncates
        group by {{ debezium_spark.truncate_identity() }}
    ) as first_deliveries

),
{%- endif %}
{%- if plan.closes %}
closings as (

    select array_sort(list, (a, b) -> case
        when struct(a.`timestamp`, a.event_id) < struct(b.`timestamp`, b.event_id) then -1
        when struct(a.`timestamp`, a.event_id) > struct(b.`timestamp`, b.event_id) then 1
        else 0
    end) as list
    from (
        {{ debezium_spark.complete_snapshots(
            debezium_spark.staged_snapshots(config, staging)
        ) | indent(8) }}
    ) as complete_snapshots

),
{%- endif %}

reached_events as (

    select
        {%- if plan.truncates %}
        truncates.list as truncate_list,
        {{ debezium_spark._places_of(
            'truncates.list', 't', debezium_spark.truncate_removes('winner', 'full_read')
        ) | indent(8) }} as removed_by,
        {%- endif %}
        {%- if plan.closes %}
        closings.list as closing_list,
        {{ debezium_spark._places_of(
            'closings.list', 's', debezium_spark.snapshot_closes('winner')
        ) | indent(8) }} as closed_by,
        {%- endif %}
        walk_halves.*
    from walk_halves
    {{- debezium_spark.join_ends(plan) }}

),

next_events as (

    select
        *,
        {%- if plan.truncates %}
        lead(removed_by) over ({{ order }}) as next_removed_by,
        {%- endif %}
        {%- if plan.closes %}
        lead(closed_by) over ({{ order }}) as next_closed_by,
        collect_set(case when kind = 'full' then snapshot_of end)
            over (partition by key_hash, row_key) as own_snapshots,
        {%- endif %}
        lead(1) over ({{ order }}) is null as is_last
    from reached_events

),

cut_events as (

    select
        *,
        case
            when is_upsert
                then coalesce(
                    {%- if plan.truncates %}
                    {{ debezium_spark._truncate_step() | indent(20) }}
                    {{- ',' if plan.closes }}
                    {%- endif %}
                    {%- if plan.closes %}
                    {{ debezium_spark._snapshot_step() | indent(20) }}
                    {%- endif %}
                )
        end as cut
    from next_events

)
{%- endmacro -%}


{#- SQL: places, from 0, of the members of a list that satisfy a condition. -#}
{%- macro _places_of(list, member, condition) -%}
filter(
    transform({{ list }}, ({{ member }}, i) -> if({{ condition }}, i, null)),
    i -> i is not null
)
{%- endmacro -%}


{%- macro _truncate_step() -%}
get(transform(
    transform(
        array_compact(array(array_min(
            array_except(removed_by, coalesce(next_removed_by, array()))
        ))),
        i -> truncate_list[i]
    ),
    t -> named_struct(
        'is_upsert', false,
        'begins_life', false,
        'how', if(t.is_drop, 'drop', 'truncate'),
        'other_key', cast(null as string),
        'step_at', coalesce(t.source_at, t.`timestamp`),
        'source_at', t.source_at,
        'log_pos', coalesce(t.epoch_stream_pos, t.epoch_pos),
        'event_id', concat_ws(':', t.topic, t.`partition`, t.`offset`),
        'incarnation', t.incarnation,
        'tx', t.tx,
        'tx_id', t.tx_id
    )
), 0)
{%- endmacro -%}


{#- A snapshot that read the key did see it, whatever came between. -#}
{%- macro _snapshot_step() -%}
get(transform(
    array_compact(array(array_min(filter(
        array_except(closed_by, coalesce(next_closed_by, array())),
        i -> is_last or not exists(
            own_snapshots,
            r -> r.topic = closing_list[i].topic
            and r.incarnation = closing_list[i].incarnation
            and r.epoch_stream_pos = closing_list[i].epoch_stream_pos
            and r.run_id <=> closing_list[i].run_id
        )
    )))),
    i -> named_struct(
        'is_upsert', false,
        'begins_life', false,
        'how', 'unseen',
        'other_key', cast(null as string),
        'step_at', closing_list[i].source_at,
        'source_at', closing_list[i].source_at,
        'log_pos', {{ debezium_spark.log_place('closing_list[i].epoch_stream_pos') }},
        'event_id', closing_list[i].event_id,
        'incarnation', closing_list[i].incarnation,
        'tx', cast(null as string),
        'tx_id', cast(null as string)
    )
), 0)
{%- endmacro -%}


{%- macro _truncate_order(name) -%}
    {{- return(
        'struct(' ~ name ~ '.epoch_pos is null, ' ~ name ~ '.epoch_pos, ' ~ name ~ '.`timestamp`, '
        ~ name ~ '.topic, ' ~ name ~ '.`partition`, ' ~ name ~ '.`offset`)'
    ) -}}
{%- endmacro -%}
