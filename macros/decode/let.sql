{#-
    SQL: `expression` with `name` standing for `value`, which is computed once.

    SQL has no local names. Written out instead, a long value that is used many times makes statements that take Spark longer to plan
    than to run. The price is that Spark does not compile the expression, so hot paths write short values out.
-#}
{%- macro let(name, value, expression) -%}
    {{- return('transform(array(' ~ value ~ '), ' ~ name ~ ' -> ' ~ expression ~ ')[0]') -}}
{%- endmacro -%}
