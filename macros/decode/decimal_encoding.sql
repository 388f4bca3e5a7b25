{#-
    Encoding of a Connect Decimal: base64 of the big-endian two's complement of the unscaled value (spec §11.3).

    A precision over 38 digits, a missing one (PostgreSQL money sends none: then 38) or a scale outside 0 to 38 decide
    the Spark type: DECIMAL where every value fits, else the exact number as text.
-#}
{%- macro decimal_encoding(parameters) -%}
    {%- set scale = parameters.get('scale', '0') | int -%}
    {%- set precision = parameters.get('connect.decimal.precision', '38') | int -%}
    {%- if precision > 38 or scale > 38 or scale > precision -%}
        {{- return({'kind': 'decimal', 'scale': scale, 'precision': precision, 'spark_type': 'string'}) -}}
    {%- elif scale < 0 -%}
        {%- if precision - scale > 38 -%}
            {{- return({'kind': 'decimal', 'scale': scale, 'precision': precision, 'spark_type': 'string'}) -}}
        {%- endif -%}
        {{- return({
            'kind': 'decimal', 'scale': scale, 'precision': precision,
            'spark_type': 'decimal(' ~ (precision - scale) ~ ',0)',
        }) -}}
    {%- endif -%}
    {{- return({
        'kind': 'decimal', 'scale': scale, 'precision': precision,
        'spark_type': 'decimal(' ~ precision ~ ',' ~ scale ~ ')',
    }) -}}
{%- endmacro -%}
