{#-
    The columns that staging, state and current models have for the table's columns, in the table's order: each column, and
    behind it the companion that keeps its exact text where the Spark type cannot hold every value (nanoseconds, offsets).

    Returns a list of `{name, data_type, of}`; `of` is the table's column that a companion belongs to, none for the column itself.
-#}
{%- macro decoded_columns(source, columns) -%}
    {%- set config = debezium_spark.source_config(source) if source is string else source -%}
    {%- set decoded = [] -%}
    {%- for column in columns -%}
        {%- set encoding = debezium_spark.encoding(config, column) -%}
        {%- do decoded.append({'name': column.name, 'data_type': encoding.spark_type, 'of': none}) -%}
        {%- if encoding.get('exact_text') -%}
            {%- do decoded.append({
                'name': debezium_spark.exact_text_name(column.name), 'data_type': 'string', 'of': column.name,
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(decoded) -}}
{%- endmacro -%}
