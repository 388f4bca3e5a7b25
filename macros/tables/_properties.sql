{#- Properties of tables, in which runs leave notes for the next one. -#}
{%- macro _property(relation, name) -%}
    {{- return(adapter.debezium().tables.properties(relation).get(name)) -}}
{%- endmacro -%}


{%- macro _set_property(relation, name, value) -%}
    {%- do run_query(
        'alter table ' ~ relation ~ ' set tblproperties (' ~ debezium_spark.text_literal(name)
        ~ ' = ' ~ debezium_spark.text_literal(value) ~ ')'
    ) -%}
    {%- do adapter.debezium().tables.remember(relation, name, value) -%}
{%- endmacro -%}


{%- macro _fingerprint_property() -%}
    {{- return('debezium_spark.reading') -}}
{%- endmacro -%}
