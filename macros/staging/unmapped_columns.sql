{#-
    SQL: the members of the row image that the model has no column for, name to JSON text; NULL when
    there are none. Nothing is lost before the models are regenerated (design §8).

    Connectors write a row's members in the order of its schema, so the cheap comparison of the two
    name lists is the usual case.
-#}
{%- macro unmapped_columns(columns) -%}
    {%- set known = (
        'array(' ~ debezium_spark.text_literals(debezium_spark.all_names(columns)) ~ ')'
    ) -%}
    {{- return(
        "case when op in ('c', 'r', 'u') and map_keys(after) != " ~ known
        ~ ' and size(array_except(map_keys(after), ' ~ known
        ~ ')) > 0 then map_filter(after, (name, text) -> not array_contains(' ~ known
        ~ ', name)) end'
    ) -}}
{%- endmacro -%}
