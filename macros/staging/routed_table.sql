{#- SQL: the table that an event's source block names, in the form of the configuration: `schema.table`, or `db.table` without schemas. -#}
{%- macro routed_table(config) -%}
    {{- return("concat(coalesce(source.schema, source.db), '.', source.table)") -}}
{%- endmacro -%}
