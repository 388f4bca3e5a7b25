{#-
    SQL: the members of the row's key: those of the message key, or, in a record landed without one, the key columns of its row image
    where it has them all (spec §3: anything unusual must not stop the consumer).
-#}
{%- macro key_or_image(members, image, key) -%}
    {%- if not key -%}{{- return(members) -}}{%- endif -%}
    {{- return('coalesce(' ~ members ~ ', ' ~ debezium_spark.key_within([image], key) ~ ')') -}}
{%- endmacro -%}
