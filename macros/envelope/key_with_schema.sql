{#- SQL: the payload of a key that was written with its schema block, as a map of JSON texts; NULL for every other form. -#}
{%- macro key_with_schema(text) -%}
    {{- return(
        'case when ' ~ text ~ " rlike '^\\\\s*[{]\\\\s*\"(schema|payload)\"' then from_json(" ~ text
        ~ ", 'struct<payload:map<string,string>>').payload end"
    ) -}}
{%- endmacro -%}
