{#-
    Exact plain text of `unscaled * 10^-scale`: the decimal point is placed in the digits, nothing is computed (spec §11.1.5).

    `unscaled` is a SQL expression of type DECIMAL(38,0), `scale` one of type INT, of either sign.
-#}
{%- macro scaled_decimal_text(unscaled, scale) -%}
    {#- not abs(): Spark's keeps 34 digits of a decimal -#}
    {%- set digits = "replace(cast(" ~ unscaled ~ " as string), '-', '')" -%}
    {%- set padded = "lpad(" ~ digits ~ ", greatest(length(" ~ digits ~ "), " ~ scale ~ " + 1), '0')" -%}
    {{- return(
        "concat(case when " ~ unscaled ~ " < 0 then '-' else '' end, case "
        ~ "when " ~ scale ~ " > 0 then concat(substr(" ~ padded ~ ", 1, length(" ~ padded ~ ") - " ~ scale ~ "), '.', right(" ~ padded ~ ", " ~ scale ~ ")) "
        ~ "when " ~ unscaled ~ " = 0 then '0' else concat(" ~ digits ~ ", repeat('0', -(" ~ scale ~ "))) end)"
    ) -}}
{%- endmacro -%}
