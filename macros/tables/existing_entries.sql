{#-
    Entries whose relations (`members`) exist: observability must be right whatever else a run could
    not build. While dbt parses, compiles or lints, all count as existing.
-#}
{%- macro existing_entries(entries, members=['relation']) -%}
    {%- if not debezium_spark.is_running() -%}{{- return(entries) -}}{%- endif -%}
    {%- set existing = [] -%}
    {%- for entry in entries -%}
        {%- set missing = [] -%}
        {%- for member in members if not adapter.debezium().run.exists(entry[member]) -%}
            {%- do missing.append(member) -%}
        {%- endfor -%}
        {%- if not missing -%}{%- do existing.append(entry) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(existing) -}}
{%- endmacro -%}
