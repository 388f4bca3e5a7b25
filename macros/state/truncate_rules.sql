{#-
    SELECT: each truncate at its first arrival, by its identity or delivery (docs/semantics.md,
    truncates). `feed`: with when it landed and happened, and with its other deliveries, one of
    which may have counted as the first for a while.
-#}
{%- macro first_truncates(relation, feed=false) -%}
{%- set delivery -%}
named_struct(
    'incarnation', incarnation,
    'timestamp', `timestamp`,
    'topic', topic,
    'partition', `partition`,
    'offset', `offset`,
    'epoch_pos', epoch_pos,
    'epoch_stream_pos', epoch_stream_pos
    {%- if feed %},
    'landing', landing,
    'source_at', source_at
    {%- endif %}
)
{%- endset -%}
select
    {{ debezium_spark.table_of('topic') }} as of_table,
    min(
        {{ delivery | indent(8) }}
    ) as first_delivery
    {%- if feed %},
    collect_list(
        {{ delivery | indent(8) }}
    ) as deliveries
    {%- endif %}
from {{ relation }}
group by
    {{ debezium_spark.table_of('topic') }},
    coalesce(epoch_identity, concat_ws(':', topic, incarnation, `partition`, `offset`))
{%- endmacro -%}


{#-
    SQL branches of a CASE: the event `event` lies before the truncate `t`. `is_streamed`: it is no
    read.
-#}
{%- macro lies_before_truncate(event, is_streamed) -%}
when {{ is_streamed }} and {{ event }}.epoch_pos is not null and t.epoch_pos is not null
    then {{ event }}.epoch_pos < t.epoch_pos
when {{ is_streamed }}
    and {{ event }}.epoch_stream_pos is not null
    and t.epoch_stream_pos is not null
    then {{ event }}.epoch_stream_pos < t.epoch_stream_pos
when {{ event }}.topic = t.topic and {{ event }}.`partition` = t.`partition`
    then struct({{ event }}.incarnation, {{ event }}.`offset`) < struct(t.incarnation, t.`offset`)
when {{ event }}.epoch_stream_pos is not null and t.epoch_stream_pos is not null
    then {{ event }}.epoch_stream_pos < t.epoch_stream_pos
else coalesce({{ event }}.`timestamp` < t.`timestamp`, false)
{%- endmacro -%}
