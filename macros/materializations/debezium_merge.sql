{#- One row per key. One MERGE statement, so an interrupted run leaves the old table. -#}
{%- materialization debezium_merge, adapter='spark', supported_languages=['sql'] -%}
    {{- return(debezium_spark._materialize('merge')) -}}
{%- endmaterialization -%}
