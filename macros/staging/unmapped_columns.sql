{#-
    SQL: `_cdc_unmapped`: nothing is lost before models are regenerated (design §8). Connectors keep
    the order of the schema, so comparing two name lists is enough for the usual record.
-#}
{%- macro unmapped_columns(columns) -%}
    {%- set known_names = (
        'array(' ~ debezium_spark.text_literals(debezium_spark.all_names(columns)) ~ ')'
    ) -%}
    {{- return(
        "case when op in ('c', 'r', 'u') and map_keys(after) != " ~ known_names
        ~ ' and size(array_except(map_keys(after), ' ~ known_names
        ~ ')) > 0 then map_filter(after, (name, text) -> not array_contains(' ~ known_names
        ~ ', name)) end'
    ) -}}
{%- endmacro -%}
