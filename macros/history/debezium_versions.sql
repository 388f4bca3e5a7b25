{#-
    The versions of a table's rows. One MERGE statement, so an interrupted run leaves the old table.
-#}
{%- materialization debezium_versions, adapter='spark', supported_languages=['sql'] -%}
    {{- return(debezium_spark._materialize('versions')) -}}
{%- endmaterialization -%}
