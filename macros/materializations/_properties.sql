{#- A property of a table, none when it has not got it. -#}
{%- macro _property(relation, name) -%}
    {%- for row in run_query('show tblproperties ' ~ relation).rows if row[0] == name -%}
        {{- return(row[1]) -}}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}


{%- macro _set_property(relation, name, value) -%}
    {%- do run_query(
        'alter table ' ~ relation ~ ' set tblproperties (' ~ debezium_spark.text_literal(name) ~ ' = '
        ~ debezium_spark.text_literal(value) ~ ')'
    ) -%}
{%- endmacro -%}
