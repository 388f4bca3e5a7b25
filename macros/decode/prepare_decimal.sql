{#-
    SQL: a Connect decimal as `decode_decimal` takes it: the bytes as upper-case hexadecimal digits, or `=` and the number where the
    converter wrote a number (`decimal.format` NUMERIC). Which of the two shows per value; configuration only says what is usual.

    Only texts below `:` can be numbers, and base64 of most values begins with a letter: the usual value costs one comparison more.
    Base64 has neither a point nor a minus; digits alone are a number when the record has them unquoted. Without the record (keys,
    elements of arrays) the configuration decides.

    Spark reads a number with a fraction through a double. Where the configuration does not announce them (`quote_fractions`), one is
    believed only when all digits that the column could give it are at most 15, which a double holds.
-#}
{%- macro prepare_decimal(source, column, text, record=none) -%}
    {%- set is_usual = source.get('decimal_format') == 'numeric' -%}
    {#- base64 without padding is none of Connect's, but words like NAN would be such -#}
    {%- set bytes = 'case when length(' ~ text ~ ') % 4 = 0 then hex(try_to_binary(' ~ text ~ ", 'base64')) end" -%}
    {%- set number = "concat('=', " ~ text ~ ')' -%}
    {%- if record is not none -%}
        {%- set label = debezium_spark.text_literal(tojson(column.name) ~ ':') -%}
        {%- set spaced_label = debezium_spark.text_literal(tojson(column.name) ~ ': ') -%}
        {%- set is_unquoted = (
            '(instr(' ~ record ~ ', concat(' ~ label ~ ', ' ~ text ~ ')) > 0 or instr('
            ~ record ~ ', concat(' ~ spaced_label ~ ', ' ~ text ~ ')) > 0)'
        ) -%}
    {%- else -%}
        {%- set is_unquoted = 'true' if is_usual else 'false' -%}
    {%- endif -%}
    {%- set encoding = debezium_spark.encoding(source, column) -%}
    {%- if is_usual or encoding.precision <= 15 -%}
        {%- set believed = number -%}
    {%- elif encoding.scale < 15 -%}
        {%- set believed = 'case when abs(try_cast(' ~ text ~ ' as double)) < 1e' ~ (15 - encoding.scale) ~ ' then ' ~ number ~ ' end' -%}
    {%- else -%}
        {%- set believed = 'cast(null as string)' -%}
    {%- endif -%}
    {{- return(
        'case when ' ~ text ~ " >= ':' then " ~ bytes
        ~ ' when not ' ~ text ~ " rlike '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$' then " ~ bytes
        ~ ' when ' ~ text ~ " like '%.%' then " ~ believed
        ~ ' when ' ~ text ~ " like '-%' or " ~ is_unquoted ~ ' then ' ~ number
        ~ ' else ' ~ bytes ~ ' end'
    ) -}}
{%- endmacro -%}
