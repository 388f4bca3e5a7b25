{#-
    What `sqlfluff lint` sees of a model: its columns with types. The rendered SQL of a wide staging
    model is a megabyte in which its owner can change nothing; here it is linted with the
    environment variable `DEBEZIUM_SPARK_LINT=macros`.
-#}
{%- macro typed_skeleton(relation) -%}
select
    {%- for column in model.columns.values() %}
    {# sqlfluff parses no struct whose members have quoted names #}
    {%- set data_type = column.data_type or 'string' %}
    {{ 'null' if 'struct<' in data_type else 'cast(null as ' ~ data_type ~ ')' }}
        {{- ' as ' ~ debezium_spark.quote(column.name) }}
        {{- ',' if not loop.last }}
    {%- else %}
    *
    {%- endfor %}
from {{ relation }}
{%- endmacro -%}


{%- macro is_linted() -%}
    {{- return(execute and not debezium_spark.is_running() and adapter.debezium().run.lints()) -}}
{%- endmacro -%}
