{#-
    Those of the entries whose relations are there, each a dictionary in which `members` name
    relations.

    Observability must be right whatever else a run could not do: what has not been built yet is
    left out. While dbt parses, compiles or lints, everything is taken as there.
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


{#-
    SQL: the rows of all parts of an observability model; without any part none, with its columns.
-#}
{%- macro union_of_parts(subject, parts) -%}
    {%- if parts -%}{{- return(parts | join('\n\nunion all\n\n')) -}}{%- endif -%}
    {%- set columns = [] -%}
    {%- for name, data_type, description in debezium_spark._subject_columns(
        debezium_spark._observability_subject(subject)
    ) -%}
        {%- do columns.append(
            'cast(null as ' ~ data_type ~ ') as ' ~ debezium_spark.quoted(name)
        ) -%}
    {%- endfor -%}
    {{- return('select\n    ' ~ columns | join(',\n    ') ~ '\nfrom range(0)') -}}
{%- endmacro -%}
