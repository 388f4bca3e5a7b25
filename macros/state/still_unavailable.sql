{#- SQL: columns of a winner whose value no event carries, NULL without any. -#}
{%- macro still_unavailable(plan) -%}
    {%- if not plan.lookup_columns -%}{{- return('winners.winner.unavailable') -}}{%- endif -%}
    {%- set known_names = [] -%}
    {%- for column in plan.lookup_columns -%}
        {%- do known_names.append(
            'case when winners.winner.known_' ~ loop.index ~ ' is not null then '
            ~ debezium_spark.text_literal(column) ~ ' end'
        ) -%}
    {%- endfor -%}
    {%- set names = (
        'array_except(winners.winner.unavailable, array_compact(array('
        ~ known_names | join(', ') ~ ')))'
    ) -%}
    {{- return('case when size(' ~ names ~ ') > 0 then ' ~ names ~ ' end') -}}
{%- endmacro -%}
