{#-
    SQL: whether a record's value is a null in one of its forms: SQL NULL, an empty text, the text
    `null` (both left by landing layers), or the envelope of nulls that converters before Kafka 2.2
    wrote (spec §1.3).
-#}
{%- macro is_null_payload(text) -%}
({{ text }} is null
    or (octet_length({{ text }}) < 100
        and (trim({{ text }}) in ('', 'null')
            or replace({{ text }}, ' ', '')
                in ('{"schema":null,"payload":null}', '{"payload":null,"schema":null}'))))
{%- endmacro -%}
