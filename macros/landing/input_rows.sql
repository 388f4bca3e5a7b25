{#-
    The rows of a source's table, which `debezium_raw` lands by SQL: Kafka's columns, or those that
    the option `columns` of the input names.
-#}
{%- macro input_rows(source) -%}
    {{- return(adapter.dispatch('input_rows', 'debezium_spark')(source)) -}}
{%- endmacro -%}


{%- macro default__input_rows(source) -%}
    {%- set input = debezium_spark.source_config(source).input -%}
    {%- if input.type != 'table' -%}
        {%- do debezium_spark._fail(
            'input_rows',
            'the input of source `' ~ source ~ '` has the type `' ~ input.type
                ~ '`, and SQL lands only a table.',
            'Run debezium-spark generate: it writes the Python model for this input.',
        ) -%}
    {%- endif -%}
    {%- set relation = adapter.debezium().text.quoted_path(input.relation) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(relation)) -}}
    {%- endif -%}
select *
from {{ relation }}
{%- endmacro -%}
