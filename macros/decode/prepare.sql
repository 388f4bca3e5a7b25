{#-
    First step of decoding: the costly part of reading a value's text (base64, JSON, a number), computed once and used several times
    by `decode`. Returns SQL. Staging computes it in a projection of its own, so that Spark does not repeat it.
-#}
{%- macro prepare(source, column, text) -%}
    {%- set kind = debezium_spark.encoding(source, column).kind -%}
    {%- if kind == 'decimal' -%}
        {{- return('hex(try_to_binary(' ~ text ~ ", 'base64'))") -}}
    {%- elif kind == 'bits' -%}
        {{- return('try_to_binary(' ~ text ~ ", 'base64')") -}}
    {%- elif kind in ('epoch', 'time_of_day') -%}
        {{- return('try_cast(' ~ text ~ ' as bigint)') -}}
    {%- elif kind == 'days' -%}
        {{- return('try_cast(' ~ text ~ ' as int)') -}}
    {%- elif kind == 'variable_scale_decimal' -%}
        {{- return('from_json(' ~ text ~ ", 'struct<scale:int,value:string>')") -}}
    {%- elif kind == 'sparse_vector' -%}
        {{- return('from_json(' ~ text ~ ", 'struct<dimensions:int,vector:array<array<double>>>')") -}}
    {%- elif kind == 'array' -%}
        {{- return('from_json(' ~ text ~ ", 'array<string>')") -}}
    {%- endif -%}
    {{- return(text) -}}
{%- endmacro -%}
