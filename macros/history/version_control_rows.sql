{#-
    SELECTs behind others: what a history remembers of its table, its watermark and truncates, in
    rows that its view does not show (`control_row`).
-#}
{%- macro version_control_rows(columns, options, plan) -%}
{%- if plan.highest_batch is not none %}

union all

select
    {{ debezium_spark.version_select(
        columns,
        options,
        {
            '_cdc_key': "'!watermark'",
            '_cdc_scd_id': "'!watermark'",
            '_cdc_batch_id': 'cast(' ~ plan.highest_batch ~ ' as bigint)',
            '_cdc_marks': debezium_spark.text_literal(plan.checkpoint or '{}'),
        },
        "'row'"
    ) | indent(4) }}
{%- endif %}
{%- if plan.new_truncates %}

union all

select
    {{ debezium_spark.version_select(
        columns,
        options,
        dict(
            {
                '_cdc_key': "concat('!truncate:', identity)",
                '_cdc_scd_id': debezium_spark._truncate_id('of_table', 'identity'),
                '_cdc_op': "'t'",
                '_cdc_batch_id': 'first_delivery.batch_id',
                '_cdc_last_tx': 'first_delivery.tx',
            },
            **debezium_spark._truncate_values()
        ),
        "'row'"
    ) | indent(4) }}
from known_truncates
{%- endif %}
{%- endmacro -%}


{%- macro _truncate_values() -%}
    {%- set values = {} -%}
    {%- for name in [
        'topic', 'incarnation', 'partition', 'offset', 'timestamp', 'epoch_pos', 'epoch_stream_pos'
    ] -%}
        {%- do values.update({'_cdc_fold_' ~ name: 'first_delivery.`' ~ name ~ '`'}) -%}
    {%- endfor -%}
    {{- return(dict(values, _cdc_fold_highest='identity')) -}}
{%- endmacro -%}
