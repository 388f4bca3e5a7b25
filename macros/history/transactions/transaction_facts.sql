{#-
    CTEs that make one row of all that was read of a transaction, each read once: `facts`, its
    events, the counts of its ENDs and its boundaries; `counted_facts` by data collection and
    partition; `table_facts` by table; `transaction_facts`.

    Spark writes a CTE out wherever it is named: with a hundred tables a second use would double a
    large plan. So the control row goes the same way, under its own key.
-#}
{%- macro transaction_facts(config, entries, plan) -%}
{{ debezium_spark._facts(config, entries) }},

{{ debezium_spark.counted_facts() }},

{{ debezium_spark.table_facts() }},

transaction_facts as (

    select
        transaction_key,
        max(transaction_id) as transaction_id,
        array_sort(collect_list(counted_table)) as tables,
        array_sort(collect_list(place)) as places,
        coalesce(bool_or(has_gap), false) as has_gap,
        case when bool_and(has_span) then min(low_pos) end as low_pos,
        case when bool_and(has_span) then max(high_pos) end as high_pos,
        coalesce(bool_or(has_end), false) as has_end,
        max(event_count) as event_count,
        min(began_at) as began_at,
        min(ended_at) as ended_at,
        min(begins).event_id as begin_event_id,
        min(ends).event_id as end_event_id,
        min(end_landing).landed_at as end_landed_at,
        min(first_batch_id) as first_batch_id,
        max(last_landing) as last_landing,
        coalesce(bool_or(has_new), false) as has_new
    from table_facts
    group by transaction_key

)
{%- endmacro -%}


{%- macro _facts(config, entries) -%}
{%- set landing = 'struct(_cdc_batch_id as batch_id, _cdc_landed_at as landed_at)' -%}
facts as (

    select
        {{ debezium_spark._fact({
            'transaction_key': 'transaction_key',
            'transaction_id': 'transaction_id',
            'table_name': 'table_name',
            'event': 'event',
            'collection_order': 'collection_order',
            'low_pos': 'low_pos',
            'high_pos': 'high_pos',
            'batch_id': '_cdc_batch_id',
            'landing': landing,
            'is_new': 'is_new',
        }, config) | indent(8) }}
    from events

    union all

    select
        {{ debezium_spark._fact({
            'transaction_key': 'transaction_key',
            'table_name': adapter.debezium().staging.table_of_collection(
                config, entries, 'told.data_collection'
            ),
            'data_collection': 'told.data_collection',
            'expected': 'try_cast(told.event_count as bigint)',
        }, config) | indent(8) }}
    from boundaries
    lateral view explode(data_collections) as told
    where transaction_key is not null and status = 'END'

    union all

    select
        {{ debezium_spark._fact({
            'transaction_key': 'transaction_key',
            'transaction_id': 'transaction_id',
            '`partition`': '_cdc_partition',
            'place': 'place',
            'status': 'status',
            'event_count': "case when status = 'END' then event_count end",
            'said_at': 'said_at',
            'event_id': "concat_ws(':', _cdc_topic, _cdc_partition, _cdc_offset)",
            'batch_id': '_cdc_batch_id',
            'landing': landing,
            'is_new': 'is_new',
        }, config) | indent(8) }}
    from boundaries
    where transaction_key is not null

    union all

    select
        {{ debezium_spark._fact({'transaction_key': "'!watermark'", 'is_new': 'true'}, config)
            | indent(8) }}

)
{%- endmacro -%}


{#- SQL: the columns of a fact; those that it does not have are NULL. -#}
{%- macro _fact(members, config) -%}
    {%- set types = {
        'transaction_key': 'string',
        'transaction_id': 'string',
        'table_name': 'string',
        'data_collection': 'string',
        'expected': 'bigint',
        'event': debezium_spark._event_type(),
        'collection_order': 'bigint',
        'low_pos': 'string',
        'high_pos': 'string',
        '`partition`': 'int',
        'place': 'struct<incarnation:int,`offset`:bigint>',
        'status': 'string',
        'event_count': 'bigint',
        'said_at': 'timestamp',
        'event_id': 'string',
        'batch_id': 'bigint',
        'landing': 'struct<batch_id:bigint,landed_at:timestamp>',
        'is_new': 'boolean',
    } -%}
    {%- for name, type in types.items() %}
    {{- members.get(name, 'cast(null as ' ~ type ~ ')') }} as {{ name }}
    {{- ',\n' if not loop.last }}
    {%- endfor -%}
{%- endmacro -%}
