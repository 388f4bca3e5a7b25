{#-
    A log that only grows. Without new rows the table is not touched, not even by an empty snapshot.
-#}
{%- materialization debezium_append, adapter='spark', supported_languages=['sql'] -%}
    {{- return(debezium_spark._materialize('append')) -}}
{%- endmaterialization -%}
