{#-
    MAP<STRING,STRING> from a JSON object, or from the list of pairs that Connect writes when the keys are no texts. Unread when a key
    is null or comes twice among pairs.
-#}
{%- macro decode_map(text) -%}
    {%- set pairs = 'from_json(' ~ text ~ ", 'array<array<string>>')" -%}
    {%- set as_map = (
        'case when not exists(pairs, pair -> size(pair) <> 2 or pair[0] is null) and size(array_distinct(transform(pairs, pair -> pair[0])))'
        ~ ' = size(pairs) then map_from_arrays(transform(pairs, pair -> pair[0]), transform(pairs, pair -> pair[1])) end'
    ) -%}
    {{- return(
        'case when ' ~ text ~ " like '[%' then " ~ debezium_spark.let('pairs', pairs, as_map)
        ~ ' else from_json(' ~ text ~ ", 'map<string,string>') end"
    ) -}}
{%- endmacro -%}
