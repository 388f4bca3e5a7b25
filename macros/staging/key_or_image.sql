{#-
    SQL: the members of the row's key: those of the message key, or the key columns of the row image
    where it has them all, in a record landed without a key (spec §3: anything unusual must not stop
    the consumer), and in one whose key is a text that cannot be split for certain
    (`struct_text_members`), as a connector takes the key from that image. Any other key that is
    there and cannot be read is none of these: which row it means is not known (`record_error`).
-#}
{%- macro key_or_image(members, image, key) -%}
{%- if not key -%}{{- return(members) -}}{%- endif -%}
case
    when has_key
        and not ({{ members }} is null
            and {{ debezium_spark.is_struct_text('_record_key', key) }}) then {{ members }}
    else {{ debezium_spark.complete_key([image], key) }}
end
{%- endmacro -%}
