{#-
    A column that was dropped and added again under its name is another column: earlier records
    contain nothing of it. `gone_until`: the `layout_position` of the last change without it.
-#}


{#- SQL condition: the record is older than the column that was added again. -#}
{%- macro is_of_dropped_column(config, column) -%}
    {%- if not column.get('gone_until') -%}{{- return('false') -}}{%- endif -%}
    {{- return(
        'coalesce(' ~ debezium_spark.layout_position(config.connector) ~ ' <= '
        ~ debezium_spark.text_literal(column.gone_until) ~ ', false)'
    ) -}}
{%- endmacro -%}


{#- SQL: a column's text, NULL where it is the dropped column's. -#}
{%- macro without_dropped_column(config, column, text) -%}
    {%- if not column.get('gone_until') -%}{{- return(text) -}}{%- endif -%}
    {{- return(
        'case when not ' ~ debezium_spark.is_of_dropped_column(config, column) ~ ' then ' ~ text
        ~ ' end'
    ) -}}
{%- endmacro -%}
