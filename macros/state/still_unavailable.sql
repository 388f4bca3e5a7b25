{#- SQL: the columns of a winner whose value no event carries, NULL when there are none. -#}
{%- macro still_unavailable(plan) -%}
    {%- if not plan.carried -%}{{- return('winners.winner.unavailable') -}}{%- endif -%}
    {%- set known = [] -%}
    {%- for column in plan.carried -%}
        {%- do known.append(
            'case when winners.winner.known_' ~ loop.index ~ ' is not null then '
            ~ debezium_spark.text_literal(column) ~ ' end'
        ) -%}
    {%- endfor -%}
    {%- set left = (
        'array_except(winners.winner.unavailable, array_compact(array(' ~ known | join(', ') ~ ')))'
    ) -%}
    {{- return('case when size(' ~ left ~ ') > 0 then ' ~ left ~ ' end') -}}
{%- endmacro -%}
