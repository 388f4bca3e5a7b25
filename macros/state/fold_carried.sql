{#-
    CTE `resolved`: unavailable values replaced by the value the column had just before in the row's life, or under the key the row had
    before (docs/semantics.md, unavailable values). A value that no event says stays NULL and its column listed.
-#}
{%- macro fold_carried(plan) -%}
{%- set life = 'partition by line_key, line_life order by depth, arrival' -%}
lines as (

    select
        walked.*,
        {%- if plan.follows_origins %}
        coalesce(lineage.root_key, walked.row_key) as line_key,
        coalesce(lineage.root_life, walked.life) as line_life,
        coalesce(lineage.depth, 0) as depth,
        lineage.origins as line_origins
    from walked
    left join lineage
        on
            walked.row_key = lineage.row_key
            and walked.life = lineage.life
    {%- else %}
        row_key as line_key,
        life as line_life,
        0 as depth
    from walked
    {%- endif %}

),

resolved as (

    select
        *,
        {%- for column in plan.carried %}
        last_value(
            case
                when is_applied and op in ('c', 'u', 'r')
                    and not coalesce(array_contains(unavailable, {{ debezium_spark.text_literal(column) }}), false)
                    then struct(image.{{ debezium_spark.quoted(column) }} as `value`)
            end
        ) ignore nulls over (
            {{ life }}
            rows between unbounded preceding and current row
        ) as known_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    from lines

)
{%- endmacro -%}
