{#-
    CTE `statuses`: the transactions that are counted anew, with their status (docs/transactions.md,
    counts), and the control row. `topic_ends`: where the newest transaction of each partition
    begins, by the earlier runs and this one.
-#}
{%- macro transaction_statuses(plan) -%}
topic_ends as (

    select map_from_entries(collect_list(struct(`partition`, place))) as ends
    from (
        select
            `partition`,
            max(place) as place
        from (
            select
                cast(_cdc_partition as string) as `partition`,
                min(place) as place
            from boundaries
            where transaction_key is not null
            group by transaction_key, _cdc_partition
            {%- if plan.ends %}

            union all

            select
                `partition`,
                place
            from (
                select explode({{ debezium_spark._known_ends(plan) | indent(16) }})
                    as (`partition`, place)
            ) as known_ends
            {%- endif %}
        ) as known_places
        group by `partition`
    ) as newest_places

),

{%- set reach = "max(case when has_end then high_pos end)" %}
{%- if plan.watermarks is none %}

{# a window over all would take all transactions of a source into one task #}
reach as (

    select
        {{ reach }} as highest_ended,
        max(last_landing) as newest_landing
    from transaction_facts

),
{%- endif %}

counted as (

    select
        transaction_facts.*,
        topic_ends.ends,
        {%- if plan.watermarks is none %}
        reach.highest_ended,
        reach.newest_landing
        {%- else %}
        greatest(
            {{ reach }} over (), {{ debezium_spark._text_or_null(plan.highest_ended) }}
        ) as highest_ended,
        max(last_landing) over () as newest_landing,
        open_transactions._cdc_key is not null as was_open
        {%- endif %}
    from transaction_facts
    cross join topic_ends
    {%- if plan.watermarks is none %}
    cross join reach
    {%- else %}
    left join (
        select _cdc_key
        from {{ this }}
        where status = 'open'
    ) as open_transactions
        on transaction_facts.transaction_key = open_transactions._cdc_key
    {%- endif %}

),

statuses as (

    select
        *,
        case
            when transaction_key = '!watermark' then null
            when has_end and exists(
                tables, t -> t.table_name is not null and t.landed < coalesce(t.expected, 0)
            )
                then 'incomplete'
            when has_end then 'complete'
            when exists(
                places,
                p -> coalesce(
                    try_element_at(ends, cast(p.`partition` as string)) > p.last_place, false
                )
            )
                then 'no_end'
            when size(places) = 0 and high_pos < highest_ended then 'no_end'
            else 'open'
        end as status
    from counted
    {%- if plan.watermarks is not none %}
    where has_new or was_open
    {%- endif %}

)
{%- endmacro -%}


{%- macro _text_or_null(text) -%}
    {{- return(
        debezium_spark.text_literal(text) if text is not none else 'cast(null as string)'
    ) -}}
{%- endmacro -%}
