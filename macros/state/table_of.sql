{#-
    SQL: what distinguishes the tables of one state model, by the topic of an event. A model has one
    table, whatever topics its events came by.

    The random histories of the tests are many small tables in one model, and dispatch another rule.
-#}
{%- macro table_of(topic) -%}
    {{- return(adapter.dispatch('table_of', 'debezium_spark')(topic)) -}}
{%- endmacro -%}


{%- macro default__table_of(topic) -%}
    {{- return("''") -}}
{%- endmacro -%}
