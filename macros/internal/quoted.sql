{#-
    A name as a Spark identifier: in backticks, so that any column name of a source database is one.
-#}
{%- macro quoted(name) -%}
    {{- return('`' ~ (name | string | replace('`', '``')) ~ '`') -}}
{%- endmacro -%}
