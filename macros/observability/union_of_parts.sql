{#- SQL: all parts of an observability model; without any, its columns and no row. -#}
{%- macro union_of_parts(subject, parts) -%}
    {%- if parts -%}{{- return(parts | join('\n\nunion all\n\n')) -}}{%- endif -%}
    {%- set columns = [] -%}
    {%- for name, data_type, description in debezium_spark._subject_columns(
        debezium_spark._observability_subject(subject)
    ) -%}
        {%- do columns.append(
            'cast(null as ' ~ data_type ~ ') as ' ~ debezium_spark.quote(name)
        ) -%}
    {%- endfor -%}
    {{- return('select\n    ' ~ columns | join(',\n    ') ~ '\nfrom range(0)') -}}
{%- endmacro -%}
