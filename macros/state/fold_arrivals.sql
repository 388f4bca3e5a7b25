{#-
    CTEs `arrivals` and `neighbours`: each event's place in its key's arrival, and what came before
    it (docs/semantics.md, arrival).
-#}
{%- macro fold_arrivals(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
{%- set walk_key = debezium_spark.walk_key() -%}
arrivals as (

    {{ debezium_spark.events_with_arrival(
        'events', plan.several_partitions, 'state_fold.is_moved', walk_key
    ) | indent(4) }}

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
        {%- if plan.several_partitions %},
        {# the delete of a tombstone lies in its partition: others of its moment do not count #}
        last_value(case when op != 'tombstone' then op end) ignore nulls over (
            {{ debezium_spark.moment_in_partition_order(walk_key) }}
            rows between unbounded preceding and 1 preceding
        ) as op_of_moment
        {%- endif %}
    from arrivals

)
{%- endmacro -%}


{#-
    SQL: the hash comes first, because a sort compares the first eight bytes, and keys begin alike.
-#}
{%- macro walk_key() -%}key_hash, row_key{%- endmacro -%}


{#- SQL: every window over a key's events. -#}
{%- macro arrival_order(plan) -%}
    {{- return(
        'partition by ' ~ debezium_spark.walk_key() ~ ' order by '
        ~ debezium_spark.arrival_columns(plan.several_partitions)
    ) -}}
{%- endmacro -%}
