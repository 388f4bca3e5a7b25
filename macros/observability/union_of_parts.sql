{#- SQL: all parts of an observability model; without any, its columns and no row. -#}
{%- macro union_of_parts(subject, parts) -%}
    {%- if parts -%}{{- return(parts | join('\n\nunion all\n\n')) -}}{%- endif -%}
    {%- set columns = [] -%}
    {%- set subject = adapter.debezium().generate.observability_subject(subject) -%}
    {%- for name, data_type, description in subject['columns'] -%}
        {%- do columns.append(
            'cast(null as ' ~ data_type ~ ') as ' ~ debezium_spark.quote(name)
        ) -%}
    {%- endfor -%}
    {{- return('select\n    ' ~ columns | join(',\n    ') ~ '\nfrom range(0)') -}}
{%- endmacro -%}
