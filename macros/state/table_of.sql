{#-
    SQL: what distinguishes the tables of a state model: it has one. Tests dispatch another rule for
    many small tables in one model.
-#}
{%- macro table_of(topic) -%}
    {{- return(adapter.dispatch('table_of', 'debezium_spark')(topic)) -}}
{%- endmacro -%}


{%- macro default__table_of(topic) -%}
    {{- return("''") -}}
{%- endmacro -%}
