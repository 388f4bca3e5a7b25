{#-
    CTE `resolved_events`: unavailable values from the row's life, or from under the key it had
    before (docs/semantics.md, unavailable values).
-#}
{%- macro fold_unavailable(plan) -%}
life_values as (

    select
        *,
        {%- for column in plan.lookup_columns %}
        last_value(
            case
                when is_applied and op in ('c', 'u', 'r')
                    and not coalesce(array_contains(unavailable,
                        {{ debezium_spark.text_literal(column) }}), false)
                    then struct(image.{{ debezium_spark.quote(column) }} as `value`)
            end
        ) ignore nulls over (
            partition by {{ debezium_spark.walk_key() }}, life order by arrival
            rows between unbounded preceding and current row
        ) as {{ 'life_value' if plan.follows_origins else 'known' }}_{{ loop.index }}
        {{- ',' if not loop.last }}
        {%- endfor %}
    from walk_events

),
{%- if plan.follows_origins %}
{%- if plan.feed %}

key_landings as (

    select
        row_key,
        max({{ debezium_spark.landing_struct() }}) as last_landing
    from walk_events
    group by row_key

),
{%- endif %}

lineage as (

    {# a life that began under other keys knows what the nearest of them knew until then #}
    select
        chains.row_key,
        chains.life,
        {%- for column in plan.lookup_columns %}
        min_by(
            origins.life_value_{{ loop.index }},
            case when origins.life_value_{{ loop.index }} is not null then chains.depth end
        ) as inherited_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
        {%- if plan.feed %},
        max(key_landings.last_landing) as origin_landing
        {%- endif %}
    from chains
    left join life_values as origins
        on
            chains.origin_key = origins.row_key
            and chains.origin_arrival = origins.arrival
    {%- if plan.feed %}
    left join key_landings on chains.origin_key = key_landings.row_key
    {%- endif %}
    group by chains.row_key, chains.life

),
{%- endif %}

resolved_events as (

    {%- if plan.follows_origins %}

    select
        life_values.*,
        {%- for column in plan.lookup_columns %}
        coalesce(life_values.life_value_{{ loop.index }}, lineage.inherited_{{ loop.index }})
            as known_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
        {%- if plan.feed %},
        lineage.origin_landing
        {%- endif %}
    from life_values
    left join lineage
        on
            life_values.row_key = lineage.row_key
            and life_values.life = lineage.life
    {%- else %}

    select
        *
        {%- if plan.feed %},
        cast(null as {{ debezium_spark.landing_type() }}) as origin_landing
        {%- endif %}
    from life_values
    {%- endif %}

)
{%- endmacro -%}
