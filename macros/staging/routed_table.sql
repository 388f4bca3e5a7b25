{#-
    SQL: the table that an event's source block names, in the form of the configuration:
    `schema.table`, or `db.table` without schemas; of MongoDB `db.collection`.
-#}
{%- macro routed_table(config) -%}
    {%- if config.connector == 'mongodb' -%}
        {{- return("concat(source.db, '.', source.collection)") -}}
    {%- endif -%}
    {{- return("concat(coalesce(source.schema, source.db), '.', source.table)") -}}
{%- endmacro -%}
