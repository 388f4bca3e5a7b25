{#-
    CTE `links`: for each life that a key change began, the life its values may lie in
    (docs/semantics.md, unavailable values).
-#}
{%- macro fold_links() -%}
partial_creates as (

    select
        row_key,
        life,
        topic,
        epoch_pos,
        {{ debezium_spark._place() }} as place,
        old_key,
        was_alive
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
        partial_creates.epoch_pos,
        partial_creates.place,
        partial_creates.was_alive,
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
            and partial_creates.place = {{ debezium_spark._place('deletes.') }}
            and deletes.op = 'd'
            and deletes.is_applied
            and partial_creates.row_key != deletes.row_key
    group by
        partial_creates.row_key,
        partial_creates.life,
        partial_creates.epoch_pos,
        partial_creates.place,
        partial_creates.was_alive

),

links as (

    select
        known_origins.row_key,
        known_origins.life,
        {# of an unknown old key, the row that stood under this key is the best guess #}
        coalesce(max(origins.row_key), known_origins.row_key) as origin_key,
        coalesce(
            {# the first: a repeat of it that a reset lets through ends nothing #}
            min(
                case
                    when origins.op = 'd'
                        and {{ debezium_spark._place('origins.') }} = known_origins.place
                        then origins.life
                end
            ),
            max_by(
                origins.life,
                case when origins.epoch_pos < known_origins.epoch_pos then origins.arrival end
            ),
            max_by(origins.life, origins.arrival),
            known_origins.life - 1
        ) as origin_life
    from known_origins
    left join walk_events as origins
        on
            known_origins.origin_key = origins.row_key
            and origins.is_applied
    group by
        known_origins.row_key,
        known_origins.life,
        known_origins.epoch_pos,
        known_origins.was_alive
    having max(origins.row_key) is not null or known_origins.was_alive

)
{%- endmacro -%}


{#- SQL: the place of an event (docs/semantics.md, words), NULL without a position. -#}
{%- macro _place(prefix='') -%}
    {{- return(
        'case when ' ~ prefix ~ 'epoch_pos is not null then coalesce(' ~ prefix
        ~ 'epoch_stream_pos, ' ~ prefix ~ 'epoch_pos) end'
    ) -}}
{%- endmacro -%}
