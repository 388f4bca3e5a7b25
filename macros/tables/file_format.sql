{#-
    Table format of a model: its own `file_format`, else the one of the target, else Iceberg.

    dbt-spark's default is Parquet, which has no atomic MERGE: a model without the setting would
    be written in the wrong format. Generated models live in the consumer's project, where the
    defaults of this package's dbt_project.yml do not reach.
-#}
{%- macro file_format() -%}
    {%- set file_format = config.get('file_format')
        or ('delta' if 'delta' in target.name else 'iceberg') -%}
    {%- if file_format not in ['iceberg', 'delta'] -%}
        {%- do debezium_spark._fail(
            'file_format',
            "file_format must be iceberg or delta, got: " ~ file_format ~ ".",
            "Both have the atomic MERGE that state needs; set one of them.",
        ) -%}
    {%- endif -%}
    {{- return(file_format) -}}
{%- endmacro -%}
