{#-
    Column lists that cannot become a table: Spark compares names without case, a prefix is
    reserved, and SQL cannot hold some names (`names.py`).
-#}
{%- macro check_columns(macro_name, table, columns) -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- if columns is string or columns is mapping or (execute and not columns) -%}
        {%- do debezium_spark._fail(
            macro_name,
            "`columns` of table '" ~ table ~ "' must be a non-empty list, got: " ~ columns ~ '.',
            'Run `debezium-spark generate`.',
        ) -%}
    {%- endif -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(column if column is string else column.name) -%}
    {%- endfor -%}
    {%- set collision = adapter.debezium_collision(names) -%}
    {%- if collision -%}
        {%- do debezium_spark._fail(
            macro_name,
            "table '" ~ table ~ "' has the columns '" ~ collision[0] ~ "' and '" ~ collision[1]
            ~ "', which Spark takes for one.",
            'Exclude one of them in Debezium (column.exclude.list) or rename it there.',
        ) -%}
    {%- endif -%}
    {%- for column in columns -%}
        {%- set name = column if column is string else column.name -%}
        {%- set problem = adapter.debezium_unwritable(name) if execute else none -%}
        {%- if problem -%}
            {%- do debezium_spark._fail(
                macro_name,
                "table '" ~ table ~ "' has the column '" ~ name ~ "' " ~ problem ~ '.',
                'Run `debezium-spark generate`.',
            ) -%}
        {%- endif -%}
        {%- if column is not string and name | lower | truncate(5, true, '', 0) == '_cdc_' -%}
            {%- do debezium_spark._fail(
                macro_name,
                "column '" ~ name ~ "' of table '" ~ table
                ~ "' begins with the reserved prefix _cdc_.",
                'Rename or exclude it in Debezium.',
            ) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro -%}
