{#-
    Rows with Debezium's placeholder for unavailable values: it must never reach a text column. One
    scan for all `columns`, by default the texts among the model's properties.
-#}
{%- test no_placeholder(model, source, columns=none) -%}
{%- set columns = (
    debezium_spark._text_columns()
    if columns is none
    else debezium_spark._arguments(columns)
) -%}
{%- set forms = debezium_spark.source_config(source).unavailable_value_forms -%}
{%- set literals = debezium_spark.text_literals([forms.text, forms.hstore]) -%}
select *
from {{ model }}
where
    {%- for column in columns %}
    {{ 'or ' if not loop.first }}{{ debezium_spark.quote(column) }} in ({{ literals }})
    {%- endfor %}
{%- endtest -%}


{%- macro _text_columns() -%}
    {#- while dbt parses, no model can be looked at -#}
    {%- if not execute -%}{{- return([]) -}}{%- endif -%}
    {%- set names = [] -%}
    {%- set node = graph.nodes[model.attached_node] -%}
    {%- for column in node.columns.values() if column.data_type == 'string' -%}
        {%- do names.append(column.name) -%}
    {%- endfor -%}
    {%- if not names -%}
        {%- do debezium_spark._fail(
            'no_placeholder',
            'the properties of model ' ~ node.name ~ ' name no text column.',
            'Give those to search: data_type: string, or the argument columns.',
        ) -%}
    {%- endif -%}
    {{- return(names) -}}
{%- endmacro -%}
