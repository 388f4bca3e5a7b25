{#- SQL for a column's values; `prepare` computes the costly part once. -#}
{%- macro prepare(source, column, text, record=none) -%}
    {{- return(adapter.debezium_prepare(source, column, text, record)) -}}
{%- endmacro -%}


{%- macro decode(source, column, prepared) -%}
    {{- return(adapter.debezium_decode(source, column, prepared)) -}}
{%- endmacro -%}


{#- SQL: each record is read by its own embedded schema. -#}
{%- macro decode_recorded(config, column, text, prepared, layout='_layout', record=none) -%}
    {{- return(
        adapter.debezium_decode_recorded(config, column, text, prepared, layout, record)
    ) -}}
{%- endmacro -%}


{#- SQL: numbers with a fraction or an exponent get quotes, which keep all their digits. -#}
{%- macro quote_fractions(text) -%}
    {{- return(adapter.debezium_quote_fractions(text)) -}}
{%- endmacro -%}


{%- macro exact_numbers(config, text) -%}
    {{- return(adapter.debezium_exact_numbers(config, text)) -}}
{%- endmacro -%}


{#- SQL: `expression` with `name` standing for `value`, which is computed once. -#}
{%- macro let(name, value, expression) -%}
    {{- return(adapter.debezium_let(name, value, expression)) -}}
{%- endmacro -%}
