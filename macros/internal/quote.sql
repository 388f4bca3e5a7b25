{#- A name in backticks: source databases allow any text as a column name. -#}
{%- macro quote(name) -%}
    {{- return('`' ~ (name | string | replace('`', '``')) ~ '`') -}}
{%- endmacro -%}
