{#-
    SELECT: each event of the keys to write as the walk of the state sees it, with the values that
    it lacks. It becomes a temporary view: the steps behind it are another half of a plan that is
    too deep for one.
-#}
{%- macro version_walk(config, staging, columns, plan) -%}
{%- set walk = dict(plan, truncates=false, closes=false) -%}
with
{% if plan.follows_origins and not plan.chains %}recursive{% endif %}

{{ debezium_spark.fold_input(config, staging, columns, walk) }},

{{ debezium_spark.fold_walk(walk) }}
{%- if plan.follows_origins %},

{{ debezium_spark.fold_origins(walk) }}
{%- endif %}
{%- if plan.lookup_columns %},

{{ debezium_spark.fold_unavailable(walk) }}
{%- endif %}

select * from {{ 'resolved_events' if plan.lookup_columns else 'walk_events' }}
{%- endmacro -%}


{#- SQL: the row that an upsert left, as one struct, and the columns that are still unknown. -#}
{%- macro resolved_row(columns, plan) -%}
    {%- set members = [] -%}
    {%- for column in columns -%}
        {%- set name = debezium_spark.text_literal(column) -%}
        {%- set value = 'image.' ~ debezium_spark.quote(column) -%}
        {%- if column in plan.lookup_columns -%}
            {%- set value = (
                'case when coalesce(array_contains(unavailable, ' ~ name ~ '), false) then known_'
                ~ (plan.lookup_columns.index(column) + 1) ~ '.`value` else ' ~ value ~ ' end'
            ) -%}
        {%- endif -%}
        {%- do members.append(name ~ ', ' ~ value) -%}
    {%- endfor -%}
    {{- return('named_struct(' ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}
