{#-
    SQL: a null in any of its forms: NULL, an empty text or `null` from landing layers, or the
    envelope that converters wrote before Kafka 2.2 (spec §1.3).
-#}
{%- macro is_null_payload(text) -%}
({{ text }} is null
    or (octet_length({{ text }}) < 100
        and (trim({{ text }}) in ('', 'null')
            or replace({{ text }}, ' ', '')
                in ('{"schema":null,"payload":null}', '{"payload":null,"schema":null}'))))
{%- endmacro -%}
