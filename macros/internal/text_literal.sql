{#- A text as a Spark string literal. Backslashes are escapes in Spark's literals, unlike in the standard. -#}
{%- macro text_literal(text) -%}
    {{- return("'" ~ (text | string | replace('\\', '\\\\') | replace("'", "\\'")) ~ "'") -}}
{%- endmacro -%}
