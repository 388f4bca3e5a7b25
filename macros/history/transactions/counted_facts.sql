{#- CTE `counted_facts`: facts counted by data collection and partition. -#}
{%- macro counted_facts() -%}
counted_facts as (

    select
        transaction_key,
        table_name,
        data_collection,
        `partition`,
        max(transaction_id) as transaction_id,
        {# counters can begin again with a restart: the highest count is the whole one #}
        max(expected) as expected,
        count(distinct event) as landed,
        coalesce(max(collection_order) > count(distinct collection_order), false) as has_gap,
        bool_and(low_pos is not null) filter (where event is not null) as has_span,
        min(low_pos) as low_pos,
        max(high_pos) as high_pos,
        min(place) as first_place,
        max(place) as last_place,
        bool_or(status = 'END') as has_end,
        max(event_count) as event_count,
        min(case when status = 'BEGIN' then said_at end) as began_at,
        min(case when status = 'END' then said_at end) as ended_at,
        min(case when status = 'BEGIN' then struct(place, event_id) end) as begins,
        min(case when status = 'END' then struct(place, event_id) end) as ends,
        min(case when status = 'END' then landing end) as end_landing,
        min(batch_id) as first_batch_id,
        max(landing) as last_landing,
        bool_or(is_new) as has_new
    from facts
    group by transaction_key, table_name, data_collection, `partition`

)
{%- endmacro -%}


{#- CTE `table_facts`: by table, or data collection without one, and by partition. -#}
{%- macro table_facts() -%}
table_facts as (

    select
        transaction_key,
        max(transaction_id) as transaction_id,
        case
            when table_name is not null
                then named_struct(
                    'data_collection',
                    nullif(concat_ws(', ', array_sort(collect_set(data_collection))), ''),
                    'table_name', table_name,
                    'expected', sum(expected),
                    'landed', sum(landed)
                )
            when max(data_collection) is not null
                then named_struct(
                    'data_collection', max(data_collection),
                    'table_name', table_name,
                    'expected', sum(expected),
                    'landed', cast(null as bigint)
                )
        end as counted_table,
        case
            when `partition` is not null
                then named_struct(
                    'partition', `partition`,
                    'first_place', min(first_place),
                    'last_place', max(last_place)
                )
        end as place,
        bool_or(has_gap) as has_gap,
        bool_and(has_span) as has_span,
        min(low_pos) as low_pos,
        max(high_pos) as high_pos,
        bool_or(has_end) as has_end,
        max(event_count) as event_count,
        min(began_at) as began_at,
        min(ended_at) as ended_at,
        min(begins) as begins,
        min(ends) as ends,
        min(end_landing) as end_landing,
        min(first_batch_id) as first_batch_id,
        max(last_landing) as last_landing,
        bool_or(has_new) as has_new
    from counted_facts
    group by
        transaction_key,
        table_name,
        case when table_name is null then data_collection end,
        `partition`

)
{%- endmacro -%}
