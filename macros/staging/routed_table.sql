{#- SQL: the table in an event's source block, as configuration names it. -#}
{%- macro routed_table(config) -%}
    {%- if config.connector == 'mongodb' -%}
        {{- return("concat(source.db, '.', source.collection)") -}}
    {%- endif -%}
    {{- return("concat(coalesce(source.schema, source.db), '.', source.table)") -}}
{%- endmacro -%}
