{#-
    CTE `links`: for each life that a key change began, the event of another key up to which the
    row's values may lie there (docs/semantics.md, unavailable values). It is NULL if nothing is
    known of that row.
-#}
{%- macro fold_links() -%}
{{ debezium_spark._known_origins() }},

origin_events as (

    select
        known_origins.row_key,
        known_origins.life,
        known_origins.origin_key,
        origins.arrival,
        struct(origins.life, origins.arrival) as origin,
        origins.op = 'd'
        and known_origins.creation.place
        = {{ debezium_spark._place('origins.') }} as is_its_delete,
        origins.op = 'd'
        and origins.epoch_pos is not null
        and known_origins.creation.epoch_pos is not null as is_placed_delete,
        {# from the first event on that lies behind the change, nothing counts #}
        bool_and({{ debezium_spark._is_before('origins', 'known_origins.creation') }}) over (
            partition by known_origins.row_key, known_origins.life
            order by origins.arrival
            rows between unbounded preceding and current row
        ) as is_before
    from known_origins
    inner join walk_events as origins
        on
            known_origins.origin_key = origins.row_key
            and origins.is_applied

),

links as (

    select
        row_key,
        life,
        origin_key,
        origin.life as origin_life,
        origin.arrival as origin_arrival
    from (
        select
            row_key,
            life,
            origin_key,
            coalesce(
                {# the first: a repeat of it that a reset lets through ends nothing #}
                min_by(origin, case when is_its_delete then arrival end),
                {# behind another delete, nothing of the renamed row has landed #}
                max_by(
                    case when not is_placed_delete then origin end,
                    case when is_before then arrival end
                )
            ) as origin
        from origin_events
        group by row_key, life, origin_key
    ) as links_to_events

    union all

    {# of an unknown old key, the row that stood under this key is the best guess #}
    select
        row_key,
        life,
        row_key as origin_key,
        life - 1 as origin_life,
        creation.arrival - 1 as origin_arrival
    from known_origins
    where origin_key is null and creation.was_alive

)
{%- endmacro -%}


{#- CTEs `partial_creates` and `known_origins`: which key the row of a `c` had before. -#}
{%- macro _known_origins() -%}
partial_creates as (

    select
        row_key,
        life,
        topic,
        old_key,
        struct(
            arrival,
            topic,
            `partition`,
            incarnation,
            `offset`,
            `timestamp`,
            epoch_pos,
            {{ debezium_spark._place() }} as place,
            was_alive
        ) as creation
    from (
        select
            *,
            coalesce(
                last_value(case when is_applied then op in ('c', 'u', 'r') end) ignore nulls over (
                    partition by {{ debezium_spark.walk_key() }}
                    order by arrival
                    rows between unbounded preceding and 1 preceding
                ),
                false
            ) as was_alive
        from walk_events
    ) as walk_with_past
    where op = 'c' and unavailable is not null and is_applied

),

known_origins as (

    {# without the header, the delete of the same change has the same place #}
    select
        partial_creates.row_key,
        partial_creates.life,
        partial_creates.creation,
        coalesce(
            max(partial_creates.old_key),
            {# of two shards of a table positions can be equal #}
            max(case when partial_creates.topic = deletes.topic then deletes.row_key end),
            max(deletes.row_key)
        ) as origin_key
    from partial_creates
    left join walk_events as deletes
        on
            {{ debezium_spark.table_of('partial_creates.topic') }}
            = {{ debezium_spark.table_of('deletes.topic') }}
            and partial_creates.creation.place = {{ debezium_spark._place('deletes.') }}
            and deletes.op = 'd'
            and deletes.is_applied
            and partial_creates.row_key != deletes.row_key
    group by
        partial_creates.row_key,
        partial_creates.life,
        partial_creates.creation

)
{%- endmacro -%}


{#- SQL: whether an event of the old key lies before the create; `origin`, `creation`: aliases. -#}
{%- macro _is_before(origin, creation) -%}
case
            when {{ origin }}.epoch_pos != {{ creation }}.epoch_pos
                then {{ origin }}.epoch_pos < {{ creation }}.epoch_pos
            when {{ origin }}.topic = {{ creation }}.topic
                and {{ origin }}.`partition` = {{ creation }}.`partition`
                then struct({{ origin }}.incarnation, {{ origin }}.`offset`)
                    < struct({{ creation }}.incarnation, {{ creation }}.`offset`)
            else struct({{ origin }}.incarnation, {{ origin }}.`timestamp`)
                <= struct({{ creation }}.incarnation, {{ creation }}.`timestamp`)
        end
{%- endmacro -%}


{#- SQL: the place of an event (docs/semantics.md, words), NULL without a position. -#}
{%- macro _place(prefix='') -%}
    {{- return(
        'case when ' ~ prefix ~ 'epoch_pos is not null then coalesce(' ~ prefix
        ~ 'epoch_stream_pos, ' ~ prefix ~ 'epoch_pos) end'
    ) -}}
{%- endmacro -%}
