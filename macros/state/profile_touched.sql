{#-
    Whether every key of the batch goes on from its state row: one join with narrow columns of the
    touched rows. None is late, read again, or below what was folded, and no value of it may come
    from another key or go to one.
-#}
{%- macro goes_on_from_state(config, staging, watermark, has_origins) -%}
    {%- set query -%}
        select count(*)
        from (
            {{ debezium_spark.keys_not_in_order(config, staging, watermark) | indent(12) }}
        ) as not_in_order
        {%- if has_origins %}
        union all
        select count(*)
        from {{ staging }} as events
        left semi join (
            {{ debezium_spark.origin_keys(staging) | indent(12) }}
        ) as origins on events._cdc_key = origins.row_key
        where {{ debezium_spark.is_row_event() }} and _cdc_batch_id > {{ watermark }}
        {%- endif %}
    {%- endset -%}
    {%- for row in run_query(query).rows if row[0] | int > 0 -%}
        {{- return(false) -}}
    {%- endfor -%}
    {{- return(true) -}}
{%- endmacro -%}


{#- SELECT: `row_key` of the keys of the batch that do not go on from their state rows. -#}
{%- macro keys_not_in_order(config, staging, watermark) -%}
select new_keys.row_key
from (
    select
        row_key,
        {{ debezium_spark.first_arrivals() | indent(8) }},
        count_if(op = 'r') as reads,
        min(case when kind = 'stream' then epoch_pos end) as lowest_pos,
        min(case when kind = 'stream' then epoch_identity end) as lowest_identity
    from (
        select
            _cdc_key as row_key,
            _cdc_op as op,
            {{ debezium_spark.event_kind() | indent(12) }} as kind,
            {{ debezium_spark.event_place(config) | indent(12) }}
        from {{ staging }}
        where {{ debezium_spark.is_row_event() }} and _cdc_batch_id > {{ watermark }}
    ) as events
    group by row_key
) as new_keys
inner join (
    {{ debezium_spark.last_arrivals(
        this, ['_cdc_fold_mark', '_cdc_fold_highest']
    ) | indent(4) }}
) as state on new_keys.row_key = state._cdc_key
where
    reads > 0
    or state._cdc_fold_is_moved
    or lowest_pos < state._cdc_fold_mark
    or lowest_identity <= state._cdc_fold_highest
    or {{ debezium_spark.is_late_arrival() | indent(4) }}
{%- endmacro -%}


{#- Whether a known truncate or snapshot reaches events of the batch that are in order. -#}
{%- macro is_reached(config, staging, plan) -%}
    {%- set query -%}
        with

        {{ debezium_spark.ends_of_rows(config, staging, plan) | indent(8) }}

        e as (

            select
                {{ debezium_spark.event_kind() | indent(16) }} as kind,
                {{ debezium_spark.event_place(config) | indent(16) }}
            from {{ staging }}
            where
                {{ debezium_spark.is_row_event() }}
                {%- if plan.watermark is not none %}
                and _cdc_batch_id > {{ plan.watermark }}
                {%- endif %}

        )

        select 1
        from e
        {{- debezium_spark.join_ends(plan) }}
        where
            false
            {%- if plan.truncates %}
            or exists(
                truncates.list,
                t -> {{ debezium_spark.lies_before_truncate(
                    'e', "e.kind = 'stream'"
                ) | indent(16) }}
            )
            {%- endif %}
            {%- if plan.closes %}
            or {{ debezium_spark.is_closed('e') | indent(12) }}
            {%- endif %}
        limit 1
    {%- endset -%}
    {{- return(run_query(query).rows | length > 0) -}}
{%- endmacro -%}
