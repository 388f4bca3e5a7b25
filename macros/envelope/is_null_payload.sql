{#-
    SQL: a null in any of its forms: NULL, an empty text or `null` from landing layers, or the
    envelope that converters wrote before Kafka 2.2 (spec §1.3). Space around and within it says
    nothing, as in all JSON.
-#}
{%- macro is_null_payload(text) -%}
{%- set space = debezium_spark.text_literal(' \t\n\r') -%}
({{ text }} is null
    or (octet_length({{ text }}) < 100
        and (trim({{ space }} from {{ text }}) in ('', 'null')
            or translate({{ text }}, {{ space }}, '')
                in ('{"schema":null,"payload":null}', '{"payload":null,"schema":null}'))))
{%- endmacro -%}
