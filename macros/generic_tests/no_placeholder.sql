{#-
    Fails with the rows in which Debezium's placeholder for unavailable values reached a text column: it never may. One scan for all columns.
-#}
{%- test no_placeholder(model, source, columns) -%}
{%- set forms = debezium_spark.source_config(source).unavailable_value_forms -%}
{%- set literals = [] -%}
{%- for form in [forms.text, forms.hstore] -%}
    {%- do literals.append(debezium_spark.text_literal(form)) -%}
{%- endfor -%}
select *
from {{ model }}
where
    {%- for column in columns %}
    {{ 'or ' if not loop.first }}{{ debezium_spark.quoted(column) }} in ({{ literals | join(', ') }})
    {%- endfor %}
{%- endtest -%}
