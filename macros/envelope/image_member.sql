{#- SQL: the JSON text of one member of a row image, NULL if it is absent or null. -#}
{%- macro image_member(image, name) -%}
    {{- return('try_element_at(' ~ image ~ ', ' ~ debezium_spark.text_literal(name) ~ ')') -}}
{%- endmacro -%}
