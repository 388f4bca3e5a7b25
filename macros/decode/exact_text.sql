{#- The companion column, which keeps the exact text of a value that its type cannot hold. -#}
{%- macro exact_text_name(name) -%}
    {{- return(adapter.debezium_exact_text_name(name)) -}}
{%- endmacro -%}


{%- macro decode_exact_text(source, column, prepared) -%}
    {{- return(adapter.debezium_decode_exact_text(source, column, prepared)) -}}
{%- endmacro -%}


{%- macro decode_recorded_text(config, column, text, prepared, layout='_layout') -%}
    {{- return(
        adapter.debezium_decode_recorded_text(config, column, text, prepared, layout)
    ) -}}
{%- endmacro -%}


{%- macro decoded_columns(source, columns) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {{- return(adapter.debezium_decoded_columns(config, columns)) -}}
{%- endmacro -%}
