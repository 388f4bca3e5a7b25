{#-
    Sparse vector: a map with integer keys, which Connect's JSON writes as a list of pairs. Unread when a number is none, or when an
    index comes twice: a map would stop the run.
-#}
{%- macro decode_sparse_vector(parsed) -%}
    {%- set dimensions = 'try_cast(' ~ parsed ~ '.dimensions as int)' -%}
    {%- set pairs = parsed ~ '.vector' -%}
    {%- set indexes = 'transform(' ~ pairs ~ ', pair -> try_cast(pair[0] as int))' -%}
    {{- return(
        'case when ' ~ dimensions ~ ' is not null and not exists(' ~ pairs
        ~ ', pair -> size(pair) <> 2 or try_cast(pair[0] as int) is null or try_cast(pair[1] as double) is null) and size(array_distinct('
        ~ indexes ~ ')) = size(' ~ pairs ~ ") then named_struct('dimensions', " ~ dimensions ~ ", 'vector', map_from_arrays("
        ~ indexes ~ ', transform(' ~ pairs ~ ', pair -> try_cast(pair[1] as double)))) end'
    ) -}}
{%- endmacro -%}
