{#- Spark type of the decoded values of a column (spec §11.2); `source` is a source's name or its configuration. -#}
{%- macro spark_type(source, column) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {{- return(debezium_spark.encoding(config, column).spark_type) -}}
{%- endmacro -%}
