{#-
    One row per key: like debezium_append, but a row whose `unique_key` is held is overwritten.

    One MERGE statement, so an interrupted run leaves the old table.
-#}
{%- materialization debezium_merge, adapter='spark', supported_languages=['sql'] -%}
    {{- return(debezium_spark._materialize('merge')) -}}
{%- endmaterialization -%}
