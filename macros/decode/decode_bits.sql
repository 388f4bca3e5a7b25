{#-
    Bit string as text of 0 and 1. The bytes are little-endian (spec §11.2): the last byte holds the leading bits.

    A declared length pads or cuts to itself; without one (varbit: length 2147483647) leading zeros are unknown and left out.
-#}
{%- macro decode_bits(column, bytes) -%}
    {%- set bits = (
        'array_join(transform(sequence(length(' ~ bytes ~ '), 1, -1), '
        ~ 'i -> lpad(conv(hex(substr(' ~ bytes ~ ", i, 1)), 16, 2), 8, '0')), '')"
    ) -%}
    {%- set length = (column.get('parameters') or {}).get('length', '2147483647') | int -%}
    {%- if length >= 2147483647 -%}
        {{- return(
            'case when length(' ~ bytes ~ ") = 0 then '' when length(" ~ bytes ~ ") > 0 then ltrim('0', " ~ bits ~ ') end'
        ) -}}
    {%- endif -%}
    {{- return(
        'case when length(' ~ bytes ~ ") = 0 then repeat('0', " ~ length ~ ') when length(' ~ bytes ~ ') > 0 then lpad(right('
        ~ bits ~ ', ' ~ length ~ '), ' ~ length ~ ", '0') end"
    ) -}}
{%- endmacro -%}
