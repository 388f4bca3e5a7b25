{#- SQL: columns whose value the event lacks, NULL without any, which file statistics show. -#}
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
