{#-
    SELECT: each truncate of a relation of events as it arrived first, with its table: a repeat
    removes no row that was read since (docs/semantics.md, truncates). A repeat is known by its
    identity, or by its delivery where it has none.
-#}
{%- macro first_truncates(relation) -%}
select
    {{ debezium_spark.table_of('topic') }} as of_table,
    min(
        named_struct(
            'incarnation', incarnation,
            'timestamp', `timestamp`,
            'topic', topic,
            'partition', `partition`,
            'offset', `offset`,
            'epoch_pos', epoch_pos,
            'epoch_stream_pos', epoch_stream_pos
        )
    ) as first_delivery
from {{ relation }}
group by
    {{ debezium_spark.table_of('topic') }},
    coalesce(epoch_identity, concat_ws(':', topic, incarnation, `partition`, `offset`))
{%- endmacro -%}


{#-
    SQL, branches of a CASE: whether an event, named `event`, lies before the truncate `t` of its
    table. `is_streamed`: SQL that distinguishes a change of the stream from a read.
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
