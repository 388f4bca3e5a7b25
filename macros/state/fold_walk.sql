{#-
    CTE `walk_events`: the events of each key in their order, each with what this order shows of it
    (docs/semantics.md, walking a key's events).

    One shuffle by key and one sort by arrival are enough: all windows share their partition and
    order. No recursion is needed: an event below the mark never raises it, so the running maximum
    over all events is the mark. A reset begins a new segment, and marks are compared within a
    segment only. Repeats are looked for where `plan.checks_repeats` is set, by a second sort.
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
        {#
            a create that lacks values renames a row: whatever lay under its key before is another
            row
        -#}
        + count_if(op = 'c' and unavailable is not null and not is_replay) over (
            {{ arrival }}
            rows between unbounded preceding and current row
        ) as life
    from classified_events

)
{%- endmacro -%}
