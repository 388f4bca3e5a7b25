{#- A text as a Spark string literal. Backslashes are escapes in Spark's literals, unlike in the standard. -#}
{%- macro text_literal(text) -%}
    {{- return("'" ~ (text | string | replace('\\', '\\\\') | replace("'", "\\'")) ~ "'") -}}
{%- endmacro -%}


{#- Texts as Spark string literals between commas: what stands in `in (…)` and `array(…)`. -#}
{%- macro text_literals(texts) -%}
    {%- set literals = [] -%}
    {%- for text in texts -%}
        {%- do literals.append(debezium_spark.text_literal(text)) -%}
    {%- endfor -%}
    {{- return(literals | join(', ')) -}}
{%- endmacro -%}
