{#- Fails with the keys of several columns that more than one row has. -#}
{%- test unique_key(model, columns) -%}
{%- set names = [] -%}
{%- for column in columns %}{% do names.append(debezium_spark.quoted(column)) %}{% endfor -%}
select
    {{ names | join(',\n    ') }},
    count(*) as row_count
from {{ model }}
group by
    {{ names | join(',\n    ') }}
having count(*) > 1
{%- endtest -%}
