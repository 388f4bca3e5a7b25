{#-
    CTE `tombstones`: which of them delete their row, because compaction removed the delete before
    them. One that a producer sent again does not.
-#}
{%- macro fold_tombstones(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
{%- set walk_key = debezium_spark.walk_key() -%}
{%- set is_deleting -%}
kind = 'tombstone'
        and {{ 'own_op_before' if plan.several_partitions else 'op_before' }} is distinct from 'd'
        and not coalesce(`timestamp` = tombstone_before, false)
{%- endset -%}
tombstones as (

    select
        *,
        {%- if not plan.checks_repeats %}
        false as is_repeat,
        {%- endif %}
        {{ is_deleting }} as is_deleting_tombstone,
        count_if({{ is_deleting }}) over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as deleting_tombstones
    {%- if plan.several_partitions %}
    from (
        select
            *,
            if(
                is_moved,
                coalesce(
                    op_of_moment,
                    first_value(op_before) over ({{ debezium_spark.moment_order(walk_key) }})
                ),
                op_before
            ) as own_op_before
        from neighbours
    ) as own_neighbours
    {%- else %}
    from neighbours
    {%- endif %}

)
{%- endmacro -%}
