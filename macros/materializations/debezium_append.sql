{#-
    A log that only grows: the first run and `--full-refresh` create the table atomically, every
    other run inserts what the model selects.

    Where the model decided `nothing_new` (see `decide`) the table is not touched, not even by an
    empty snapshot.
-#}
{%- materialization debezium_append, adapter='spark', supported_languages=['sql'] -%}
    {{- return(debezium_spark._materialize('append')) -}}
{%- endmaterialization -%}
