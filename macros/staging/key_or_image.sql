{#-
    SQL: the members of the row's key: those of the message key, or, in a record landed without one, the key columns of its row image
    where it has them all (spec §3: anything unusual must not stop the consumer). A key that is there and cannot be read is none of
    these: which row it means is not known (`record_error`).
-#}
{%- macro key_or_image(members, image, key) -%}
    {%- if not key -%}{{- return(members) -}}{%- endif -%}
    {{- return('case when has_key then ' ~ members ~ ' else ' ~ debezium_spark.key_within([image], key) ~ ' end') -}}
{%- endmacro -%}
