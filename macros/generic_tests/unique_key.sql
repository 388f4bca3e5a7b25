{#-
    Keys that several rows have, for models of your own and properties of earlier releases;
    `columns` are written as arguments (`argument_text` in Python).
-#}
{%- test unique_key(model, columns) -%}
{%- set names = [] -%}
{%- for column in debezium_spark._arguments(columns) -%}
    {%- do names.append(debezium_spark.quote(column)) -%}
{%- endfor -%}
select
    {{ names | join(',\n    ') }},
    count(*) as row_count
from {{ model }}
group by
    {{ names | join(',\n    ') }}
having count(*) > 1
{%- endtest -%}
