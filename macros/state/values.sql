{#-
    CTE `known`: the walk, with the value of each column that some event of the table lacked
    (docs/semantics.md, unavailable values): `known_1` of the first such column, and so on; NULL
    where no event tells it. Of one key:

    | op | w             | life | known_1 |
    |----|---------------|------|---------|
    | c  | A             | 0    | {A}     |
    | u  | (unavailable) | 0    | {A}     |
    | d  |               | 0    | {A}     |
    | u  | (unavailable) | 1    | NULL    |

    `plan.follows_origins`: a create that lacks values takes them from the row's earlier key.
-#}
{%- macro known_values(plan) -%}
{%- set from_life = plan.lookup_columns and plan.follows_origins -%}
{{ 'life_values' if from_life else 'known' }} as (

    select
        *
        {%- for column in plan.lookup_columns %},
        last_value(
            case
                when is_applied
                    and op in ('c', 'u', 'r')
                    and not coalesce(array_contains(
                        unavailable, {{ debezium_spark.text_literal(column) }}), false)
                    then struct(value_{{ loop.index }} as `value`)
            end
        ) ignore nulls over (
            partition by {{ debezium_spark.walk_key() }}, life order by arrival
            rows between unbounded preceding and current row
        ) as known_{{ loop.index }}
        {%- endfor %}
    from walk

)
{%- if from_life %},

{{ debezium_spark.origin_chains(plan) }},

key_landings as (

    select
        row_key,
        max(struct(batch_id, landed_at)) as landing
    from walk
    group by row_key

),

lineage as (

    {# a life that began under other keys knows what the nearest of them knew until then #}
    select
        chains.row_key,
        chains.life,
        {%- for column in plan.lookup_columns %}
        min_by(
            origins.known_{{ loop.index }},
            case when origins.known_{{ loop.index }} is not null then chains.depth end
        ) as inherited_{{ loop.index }},
        {%- endfor %}
        max(key_landings.landing) as origin_landing
    from chains
    left join life_values as origins
        on
            chains.origin_key = origins.row_key
            and chains.origin_arrival = origins.arrival
    left join key_landings on chains.origin_key = key_landings.row_key
    group by chains.row_key, chains.life

),

known as (

    select
        life_values.* except (
            {%- for _ in plan.lookup_columns %}
            known_{{ loop.index }}{{ ',' if not loop.last }}
            {%- endfor %}
        ),
        {%- for column in plan.lookup_columns %}
        coalesce(life_values.known_{{ loop.index }}, lineage.inherited_{{ loop.index }})
            as known_{{ loop.index }},
        {%- endfor %}
        lineage.origin_landing
    from life_values
    left join lineage
        on
            life_values.row_key = lineage.row_key
            and life_values.life = lineage.life

)
{%- endif -%}
{%- endmacro -%}


{#- SQL: the value of a column in `row`, a struct with `unavailable` and what is known of it. -#}
{%- macro value_of(plan, row, column, image) -%}
{%- if column not in plan.lookup_columns -%}{{- return(image) -}}{%- endif -%}
case
    when coalesce(array_contains(
        {{ row }}.unavailable, {{ debezium_spark.text_literal(column) }}), false)
        then {{ row }}.known_{{ plan.lookup_columns.index(column) + 1 }}.`value`
    else {{ image }}
end
{%- endmacro -%}


{#- SQL: columns of `row` whose value no event tells, NULL without any. -#}
{%- macro still_unavailable(plan, row) -%}
    {%- set prefix = row ~ '.' if row else '' -%}
    {%- if not plan.lookup_columns -%}{{- return(prefix ~ 'unavailable') -}}{%- endif -%}
    {%- set known = [] -%}
    {%- for column in plan.lookup_columns -%}
        {%- do known.append(
            'if(' ~ prefix ~ 'known_' ~ loop.index ~ ' is not null, '
            ~ debezium_spark.text_literal(column) ~ ', null)'
        ) -%}
    {%- endfor -%}
    {{- return(debezium_spark.unless_empty(
        'array_except(' ~ prefix ~ 'unavailable, array_compact(array(' ~ known | join(', ') ~ ')))'
    )) -}}
{%- endmacro -%}
