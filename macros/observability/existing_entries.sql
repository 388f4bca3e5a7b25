{#-
    Entries whose relations (`members`) exist: observability must be right whatever else a run could
    not build. While dbt parses, compiles or lints, all count as existing.
-#}
{%- macro existing_entries(entries, members=['relation']) -%}
    {%- if not debezium_spark.is_running() -%}{{- return(entries) -}}{%- endif -%}
    {%- set existing = [] -%}
    {%- for entry in entries -%}
        {%- set missing = [] -%}
        {%- for member in members if not adapter.debezium_exists(entry[member]) -%}
            {%- do missing.append(member) -%}
        {%- endfor -%}
        {%- if not missing -%}{%- do existing.append(entry) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(existing) -}}
{%- endmacro -%}


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
