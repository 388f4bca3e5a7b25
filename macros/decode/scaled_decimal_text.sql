{#-
    Exact plain text of `unscaled * 10^-scale`: the decimal point is placed in the digits, nothing is computed (spec §11.1.5).

    `unscaled` is a SQL expression: the text of an integer, `scale` one of type INT, of either sign.
-#}
{%- macro scaled_decimal_text(unscaled, scale) -%}
    {%- set digits = "ltrim('-', " ~ unscaled ~ ")" -%}
    {%- set padded = "lpad(" ~ digits ~ ", greatest(length(" ~ digits ~ "), " ~ scale ~ " + 1), '0')" -%}
    {{- return(
        "concat(case when " ~ unscaled ~ " like '-%' then '-' else '' end, case "
        ~ "when " ~ scale ~ " > 0 then concat(substr(" ~ padded ~ ", 1, length(" ~ padded ~ ") - " ~ scale ~ "), '.', right(" ~ padded ~ ", " ~ scale ~ ")) "
        ~ "when " ~ unscaled ~ " = '0' then '0' else concat(" ~ digits ~ ", repeat('0', -(" ~ scale ~ "))) end)"
    ) -}}
{%- endmacro -%}
