{#-
    What the source table holds: the live rows of its state, and without a key (`keyless`) each as
    often as it is there. A view, so that it is never behind its state.
-#}
{%- macro current(state, columns=none, keyless=false) -%}
    {%- set columns = debezium_spark.table_columns(state) if columns is none else columns -%}
    {{- return(adapter.dispatch('current', 'debezium_spark')(state, columns, keyless)) -}}
{%- endmacro -%}


{%- macro default__current(state, columns, keyless=false) -%}
    {%- do debezium_spark.check_columns('current', state, columns) -%}
    {%- set inputs = debezium_spark.view_inputs([state]) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {%- set sql -%}
select
    {%- for column in columns %}
    {{ debezium_spark.quote(column) }},
    {%- endfor %}
    _cdc_op,
    _cdc_pos,
    _cdc_source_at
from {{ state }}
{%- if keyless %}
lateral view explode(sequence(1, _cdc_count)) as _cdc_copy
{%- endif %}
where not _cdc_is_deleted
    {%- endset -%}
    {%- do debezium_spark.decide({
        'columns_of': {sql: columns + ['_cdc_op', '_cdc_pos', '_cdc_source_at']}
    }) -%}
    {{- return(sql) -}}
{%- endmacro -%}
