{#-
    What was expected and what landed of each transaction, by table (docs/transactions.md).
    `transactions`: {source, relation, max_age} of each source that provides them; `max_age` in
    seconds.
-#}
{%- macro obs_transactions(transactions) -%}
    {{- return(adapter.dispatch('obs_transactions', 'debezium_spark')(transactions)) -}}
{%- endmacro -%}


{%- macro default__obs_transactions(transactions) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.view_inputs(
        transactions | map(attribute='relation') | list
    ) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for entry in debezium_spark.existing_entries(transactions) -%}
        {%- do parts.append(debezium_spark._transactions_of(entry)) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {{- return(debezium_spark.union_of_parts('transactions', parts)) -}}
{%- endmacro -%}


{%- macro _transactions_of(entry) -%}
select
    {{ debezium_spark.text_literal(entry.source) }} as source_name,
    counted.table_name,
    counted.data_collection,
    transactions.transaction_id,
    case
        when transactions.status != 'incomplete' then transactions.status
        when counted.table_name is null then 'not_modelled'
        when counted.landed < coalesce(counted.expected, 0) then 'incomplete'
        else 'complete'
    end as status,
    counted.expected,
    counted.landed,
    transactions.began_at,
    transactions.ended_at,
    coalesce(transactions.end_event_id, transactions.begin_event_id) as event_id,
    transactions._cdc_batch_id,
    transactions._cdc_landed_at,
    transactions.status = 'unreadable'
    or transactions.status = 'incomplete'
    and counted.landed < counted.expected
    and unix_seconds(newest._cdc_landed_at) - unix_seconds(transactions.end_landed_at)
    > {{ entry.max_age | int }} as is_overdue
from {{ entry.relation }} as transactions
cross join (
    select max(_cdc_landed_at) as _cdc_landed_at
    from {{ entry.relation }}
    where _cdc_key = '!watermark'
) as newest
lateral view outer inline(transactions.tables) counted as
    data_collection, table_name, expected, landed
where transactions.status is not null
{%- endmacro -%}
