{#- Name of the companion column that keeps the exact text of a value. -#}
{%- macro exact_text_name(name) -%}
    {{- return(adapter.debezium_exact_text_name(name)) -}}
{%- endmacro -%}


{#- SQL: text of the companion column, in a form a person reads. -#}
{%- macro decode_exact_text(source, column, prepared) -%}
    {{- return(adapter.debezium_decode_exact_text(source, column, prepared)) -}}
{%- endmacro -%}


{#- SQL: the same, each record read as its own embedded schema says. -#}
{%- macro decode_recorded_text(config, column, text, prepared) -%}
    {{- return(adapter.debezium_decode_recorded_text(config, column, text, prepared)) -}}
{%- endmacro -%}


{#- The columns of a table's models: each column, and its companion behind it. -#}
{%- macro decoded_columns(source, columns) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {{- return(adapter.debezium_decoded_columns(config, columns)) -}}
{%- endmacro -%}
