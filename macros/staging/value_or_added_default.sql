{#-
    SQL: a decoded value, or, where the row image is of a time before the column was added, what the
    source gave to the rows that existed (`added_default`, from the option `added_defaults` of its
    table). A row image has all columns of its layout (spec §6.5), so one that lacks the column is
    older than it; so is one of an earlier column of the name (`dropped_columns`).
-#}
{%- macro value_or_added_default(config, column, image, value, spark_type) -%}
{%- if column.get('added_default') is none -%}{{- return(value) -}}{%- endif -%}
case
    when op in ('c', 'r', 'u')
        and (not ({{ debezium_spark.has_column(image, column) }})
        {%- if column.get('gone_until') %}
            or {{ debezium_spark.is_of_dropped_column(config, column) }}
        {%- endif -%}
        ) then cast({{ debezium_spark.text_literal(column.added_default) }} as {{ spark_type }})
    else {{ value }}
end
{%- endmacro -%}
