{#-
    CTEs `records` and `boundaries`: the records of the transaction topic that a run reads, with
    `transaction_key`, NULL for one that is no boundary (docs/transactions.md, words).
-#}
{%- macro boundaries(config, raw, topic, plan) -%}
{%- set members = (
    'status:string,id:string,event_count:string,'
    ~ 'data_collections:array<struct<data_collection:string,event_count:string>>,ts_ms:string'
) -%}
{%- set is_new = debezium_spark._is_new(plan, '') -%}
records as (

    select
        from_json(value, 'struct<payload:struct<{{ members }}>,{{ members }}>') as message,
        topic as _cdc_topic,
        partition as _cdc_partition,
        offset as _cdc_offset,
        timestamp as _cdc_timestamp,
        _cdc_batch_id,
        _cdc_landed_at
    from {{ debezium_spark.readable_records(config, raw, [topic]) }}
    where
        {{ adapter.debezium().staging.topic_condition([topic]) }}
        and not {{ debezium_spark.is_null_payload('value') }}
        {%- if is_new %}
        and {{ debezium_spark._is_read(plan, '') }}
        {%- endif %}

),

opened_records as (

    select
        *,
        {%- for member in ['status', 'id', 'event_count', 'data_collections', 'ts_ms'] %}
        coalesce(message.payload.{{ member }}, message.{{ member }}) as {{ member }},
        {%- endfor %}
        struct({{ debezium_spark.event_incarnation(config) }} as incarnation,
            _cdc_offset as `offset`) as place
    from records

),

boundaries as (

    select
        * except (message, event_count, ts_ms),
        {{ debezium_spark.transaction_id(config, 'id') }} as transaction_id,
        case
            when
                {{ debezium_spark.transaction_id(config, 'id') }} <> ''
                and (
                    status = 'BEGIN'
                    or status = 'END'
                    and try_cast(event_count as bigint) is not null
                    and (data_collections is not null or try_cast(event_count as bigint) = 0)
                )
                then {{ debezium_spark.transaction_key(
                    config, debezium_spark.transaction_id(config, 'id')
                ) }}
        end as transaction_key,
        try_cast(event_count as bigint) as event_count,
        timestamp_millis(try_cast(ts_ms as bigint)) as said_at,
        {{ is_new or 'true' }} as is_new
    from opened_records

)
{%- endmacro -%}


{#- SQL: what all records of a transaction have of its id. -#}
{%- macro transaction_id(config, id) -%}
    {%- if config.connector == 'postgresql' -%}
        {#- behind the colon is the LSN of each record -#}
        {{- return('substring_index(' ~ id ~ ", ':', 1)") -}}
    {%- elif config.connector == 'sqlserver' -%}
        {{- return('lower(' ~ id ~ ')') -}}
    {%- endif -%}
    {{- return(id) -}}
{%- endmacro -%}


{#- SQL: the epochs that begin at a moment hold for all topics, hence also for boundaries. -#}
{%- macro transaction_key(config, id) -%}
    {%- set epochs = [] -%}
    {%- for epoch in config.get('epochs') or [] if epoch.get('from') -%}
        {%- do epochs.append(epoch) -%}
    {%- endfor -%}
    {{- return(debezium_spark.within_epoch({'epochs': epochs}, id)) -}}
{%- endmacro -%}


{#- SQL condition: a record landed since the last run; none if all are read. -#}
{%- macro _is_new(plan, table) -%}
    {%- if plan.watermarks is none -%}{{- return(none) -}}{%- endif -%}
    {{- return('_cdc_batch_id > ' ~ plan.watermarks.get(table, -1)) -}}
{%- endmacro -%}


{#- … or may be of a transaction that is counted anew. -#}
{%- macro _is_read(plan, table) -%}
    {%- set is_new = debezium_spark._is_new(plan, table) -%}
    {{- return(
        '(' ~ is_new ~ ' or _cdc_batch_id >= ' ~ plan.earliest ~ ')'
        if plan.earliest is not none else is_new
    ) -}}
{%- endmacro -%}
