{#- CTE `rows`: the state rows of the winners, and the control rows. -#}
{%- macro fold_rows(columns, plan) -%}
{%- set shown = 'winners.shown' if plan.feed else 'winners.winner' -%}
{{ debezium_spark.fold_winners(plan) }},
{%- if plan.feed %}

{{ debezium_spark.dated_winners(plan) }},
{%- endif %}

rows as (

    select
        winners.row_key as _cdc_key,
        winners.{{ 'changed.batch_id' if plan.feed else 'last_batch_id' }} as _cdc_batch_id,
        {%- for column in columns %}
        {%- if column in plan.lookup_columns %}
        {%- set known_value = shown ~ '.known_' ~ (plan.lookup_columns.index(column) + 1) %}
        {%- set name = debezium_spark.text_literal(column) %}
        case
            when coalesce(array_contains({{ shown }}.unavailable, {{ name }}), false)
                then {{ known_value }}.`value`
            else {{ shown }}.image.{{ debezium_spark.quote(column) }}
        end as {{ debezium_spark.quote(column) }},
        {%- else %}
        {{ shown }}.image.
        {{- debezium_spark.quote(column) }} as {{ debezium_spark.quote(column) }},
        {%- endif %}
        {%- endfor %}
        winners.winner.op as _cdc_op,
        winners.winner.op in ('d', 'tombstone')
        {%- if plan.truncates %}
        or {{ debezium_spark.is_truncated('winners.fold') | indent(8) }}
        {%- endif %}
        {%- if plan.closes %}
        or {{ debezium_spark.is_closed('winners.fold') | indent(8) }}
        {%- endif %} as _cdc_is_deleted,
        winners.winner.pos as _cdc_pos,
        winners.winner.source_at as _cdc_source_at,
        {{ debezium_spark.still_unavailable(plan) }} as _cdc_unavailable,
        {%- if plan.feed %}
        winners.deleted_at as _cdc_deleted_at,
        winners.changed.landed_at as _cdc_landed_at,
        {%- endif %}
        {{ debezium_spark.fold_columns('winners.fold') | indent(8) }},
        cast(null as string) as _cdc_marks
    from {{ 'dated_winners as winners' if plan.feed else 'winners' }}
    {%- if plan.truncates %}
    cross join truncates
    {%- endif %}
    {%- if plan.closes %}
    cross join closings
    {%- endif %}

    {%- if plan.highest_batch is not none %}

    union all

    {{ debezium_spark.control_row(
        columns,
        "'!watermark'",
        plan.highest_batch,
        checkpoint=debezium_spark.text_literal(plan.checkpoint),
        feed=plan.feed,
    ) | indent(4) }}
    {%- endif %}

    {%- if plan.new_truncates %}

    union all

    {{ debezium_spark.control_row(
        columns,
        "concat_ws(':', '!truncate', topic, incarnation, `partition`, `offset`)",
        'batch_id',
        relation='staged_truncates',
        feed=plan.feed,
    ) | indent(4) }}
    {%- endif %}

)

select * from rows
{%- endmacro -%}
