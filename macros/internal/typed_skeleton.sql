{#-
    What `sqlfluff lint` sees of a model that calls a macro of this package: its columns with their
    types, as far as the properties file names them, from the relation that it reads.

    sqlfluff parses what a model compiles to: of a staging model with 1,000 columns a megabyte,
    which a linter finds nothing in that the person who lints could change. What the macros render
    is linted where they are developed: the variable `DEBEZIUM_SPARK_LINT=macros` of the environment
    shows it.
-#}
{%- macro typed_skeleton(relation) -%}
select
    {%- for column in model.columns.values() %}
    {# sqlfluff knows no struct whose members have any names #}
    {%- set data_type = column.data_type or 'string' %}
    {{ 'null' if 'struct<' in data_type else 'cast(null as ' ~ data_type ~ ')' }}
        {{- ' as ' ~ debezium_spark.quoted(column.name) }}
        {{- ',' if not loop.last }}
    {%- else %}
    *
    {%- endfor %}
from {{ relation }}
{%- endmacro -%}


{#- Whether sqlfluff compiles this model, to lint it. -#}
{%- macro is_linted() -%}
    {{- return(execute and not debezium_spark.is_running() and adapter.debezium_lints()) -}}
{%- endmacro -%}
