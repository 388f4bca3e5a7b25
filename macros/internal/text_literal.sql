{#-
    A text as a Spark string literal on one line, so that SQL around it may be indented. Backslashes
    are escapes in Spark's literals, unlike in the standard. Spark puts a variable of the session or
    the environment where it finds `${…}`, in literals too: it finds none here.
-#}
{%- macro text_literal(text) -%}
    {%- set text = text | string | replace('\\', '\\\\') | replace("'", "\\'") -%}
    {%- set text = text | replace('${', '\\u0024{') -%}
    {{- return(
        "'" ~ (text | replace('\n', '\\n') | replace('\r', '\\r') | replace('\x00', '\\u0000'))
        ~ "'"
    ) -}}
{%- endmacro -%}


{#- Texts as Spark string literals between commas: what stands in `in (…)` and `array(…)`. -#}
{%- macro text_literals(texts) -%}
    {%- set literals = [] -%}
    {%- for text in texts -%}
        {%- do literals.append(debezium_spark.text_literal(text)) -%}
    {%- endfor -%}
    {{- return(literals | join(', ')) -}}
{%- endmacro -%}
