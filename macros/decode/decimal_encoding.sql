{#-
    Encoding of a Connect Decimal: base64 of the big-endian two's complement of the unscaled value (spec §11.3).

    A precision over 38 digits, a missing one (PostgreSQL money sends none: then 38) or a scale outside 0 to 38 decide
    the Spark type: DECIMAL where every value fits, else the exact number as text.

    PostgreSQL counts a declared negative scale in 11 bits: `numeric(5,-2)` arrives with scale 2046 (spec §16). No declared scale is
    over 1000, so such a column is told by its scale, and its values, `cut` at the point, fit DECIMAL(7,0).
-#}
{%- macro decimal_encoding(parameters) -%}
    {%- set scale = parameters.get('scale', '0') | int -%}
    {%- set precision = parameters.get('connect.decimal.precision', '38') | int -%}
    {%- set encoding = {'kind': 'decimal', 'scale': scale, 'precision': precision, 'spark_type': 'string'} -%}
    {%- set declared = scale - 2048 if scale > 1000 else scale -%}
    {%- if declared < 0 and precision - declared <= 38 -%}
        {%- do encoding.update({'spark_type': 'decimal(' ~ (precision - declared) ~ ',0)', 'cut': scale > 1000}) -%}
    {%- elif declared >= 0 and precision <= 38 and declared <= precision -%}
        {%- do encoding.update({'spark_type': 'decimal(' ~ precision ~ ',' ~ declared ~ ')'}) -%}
    {%- endif -%}
    {{- return(encoding) -}}
{%- endmacro -%}
