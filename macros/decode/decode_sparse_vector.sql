{#- Sparse vector: a map with integer keys, which Connect's JSON writes as a list of pairs. -#}
{%- macro decode_sparse_vector(parsed) -%}
    {{- return(
        'case when ' ~ parsed ~ '.dimensions is not null then named_struct('
        ~ "'dimensions', " ~ parsed ~ '.dimensions, '
        ~ "'vector', map_from_entries(transform(" ~ parsed ~ '.vector, '
        ~ 'pair -> struct(cast(pair[0] as int), pair[1])))) end'
    ) -}}
{%- endmacro -%}
