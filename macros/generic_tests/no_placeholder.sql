{#-
    Fails with the rows in which Debezium's placeholder for unavailable values reached a text
    column: it never may. One scan for all columns.
-#}
{%- test no_placeholder(model, source, columns) -%}
{%- set forms = debezium_spark.source_config(source).unavailable_value_forms -%}
{%- set literals = debezium_spark.text_literals([forms.text, forms.hstore]) -%}
select *
from {{ model }}
where
    {%- for column in debezium_spark._arguments(columns) %}
    {{ 'or ' if not loop.first }}{{ debezium_spark.quoted(column) }} in ({{ literals }})
    {%- endfor %}
{%- endtest -%}
