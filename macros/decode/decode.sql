{#- SQL: the costly part of reading a value's text, computed once for `decode`. -#}
{%- macro prepare(source, column, text, record=none) -%}
    {{- return(adapter.debezium_prepare(source, column, text, record)) -}}
{%- endmacro -%}


{#- SQL: a prepared value in its Spark type; NULL when there is none or it cannot be read. -#}
{%- macro decode(source, column, prepared) -%}
    {{- return(adapter.debezium_decode(source, column, prepared)) -}}
{%- endmacro -%}


{#- SQL: the value of a column, each record read as its own embedded schema says. -#}
{%- macro decode_recorded(config, column, text, prepared, layout='_layout', record=none) -%}
    {{- return(
        adapter.debezium_decode_recorded(config, column, text, prepared, layout, record)
    ) -}}
{%- endmacro -%}


{#- SQL: a JSON text with quotes around each number that has a fraction or an exponent. -#}
{%- macro quote_fractions(text) -%}
    {{- return(adapter.debezium_quote_fractions(text)) -}}
{%- endmacro -%}


{#- SQL: a record's text so that every digit of its numbers survives being read as text. -#}
{%- macro exact_numbers(config, text) -%}
    {{- return(adapter.debezium_exact_numbers(config, text)) -}}
{%- endmacro -%}


{#- SQL: `expression` with `name` standing for `value`, which is computed once. -#}
{%- macro let(name, value, expression) -%}
    {{- return(adapter.debezium_let(name, value, expression)) -}}
{%- endmacro -%}
