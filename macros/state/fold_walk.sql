{#-
    CTE `walk_events`: each key's events in order (docs/semantics.md, walking a key's events). One
    shuffle and one sort are enough: all windows share partition and order. No recursion is needed:
    an event below the mark never raises it, so the running maximum is the mark. A reset begins a
    new segment, and marks are compared within one. Repeats need a second sort.
-#}
{%- macro fold_walk(plan) -%}
{%- set arrival = debezium_spark.arrival_order(plan) -%}
{{ debezium_spark.fold_arrivals(plan) }},

{{ debezium_spark.fold_tombstones(plan) }},
{%- if plan.checks_repeats %}

{{ debezium_spark.fold_repeats(plan) }},
{%- endif %}

{{ debezium_spark.fold_replays(plan) }},

walk_events as (

    select
        *,
        is_deleting_tombstone
        or kind != 'tombstone' and not is_replay as is_applied,
        coalesce(
            count_if(
                is_deleting_tombstone
                or kind = 'state' and op in ('d', 'tombstone')
                or kind = 'stream' and op = 'd' and not is_replay
            ) over (
                {{ arrival }}
                rows between unbounded preceding and 1 preceding
            ),
            0
        )
        {# a create that lacks values renames a row: what lay under its key is another row #}
        + count_if(op = 'c' and unavailable is not null and not is_replay) over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as life
    from classified_events

)
{%- endmacro -%}
