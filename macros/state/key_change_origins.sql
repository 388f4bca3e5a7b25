{#-
    CTE `chains`: every life that one descends from, with the number of steps. Such chains (A to B
    to C, a value untouched all the while) are rare: a run has them in a table, compiled code as a
    recursive CTE.
-#}
{%- macro fold_origins(plan) -%}
{%- if plan.chains -%}
chains as (

    select * from {{ plan.chains }}
    where not (row_key = origin_key and life = origin_life)

)
{%- else -%}
{{ debezium_spark.fold_links() }},

chains (row_key, life, origin_key, origin_life, origin_arrival, depth, path) as (

    select
        row_key,
        life,
        origin_key,
        origin_life,
        origin_arrival,
        1,
        array(concat_ws('/', life, row_key), concat_ws('/', origin_life, origin_key))
    from links

    union all

    select
        chains.row_key,
        chains.life,
        links.origin_key,
        links.origin_life,
        links.origin_arrival,
        chains.depth + 1,
        array_append(chains.path, concat_ws('/', links.origin_life, links.origin_key))
    from chains
    inner join links
        on
            chains.origin_key = links.row_key
            and chains.origin_life = links.life
    where
        {# while records are missing, chains can run in circles #}
        not array_contains(chains.path, concat_ws('/', links.origin_life, links.origin_key))
        {# Spark goes no deeper than 100 #}
        and chains.depth < 90

)
{%- endif -%}
{%- endmacro -%}
