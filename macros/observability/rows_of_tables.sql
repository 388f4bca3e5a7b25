{#-
    SELECT for FROM: columns of the rows of many tables, in few tasks: each task of a union takes a
    copy of the plan of all its tables, which takes longer than reading a small one. `columns`:
    (name, type, expression); `member`: which relation of the `tables`. Of two tables:

    | source_name | table_name    | batch_id |
    |-------------|---------------|----------|
    | shop        | public.orders | 7        |
    | erp         | dbo.goods     | 3        |
-#}
{%- macro rows_of_tables(tables, columns, where=none, member='relation') -%}
select /*+ coalesce(8) */ *
from (
    {%- for table in tables %}
    select {{ debezium_spark.text_literals([table.source, table.table]) }},
        {{ columns | map(attribute=2) | join(', ') }}
    from {{ table[member] }}
    {{- ' where ' ~ where if where }}
    {{- '\n    union all' if not loop.last }}
    {%- else %}
    select '', '',
        {%- for name, data_type, expression in columns %}
        cast(null as {{ data_type }}){{ ',' if not loop.last }}
        {%- endfor %}
    from range(0)
    {%- endfor %}
) as rows_of_tables (source_name, table_name, {{ columns | map('first') | join(', ') }})
{%- endmacro -%}
