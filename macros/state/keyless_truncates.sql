{#- SELECT: truncates at their first arrival: a repeat removes no row that was read since. -#}
{%- macro _keyless_truncates() %}
    select
        of_table,
        collect_list(first_delivery) as list
    from (
        select
            of_table,
            min(struct(
                incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos
            )) as first_delivery
        from staged_events
        where op = 't'
        group by of_table, {{ debezium_spark.truncate_identity() }}
    ) as first_truncates
    group by of_table
{% endmacro -%}


{#-
    SQL: a truncate after all reads of the snapshot removed the event's row (docs/semantics.md,
    truncates).
-#}
{%- macro _is_keyless_truncated() -%}
exists(
    coalesce(truncates.list, array()),
    t -> not exists(
        coalesce(snapshots.snapshot.ends, array()),
        r -> case
            when snapshots.snapshot.topic = t.topic and r.`partition` = t.`partition`
                then r.delivery > struct(t.incarnation, t.`offset`)
            else coalesce(r.`timestamp` > t.`timestamp`, false)
        end
    )
    and {{ debezium_spark.lies_before_truncate(
        'staged_events', "staged_events.op != 'r'"
    ) | indent(4) }}
)
{%- endmacro -%}
