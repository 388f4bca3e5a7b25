{#-
    CTE `events`: the staged events that a run reads, with their transaction, what tells one from
    another however often it was delivered, and the span that they give it.
-#}
{%- macro transaction_events(config, entries, plan) -%}
{%- set span = debezium_spark._span_of_event(config) -%}
{%- set id = debezium_spark._id_of_event(config) -%}
events as (

    {%- for entry in entries %}
    {%- set is_new = debezium_spark._is_new(plan, entry.table) %}

    select
        {{ debezium_spark.text_literal(entry.table) }} as table_name,
        {{ id }} as transaction_id,
        {{ debezium_spark.transaction_key(config, id) }} as transaction_key,
        struct(
            _cdc_key,
            _cdc_op,
            {{ debezium_spark.log_identity() }} as identity,
            {# changes that can share an identity, and those without one #}
            case
                when coalesce({{ debezium_spark.log_identity() }} like '~%', true)
                    then _cdc_tx_total_order
            end as total_order
        ) as event,
        {{ span.low }} as low_pos,
        {{ span.high }} as high_pos,
        _cdc_tx_collection_order as collection_order,
        _cdc_batch_id,
        _cdc_landed_at,
        {{ is_new or 'true' }} as is_new
    from {{ entry.relation }}
    where
        _cdc_op in ('c', 'u', 'd', 't')
        and {{ id }} is not null
        {%- if is_new %}
        and {{ debezium_spark._is_read(plan, entry.table) }}
        {%- endif %}
    {{- '\n\n    union all' if not loop.last }}
    {%- else %}

    select
        cast(null as string) as table_name,
        cast(null as string) as transaction_id,
        cast(null as string) as transaction_key,
        cast(null as {{ debezium_spark._event_type() }}) as event,
        cast(null as string) as low_pos,
        cast(null as string) as high_pos,
        cast(null as bigint) as collection_order,
        cast(null as bigint) as _cdc_batch_id,
        cast(null as timestamp) as _cdc_landed_at,
        true as is_new
    from range(0)
    {%- endfor %}

)
{%- endmacro -%}


{#- SQL: SQL Server's id is the commit LSN, which each of its events has. -#}
{%- macro _id_of_event(config) -%}
    {%- set id = debezium_spark.transaction_id(config, '_cdc_tx_id') -%}
    {{- return('coalesce(_cdc_pos, ' ~ id ~ ')' if config.connector == 'sqlserver' else id) -}}
{%- endmacro -%}


{#-
    SQL: the lowest and the highest position that an event gives its transaction, NULL where nothing
    shows the order of commits. Reads that SQL Server placed at a commit lie behind its changes, and
    belong to it: its span ends behind them.
-#}
{%- macro _span_of_event(config) -%}
    {%- if config.connector == 'sqlserver' -%}
        {%- set commit = debezium_spark.within_epoch(config, '_cdc_pos') -%}
        {{- return({'low': commit, 'high': 'concat(' ~ commit ~ ", '/~~')"}) -}}
    {%- endif -%}
    {%- if config.connector == 'mongodb' -%}
        {#- staged documents have no position in the stream -#}
        {{- return({'low': 'cast(null as string)', 'high': 'cast(null as string)'}) -}}
    {%- endif -%}
    {%- set position = debezium_spark.within_epoch(config, '_cdc_stream_pos') -%}
    {%- if config.connector == 'oracle' -%}
        {#- what LogMiner gives a truncate is no order of commits -#}
        {%- set position = "case when _cdc_stream_pos like 'x%' then " ~ position ~ ' end' -%}
    {%- endif -%}
    {{- return({'low': position, 'high': position}) -}}
{%- endmacro -%}


{#-
    CTE `counted_keys`: transactions with new records, and open ones, which may have ended since.
-#}
{%- macro counted_keys(plan) -%}
counted_keys as (

    select transaction_key
    from boundaries
    where is_new and transaction_key is not null

    union

    select transaction_key
    from events
    where is_new

    {%- if plan.watermarks is not none %}

    union

    select _cdc_key as transaction_key
    from {{ this }}
    where status = 'open'
    {%- endif %}

)
{%- endmacro -%}
