{#-
    CTEs `arrivals` and `neighbours`: each event's place in its key's arrival, and what came before
    it (docs/semantics.md, arrival).
-#}
{%- macro fold_arrivals(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
{%- set walk_key = debezium_spark.walk_key() -%}
arrivals as (

    {%- if plan.several_partitions %}

    select
        *,
        case when is_moved then `timestamp` end as moved_at,
        case when is_moved then topic end as moved_topic,
        case when is_moved then `partition` end as moved_to
    from (
        select
            *,
            {# seen in several partitions by this batch, by batch and state, or before #}
            coalesce(max(state_fold.is_moved) over (partition by {{ walk_key }}), false)
            or min(struct(topic, `partition`)) over (partition by {{ walk_key }})
            != max(struct(topic, `partition`)) over (partition by {{ walk_key }}) as is_moved
        from events
    ) as events_with_moves
    {%- else %}

    select
        *,
        coalesce(state_fold.is_moved, false) as is_moved
    from events
    {%- endif %}

),

neighbours as (

    select
        *,
        row_number() over ({{ arrival }}) as arrival,
        last_value(
            case when kind = 'state' then state_fold.last_op when op != 'tombstone' then op end
        ) ignore nulls over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as op_before,
        last_value(
            case
                when kind = 'state' then state_fold.tombstone_at
                when op = 'tombstone' then `timestamp`
            end
        ) ignore nulls over (
            {{ arrival }}
            rows between unbounded preceding and 1 preceding
        ) as tombstone_before
    from arrivals

)
{%- endmacro -%}


{#-
    SQL: the hash comes first, because a sort compares the first eight bytes, and keys begin alike.
-#}
{%- macro walk_key() -%}key_hash, row_key{%- endmacro -%}


{#-
    SQL: every window over a key's events, of plain columns: Spark sorts again for each window whose
    order is an expression.
-#}
{%- macro arrival_order(plan) -%}
    {{- return(
        "partition by " ~ debezium_spark.walk_key() ~ " order by is_staged, incarnation, "
        ~ ('moved_at, moved_topic, moved_to, ' if plan.several_partitions else '') ~ '`offset`'
    ) -}}
{%- endmacro -%}
