{#-
    SQL: `_cdc_unmapped`: nothing is lost before models are regenerated (design §8). Connectors keep
    the order of the schema, so comparing two name lists is enough for the usual record.
-#}
{%- macro unmapped_columns(config, columns) -%}
    {%- set known_names = (
        'array(' ~ debezium_spark.text_literals(debezium_spark.all_names(columns)) ~ ')'
    ) -%}
    {%- set is_told = (
        ' and text is not null' if debezium_spark.nulls_are_absent(config) else ''
    ) -%}
    {%- set image = (
        'map_filter(after, (name, text) -> text is not null)' if is_told else 'after'
    ) -%}
    {{- return(
        "case when op in ('c', 'r', 'u') and after_has_other_names"
        ~ ' and size(array_except(map_keys(' ~ image ~ '), ' ~ known_names
        ~ ')) > 0 then map_filter(after, (name, text) -> not array_contains(' ~ known_names
        ~ ', name)' ~ is_told ~ ') end'
    ) -}}
{%- endmacro -%}
