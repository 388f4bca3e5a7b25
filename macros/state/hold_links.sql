{#-
    Write the links of the walk (`fold_links`) into a table of their own, beside the state, and return it; `drop_links` removes it.

    A cached view would not do: Spark puts cached data into no recursion, and works a view out anew for each step.
-#}
{%- macro hold_links(config, staging, plan) -%}
    {%- set links = debezium_spark.links_table() -%}
    {%- set query -%}
create or replace table {{ links }}
using {{ debezium_spark.file_format() }}
as
with

{{ debezium_spark.fold_input(config, staging, [], plan) }},

{{ debezium_spark.fold_walk(plan) }},

{{ debezium_spark.fold_links() }}

select * from links
    {%- endset -%}
    {%- do run_query(query) -%}
    {{- return(links) -}}
{%- endmacro -%}


{#- Remove the table of `hold_links`, its files included. -#}
{%- macro drop_links() -%}
    {%- do run_query(
        'drop table if exists ' ~ debezium_spark.links_table() ~ (' purge' if debezium_spark.file_format() == 'iceberg' else '')
    ) -%}
{%- endmacro -%}


{%- macro links_table() -%}
    {{- return(debezium_spark._table(this.incorporate(path={'identifier': this.identifier ~ '__dbt_links'}))) -}}
{%- endmacro -%}
