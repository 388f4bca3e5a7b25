{#-
    Truncates (docs/semantics.md, truncates): a rule on a key's winner, whatever happened before it.
    A walk applies it to the rows that it writes, and `mark_rows` to all others, when a truncate
    lands. Three winners and a truncate at position 30:

    | key | kind   | epoch_pos | full read     | is_truncated                       |
    |-----|--------|-----------|---------------|------------------------------------|
    | 1   | stream | 20        | before it     | true                               |
    | 2   | stream | 40        | before it     | false: written behind the truncate |
    | 3   | full   |           | behind it     | false: read behind the truncate    |
-#}


{#-
    SQL: a truncate of `truncates.list` removed the row of a winner. `full_read`: the last full read
    up to it.
-#}
{%- macro is_truncated(winner, full_read) -%}
exists(truncates.list, t -> {{ debezium_spark.truncate_removes(winner, full_read) }})
{%- endmacro -%}


{#- SQL condition: the truncate `t` removes the row of a winner. -#}
{%- macro truncate_removes(winner, full_read) -%}
case
        when {{ full_read }}.topic = t.topic and {{ full_read }}.`partition` = t.`partition`
            then struct({{ full_read }}.incarnation, {{ full_read }}.`offset`)
                > struct(t.incarnation, t.`offset`)
        else coalesce({{ full_read }}.`timestamp` > t.`timestamp`, false)
    end is not true
    and {{ debezium_spark.lies_before_truncate(winner, winner ~ ".kind = 'stream'") }}
{%- endmacro -%}


{#-
    SQL: an event lies before the truncate `t`. `is_streamed`: it is no read.
-#}
{%- macro lies_before_truncate(event, is_streamed) -%}
case
        when {{ is_streamed }} and {{ event }}.epoch_pos is not null and t.epoch_pos is not null
            then {{ event }}.epoch_pos < t.epoch_pos
        when {{ is_streamed }}
            and {{ event }}.epoch_stream_pos is not null
            and t.epoch_stream_pos is not null
            then {{ event }}.epoch_stream_pos < t.epoch_stream_pos
        when {{ event }}.topic = t.topic and {{ event }}.`partition` = t.`partition`
            then struct({{ event }}.incarnation, {{ event }}.`offset`)
                < struct(t.incarnation, t.`offset`)
        when {{ event }}.epoch_stream_pos is not null and t.epoch_stream_pos is not null
            then {{ event }}.epoch_stream_pos < t.epoch_stream_pos
        else coalesce({{ event }}.`timestamp` < t.`timestamp`, false)
    end
{%- endmacro -%}


{#- SELECT: one row with all truncates of the table at their first arrival, by their identity. They
    have no key and are few, so every row looks at all. -#}
{%- macro known_truncates(config, staging, plan) -%}
select collect_list(first_delivery) as list
from (
    select
        min(struct(
            incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos
        )) as first_delivery
    from (
        select * except (tx_id, tx, is_drop)
        from (
            {{ debezium_spark.staged_truncates(config, staging, plan.watermark) | indent(12) }}
        ) as staged_truncates
        {%- if plan.watermark is not none %}

        union all

        {{ debezium_spark.truncates_of_state(this) | indent(8) }}
        {%- endif %}
    ) as deliveries
    group by {{ debezium_spark.truncate_identity() }}
) as first_deliveries
{%- endmacro -%}


{#- SQL: what the deliveries of one truncate share. -#}
{%- macro truncate_identity() -%}
coalesce(epoch_identity, concat_ws(':', topic, incarnation, `partition`, `offset`))
{%- endmacro -%}


{#- SELECT: truncates of the staged log behind a batch. -#}
{%- macro staged_truncates(config, staging, watermark=none) -%}
select
    {{ debezium_spark.event_place(config) | indent(4) }},
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at,
    _cdc_tx_id as tx_id,
    {{ debezium_spark.event_transaction(config) | indent(4) }} as tx,
    _cdc_snapshot <=> 'drop' as is_drop
from {{ staging }}
where _cdc_op = 't'{{ ' and _cdc_batch_id > ' ~ watermark if watermark is not none }}
{%- endmacro -%}


{#- SELECT: the same of the control rows of a state. -#}
{%- macro truncates_of_state(state) -%}
select
    {%- for column in [
        'topic', 'incarnation', 'partition', 'offset', 'timestamp', 'epoch_pos', 'epoch_stream_pos'
    ] %}
    _cdc_fold_{{ column }} as `{{ column }}`,
    {%- endfor %}
    _cdc_fold_highest as epoch_identity,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at
from {{ state }}
where _cdc_key like '!truncate:%'
{%- endmacro -%}
