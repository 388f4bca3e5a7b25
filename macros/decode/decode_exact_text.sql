{#-
    Text of the companion column: the value in full, in a form a person reads. Only for encodings with `exact_text`:
    nanoseconds, whose last three digits TIMESTAMP cannot hold, and texts that carry an offset.
-#}
{%- macro decode_exact_text(source, column, prepared) -%}
    {%- set encoding = debezium_spark.encoding(source, column) -%}
    {%- if encoding.kind == 'epoch' -%}
        {{- return(
            'concat(date_format(' ~ debezium_spark.decode_epoch(encoding, prepared) ~ ", \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\"), "
            ~ 'lpad(cast(pmod(' ~ prepared ~ ", 1000) as string), 3, '0'))"
        ) -}}
    {%- endif -%}
    {{- return(prepared) -}}
{%- endmacro -%}
