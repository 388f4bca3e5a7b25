{#-
    SELECT of the rows of `transactions`. `plan`: `watermarks` of what was counted by '' and table,
    none for all; `earliest`: see `_known_transactions`; `ends`, `highest_ended`: what earlier runs
    knew of the topic and of ended transactions; `checkpoint`: what this run leaves to the next.
-#}
{%- macro transactions_sql(config, raw, topic, entries, plan) -%}
with

{{ debezium_spark.boundaries(config, raw, topic, plan) }},

{{ debezium_spark.transaction_events(config, entries, plan) }},

{{ debezium_spark.transaction_facts(config, entries, plan) }},

{{ debezium_spark.transaction_statuses(plan) }}

select
    transaction_key as _cdc_key,
    transaction_id,
    status,
    event_count,
    tables,
    began_at,
    ended_at,
    low_pos,
    high_pos,
    has_gap,
    places,
    begin_event_id,
    end_event_id,
    end_landed_at,
    first_batch_id,
    {%- if plan.checkpoint %}
    {%- set highest = plan.checkpoint.batches.values() | max %}
    case
        when transaction_key = '!watermark' then cast({{ highest }} as bigint)
        else last_landing.batch_id
    end as _cdc_batch_id,
    case
        when transaction_key = '!watermark' then newest_landing.landed_at
        else last_landing.landed_at
    end as _cdc_landed_at,
    case
        when transaction_key = '!watermark'
            then {{ debezium_spark._transaction_marks(plan) | indent(12) }}
    end as _cdc_marks
    {%- else %}
    last_landing.batch_id as _cdc_batch_id,
    last_landing.landed_at as _cdc_landed_at,
    cast(null as string) as _cdc_marks
    {%- endif %}
from statuses

union all

select
    concat_ws(':', '!unreadable', _cdc_topic, place.incarnation, _cdc_partition, _cdc_offset)
        as _cdc_key,
    cast(null as string) as transaction_id,
    'unreadable' as status,
    cast(null as bigint) as event_count,
    cast(null as {{ debezium_spark._tables_type() }}) as tables,
    cast(null as timestamp) as began_at,
    cast(null as timestamp) as ended_at,
    cast(null as string) as low_pos,
    cast(null as string) as high_pos,
    false as has_gap,
    cast(null as {{ debezium_spark._places_type() }}) as places,
    concat_ws(':', _cdc_topic, _cdc_partition, _cdc_offset) as begin_event_id,
    cast(null as string) as end_event_id,
    cast(null as timestamp) as end_landed_at,
    _cdc_batch_id as first_batch_id,
    _cdc_batch_id,
    _cdc_landed_at,
    cast(null as string) as _cdc_marks
from boundaries
where transaction_key is null and is_new
{%- endmacro -%}


{%- macro _event_type() -%}
    {{- return(
        'struct<_cdc_key:string,_cdc_op:string,identity:string,total_order:bigint>'
    ) -}}
{%- endmacro -%}


{%- macro _tables_type() -%}
    {{- return(
        'array<struct<data_collection:string,table_name:string,expected:bigint,landed:bigint>>'
    ) -}}
{%- endmacro -%}


{%- macro _places_type() -%}
    {%- set place = 'struct<incarnation:int,`offset`:bigint>' -%}
    {{- return(
        'array<struct<`partition`:int,first_place:' ~ place ~ ',last_place:' ~ place ~ '>>'
    ) -}}
{%- endmacro -%}


{#- SQL: the checkpoint as JSON, with what the topic showed in this run. -#}
{%- macro _transaction_marks(plan) -%}
to_json(named_struct(
    'configuration', {{ debezium_spark.text_literal(plan.checkpoint.configuration) }},
    'batches', from_json(
        {{ debezium_spark.text_literal(tojson(plan.checkpoint.batches)) }}, 'map<string,bigint>'
    ),
    'ends', ends,
    'highest_ended', highest_ended
))
{%- endmacro -%}
