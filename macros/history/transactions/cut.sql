{#-
    The highest position of a source up to which every transaction is complete in every modelled
    table (docs/transactions.md, the cut): one row per run with something new, the newest by
    `_cdc_batch_id`. `after`: tables that a reader of the cut reads; they are written before it.
    `histories`: {table, relation} of those that macro `versions` makes.
-#}
{%- macro cut(source, transactions, after=[], histories=[]) -%}
    {{- return(
        adapter.dispatch('cut', 'debezium_spark')(source, transactions, after, histories)
    ) -}}
{%- endmacro -%}


{%- macro default__cut(source, transactions, after, histories) -%}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(transactions)) -}}
    {%- endif -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set inputs = debezium_spark.up_to_date_with(transactions) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark.decide({'keys_are_set': true}) -%}
    {%- set search = {'bound': none, 'held_by': none, 'from': none} -%}
    {%- if debezium_spark.is_running() -%}
        {%- do debezium_spark.check_histories(
            config, transactions, debezium_spark.existing_entries(histories)
        ) -%}
        {%- set row = run_query(debezium_spark._lowest_bound(transactions)).rows[0] -%}
        {%- do search.update({'bound': row[0], 'held_by': row[1], 'from': none}) -%}
        {%- if debezium_spark.loads_incrementally() -%}
            {%- set previous = run_query(
                'select ' ~ debezium_spark.newest_cut() ~ ' from ' ~ this
            ).rows[0][0] -%}
            {#- below the last cut nothing is looked for, unless it falls -#}
            {%- if previous is not none and (search.bound is none or previous < search.bound) -%}
                {%- do search.update({'from': previous}) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(debezium_spark.cut_sql(config, transactions, search)) -}}
{%- endmacro -%}


{#-
    SELECT of one row. `search`: `bound`, below which the cut lies, none without one; `held_by`, the
    transaction that gives it; `from`: where the search begins.
-#}
{%- macro cut_sql(config, transactions, search) -%}
select
    cast(watermark._cdc_batch_id as string) as _cdc_key,
    passed.cut_pos,
    passed.transaction_id,
    passed.committed_at,
    {{ debezium_spark._text_or_null(search.held_by) }} as held_by,
    case
        when passed.cut_pos is not null then null
        when coalesce(watermark.ends, '{}') = '{}'
            then {{ debezium_spark.text_literal(debezium_spark._no_boundary(config)) }}
        else {{ debezium_spark.text_literal(debezium_spark._no_cut(config)) }}
    end as reason,
    watermark._cdc_batch_id,
    watermark._cdc_landed_at
from (
    select
        get_json_object(_cdc_marks, '$.ends') as ends,
        _cdc_batch_id,
        _cdc_landed_at
    from {{ transactions }}
    where _cdc_key = '!watermark'
) as watermark
cross join (
    select
        max(high_pos) as cut_pos,
        max_by(transaction_id, high_pos) as transaction_id,
        max_by(ended_at, high_pos) as committed_at
    from {{ transactions }}
    where
        {{ debezium_spark._passes() }}
        {%- if adapter.debezium().config.connector_of(config).has_documents %}
        and false
        {%- endif %}
        {%- if search.bound is not none %}
        and high_pos < {{ debezium_spark.text_literal(search.bound) }}
        {%- endif %}
        {%- if search['from'] is not none %}
        and high_pos >= {{ debezium_spark.text_literal(search['from']) }}
        {%- endif %}
) as passed
{%- endmacro -%}


{#- SQL condition: a transaction does not hold the cut, and can be at it. -#}
{%- macro _passes() -%}
(status = 'complete' or status = 'no_end' and not has_gap) and high_pos is not null
{%- endmacro -%}


{%- macro _no_boundary(config) -%}
    {{- return(
        'no record of the topic ' ~ debezium_spark.transaction_topic(config) ~ ' landed: set'
        ~ ' provide.transaction.metadata=true at the connector, and let the topic land'
    ) -}}
{%- endmacro -%}


{%- macro _no_cut(config) -%}
    {%- set connector = adapter.debezium().config.connector_of(config) -%}
    {%- if connector.has_documents -%}
        {{- return(config.connector ~ ': ' ~ connector.no_cut) -}}
    {%- endif -%}
    {{- return(
        'no complete transaction with a known position'
        ~ ('; ' ~ connector.no_cut if connector.no_cut)
    ) -}}
{%- endmacro -%}


{#-
    SELECT of the lowest bound and a transaction that gives it. Of a transaction without a known
    span, the ones with a boundary before its first in a partition lie below it.
-#}
{%- macro _lowest_bound(transactions) -%}
with

holding as (

    select
        _cdc_key,
        transaction_id,
        low_pos,
        places
    from {{ transactions }}
    where status in ('incomplete', 'open') or status = 'no_end' and has_gap

),

places_of_holding as (

    select
        _cdc_key,
        place.`partition` as `partition`,
        place.first_place
    from holding
    lateral view explode(places) as place
    where low_pos is null

),

positions_before as (

    select
        places_of_holding._cdc_key,
        max(placed.high_pos) as high_pos
    from (
        select
            _cdc_key,
            high_pos,
            place.`partition` as `partition`,
            place.first_place
        from {{ transactions }}
        lateral view explode(places) as place
        where high_pos is not null
    ) as placed
    inner join places_of_holding
        on
            placed.`partition` = places_of_holding.`partition`
            and placed.first_place < places_of_holding.first_place
    group by places_of_holding._cdc_key

)

select
    min(bound) as bound,
    min_by(transaction_id, struct(bound, _cdc_key)) as held_by
from (
    select
        holding._cdc_key,
        holding.transaction_id,
        coalesce(
            holding.low_pos,
            {# the next text behind that of a position #}
            concat(positions_before.high_pos, '!'),
            ''
        ) as bound
    from holding
    left join positions_before on holding._cdc_key = positions_before._cdc_key
) as bounds
{%- endmacro -%}
