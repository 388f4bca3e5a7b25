{#-
    MAP<STRING,STRING> from a JSON object, or from the list of pairs that Connect writes when the keys are no texts. Unread when a key
    is null or comes twice: which of its values holds, nobody can say, and a map with it stops whoever compares it.
-#}
{%- macro decode_map(text) -%}
    {%- set pairs = 'from_json(' ~ text ~ ", 'array<array<string>>')" -%}
    {%- set as_map = (
        'case when not exists(pairs, pair -> size(pair) <> 2 or pair[0] is null) and size(array_distinct(transform(pairs, pair -> pair[0])))'
        ~ ' = size(pairs) then map_from_arrays(transform(pairs, pair -> pair[0]), transform(pairs, pair -> pair[1])) end'
    ) -%}
    {{- return(
        'case when ' ~ text ~ " like '[%' then " ~ debezium_spark.let('pairs', pairs, as_map)
        ~ ' else ' ~ debezium_spark.let('members', 'from_json(' ~ text ~ ", 'map<string,string>')", debezium_spark.distinct_members('members')) ~ ' end'
    ) -}}
{%- endmacro -%}


{#- SQL: a map that JSON was read as, NULL where a member came twice. -#}
{%- macro distinct_members(members) -%}
    {{- return('case when size(array_distinct(map_keys(' ~ members ~ '))) = size(' ~ members ~ ') then ' ~ members ~ ' end') -}}
{%- endmacro -%}
