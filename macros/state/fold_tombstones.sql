{#-
    CTE `tombstones`: which tombstones delete their row, because log compaction removed the delete
    before them and they are all that is left of it. A tombstone that a producer sent again is none
    of these.
-#}
{%- macro fold_tombstones(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
{%- set is_deleting -%}
kind = 'tombstone'
        and op_before is distinct from 'd'
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
    from neighbours

)
{%- endmacro -%}
