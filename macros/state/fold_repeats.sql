{#-
    CTE `repeats`: events that were delivered before (docs/semantics.md, words). What came before a
    deleting tombstone does not count.
-#}
{%- macro fold_repeats(plan) -%}
{%- if plan.has_contents %}

occurrences as (

    {# two deliveries by one run of the connector are two changes #}
    select
        *,
        case
            when identity is not null
                and run_id is not null
                and kind = 'stream'
                and epoch_pos is null
                then row_number() over (
                    partition by
                        {{ debezium_spark.walk_key() }}, deleting_tombstones, identity, run_id
                    order by arrival
                )
            else 1
        end as occurrence
    from tombstones

),
{%- endif %}

repeats as (

    select
        *,
        identity is not null
        and (
            row_number() over (
                partition by {{ debezium_spark.walk_key() }}, deleting_tombstones, identity
                {{- ', occurrence' if plan.has_contents }}
                order by arrival
            ) > 1
            or (was_delivered is not null and deleting_tombstones = 0)
        ) as is_repeat
    from {{ 'occurrences' if plan.has_contents else 'tombstones' }}

)
{%- endmacro -%}
