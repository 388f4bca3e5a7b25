{#-
    A column that was dropped and added again under its name is another column: what earlier records
    contain for it is not what its rows hold now. `gone_until` of a column is the place in the
    source's log (`layout_position`) of the last change without it, from the catalog.
-#}


{#-
    SQL condition: the record lies before the column was added again; `false` for a column that
    never went.
-#}
{%- macro is_of_dropped_column(config, column) -%}
    {%- if not column.get('gone_until') -%}{{- return('false') -}}{%- endif -%}
    {{- return(
        'coalesce(' ~ debezium_spark.layout_position(config.connector) ~ ' <= '
        ~ debezium_spark.text_literal(column.gone_until) ~ ', false)'
    ) -}}
{%- endmacro -%}


{#-
    SQL: the text of a column in a row image, NULL where it is one of an earlier column of the name.
-#}
{%- macro without_dropped_column(config, column, text) -%}
    {%- if not column.get('gone_until') -%}{{- return(text) -}}{%- endif -%}
    {{- return(
        'case when not ' ~ debezium_spark.is_of_dropped_column(config, column) ~ ' then ' ~ text
        ~ ' end'
    ) -}}
{%- endmacro -%}
