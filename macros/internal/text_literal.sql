{#-
    A text as a Spark literal on one line. Unlike in the standard, backslashes are escapes, and
    Spark replaces `${…}` by variables of the session or the environment, in literals too.
-#}
{%- macro text_literal(text) -%}
    {%- set text = text | string | replace('\\', '\\\\') | replace("'", "\\'") -%}
    {%- set text = text | replace('${', '\\u0024{') -%}
    {{- return(
        "'" ~ (text | replace('\n', '\\n') | replace('\r', '\\r') | replace('\x00', '\\u0000'))
        ~ "'"
    ) -}}
{%- endmacro -%}


{%- macro text_literals(texts) -%}
    {%- set literals = [] -%}
    {%- for text in texts -%}
        {%- do literals.append(debezium_spark.text_literal(text)) -%}
    {%- endfor -%}
    {{- return(literals | join(', ')) -}}
{%- endmacro -%}
