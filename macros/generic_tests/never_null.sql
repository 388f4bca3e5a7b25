{#- dbt's `not_null` for names that dbt would interpret, written as arguments. -#}
{%- test never_null(model, columns) -%}
select *
from {{ model }}
where
    {%- for column in debezium_spark._arguments(columns) %}
    {{ 'or ' if not loop.first }}{{ debezium_spark.quote(column) }} is null
    {%- endfor %}
{%- endtest -%}
