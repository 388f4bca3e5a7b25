{#-
    First step of decoding: the costly part of reading a value's text (base64, JSON, a number), computed once and used several times
    by `decode`. Returns SQL. Staging computes it in a projection of its own, so that Spark does not repeat it.

    `record` is a SQL expression: the JSON text that the value came from, where there is one. It tells a decimal of digits alone
    from base64 text that happens to be digits.
-#}
{%- macro prepare(source, column, text, record=none) -%}
    {%- set encoding = debezium_spark.encoding(source, column) -%}
    {%- set kind = encoding.kind -%}
    {%- if kind == 'decimal' -%}
        {{- return(debezium_spark.prepare_decimal(source, column, text, record)) -}}
    {%- elif kind == 'bits' -%}
        {{- return('try_to_binary(' ~ text ~ ", 'base64')") -}}
    {%- elif kind in ('epoch', 'time_of_day', 'unsigned') -%}
        {{- return('try_cast(' ~ text ~ ' as bigint)') -}}
    {%- elif kind == 'days' -%}
        {{- return('try_cast(' ~ text ~ ' as int)') -}}
    {%- elif kind == 'variable_scale_decimal' -%}
        {{- return('from_json(' ~ text ~ ", 'struct<scale:int,value:string>')") -}}
    {%- elif kind == 'struct' -%}
        {{- return(debezium_spark.let(
            'members', 'from_json(' ~ text ~ ", 'map<string,string>')", debezium_spark.distinct_members('members')
        )) -}}
    {%- elif kind == 'sparse_vector' -%}
        {{- return('from_json(' ~ text ~ ", 'struct<dimensions:string,vector:array<array<string>>>')") -}}
    {%- elif kind in ('array', 'vector') -%}
        {{- return('from_json(' ~ text ~ ", 'array<string>')") -}}
    {%- endif -%}
    {{- return(text) -}}
{%- endmacro -%}
