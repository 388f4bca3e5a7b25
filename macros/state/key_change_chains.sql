{#-
    Write the chains of `fold_origins` into a table. A recursive CTE starts jobs for each step and
    finds the links again each time; here each round doubles the known length, and most tables need
    one. Circles, while records are missing, only repeat what is nearer and end at 128.
-#}
{%- macro write_chains(config, staging, plan) -%}
    {%- set chains = debezium_spark.chains_table() -%}
    {%- set links -%}
create or replace table {{ chains }}
using {{ debezium_spark.file_format() }}
as
with

{{ debezium_spark.fold_input(config, staging, [], plan) }},

{{ debezium_spark.fold_walk(plan) }},

{{ debezium_spark.fold_links() }}

select
    row_key,
    life,
    origin_key,
    origin_life,
    origin_arrival,
    1 as depth
from links
    {%- endset -%}
    {%- do run_query(links) -%}
    {%- set longest = namespace(depth=1) -%}
    {%- for depth in [1, 2, 4, 8, 16, 32, 64] if longest.depth == depth -%}
        {%- do run_query(debezium_spark.extend_chains(chains, depth)) -%}
        {%- set longest.depth = run_query(
            'select max(depth) from ' ~ chains
        ).rows[0][0] | default(0, true) | int -%}
    {%- endfor -%}
    {{- return(chains) -}}
{%- endmacro -%}


{%- macro extend_chains(chains, depth) -%}
insert into {{ chains }}
select
    nearer.row_key,
    nearer.life,
    farther.origin_key,
    farther.origin_life,
    farther.origin_arrival,
    nearer.depth + farther.depth as depth
from {{ chains }} as nearer
inner join {{ chains }} as farther
    on
        nearer.origin_key = farther.row_key
        and nearer.origin_life = farther.life
where nearer.depth = {{ depth }}
{%- endmacro -%}


{%- macro drop_chains() -%}
    {%- do run_query(
        'drop table if exists ' ~ debezium_spark.chains_table()
        ~ (' purge' if debezium_spark.file_format() == 'iceberg' else '')
    ) -%}
{%- endmacro -%}


{%- macro chains_table() -%}
    {{- return(
        debezium_spark._table(
            this.incorporate(path={'identifier': this.identifier ~ '__dbt_chains'})
        )
    ) -}}
{%- endmacro -%}
