{#-
    SQL: a value, or `added_default` for rows older than the column. A row image has all columns of
    its layout (spec §6.5): one that lacks the column, or has a dropped one, is older.
-#}
{%- macro value_or_added_default(config, column, image, value, spark_type) -%}
{%- if column.get('added_default') is none -%}{{- return(value) -}}{%- endif -%}
case
    when op in ('c', 'r', 'u')
        and (not ({{ debezium_spark.has_column(image, column) }})
        {%- if debezium_spark.nulls_are_absent(config) %}
            or {{ debezium_spark.column_member(image, column) }} is null
        {%- endif -%}
        {%- if column.get('gone_until') %}
            or {{ debezium_spark.is_of_dropped_column(config, column) }}
        {%- endif -%}
        ) then cast({{ debezium_spark.text_literal(column.added_default) }} as {{ spark_type }})
    else {{ value }}
end
{%- endmacro -%}
