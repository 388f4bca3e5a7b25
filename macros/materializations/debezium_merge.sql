{#- One row per key. One MERGE statement, so an interrupted run leaves the old table. -#}
{%- materialization debezium_merge, adapter='spark', supported_languages=['sql'] -%}
    {%- set result = debezium_spark._materialize('merge') -%}
    {%- if '__dbt_chains' in compiled_code -%}{%- do debezium_spark.drop_chains() -%}{%- endif -%}
    {{- return(result) -}}
{%- endmaterialization -%}
