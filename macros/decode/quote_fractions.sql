{#-
    SQL: a JSON text with quotes around each number that has a fraction or an exponent. Spark reads such a number through a double
    when it is wanted as text, and rounds it; a quoted one comes through as it was written (spec §11.1).

    For sources with `decimal_format: numeric` only. One pass: `\G` begins where the last number ended, texts and whole
    numbers are stepped over, and every repetition is possessive, so that no text is long enough to overflow the stack.
-#}
{%- macro quote_fractions(text) -%}
    {%- set texts = '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"' -%}
    {%- set pattern = '\\G((?:[^"0-9-]++|' ~ texts ~ '|-?[0-9]++(?![0-9.eE]))*+)(-?[0-9]++[.eE][0-9.eE+-]*+)' -%}
    {{- return('regexp_replace(' ~ text ~ ', ' ~ debezium_spark.text_literal(pattern) ~ ", '$1\"$2\"')") -}}
{%- endmacro -%}


{#- SQL: a record's text so that every digit of its numbers survives being read as text. -#}
{%- macro exact_numbers(config, text) -%}
    {{- return(debezium_spark.quote_fractions(text) if config.decimal_format == 'numeric' else text) -}}
{%- endmacro -%}
