{#- Columns that some staged event lacked: what a fold of the whole log may have to look up. -#}
{%- macro columns_ever_unavailable(staging) -%}
    {{- return(debezium_spark.profile_batch(staging, none).unavailable) -}}
{%- endmacro -%}
