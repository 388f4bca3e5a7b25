{#-
    SQL: names of the columns whose value the event does not carry, NULL when it carries all (so
    that file statistics can show it).
-#}
{%- macro unavailable_columns(config, columns) -%}
    {%- set conditions = [] -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- set condition = debezium_spark.unavailable_condition(
            config, column, '_text_' ~ loop.index
        ) -%}
        {%- if condition is not none -%}
            {%- do conditions.append(condition) -%}
            {%- do names.append(
                'case when ' ~ condition ~ ' then ' ~ debezium_spark.text_literal(column.name)
                ~ ' end'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not conditions -%}{{- return('cast(null as array<string>)') -}}{%- endif -%}
    {{- return(
        "case when op in ('c', 'r', 'u') and (" ~ conditions | join(' or ')
        ~ ') then array_compact(array(' ~ names | join(', ') ~ ')) end'
    ) -}}
{%- endmacro -%}
