{#-
    Table format: the model's, else the target's (`settings.default_format`), not dbt-spark's
    default: Parquet has no atomic MERGE.
-#}
{%- macro file_format() -%}
    {%- set file_format = config.get('file_format') or adapter.debezium().run.format_of_target() -%}
    {%- if file_format not in ['iceberg', 'delta'] -%}
        {%- do debezium_spark._fail(
            'file_format',
            "file_format must be iceberg or delta, got: " ~ file_format ~ ".",
            "Both have the atomic MERGE that state needs; set one of them.",
        ) -%}
    {%- endif -%}
    {{- return(file_format) -}}
{%- endmacro -%}
