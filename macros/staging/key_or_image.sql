{#-
    SQL: the row's key from the message key, or from the row image of a record without one (spec §3)
    or with a text key that cannot be split for certain. Any other unreadable key names no row
    (`record_error`). `images`: the maps in which its columns may be.
-#}
{%- macro key_or_image(members, images, key) -%}
{%- if not key -%}{{- return(members) -}}{%- endif -%}
case
    when has_key
        and not ({{ members }} is null
            and {{ debezium_spark.is_struct_text('_record_key', key) }}) then {{ members }}
    else {{ debezium_spark.complete_key(images, key) }}
end
{%- endmacro -%}
