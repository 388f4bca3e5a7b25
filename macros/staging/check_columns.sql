{#-
    Column lists that cannot become a table: Spark compares names without case, a prefix is
    reserved, and SQL cannot hold some names (`names.py`).
-#}
{%- macro check_columns(macro_name, table, columns) -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- set problem = adapter.debezium().text.columns_problem(
        table | string, columns, runs=execute
    ) -%}
    {%- if problem -%}
        {%- do debezium_spark._fail(macro_name, problem[0], problem[1]) -%}
    {%- endif -%}
{%- endmacro -%}


{#- An added default that is no value of its type would be a silent NULL in every earlier row. -#}
{%- macro check_added_defaults(config, table, columns) -%}
    {%- for column in columns if column.get('added_default') is not none -%}
        {%- set spark_type = adapter.debezium().decode.encoding_of(config, column).spark_type -%}
        {%- set query = (
            'select try_cast(' ~ debezium_spark.text_literal(column.added_default) ~ ' as '
            ~ spark_type ~ ') is null'
        ) -%}
        {%- if run_query(query).rows[0][0] -%}
            {%- do debezium_spark._fail(
                'staging',
                "added_defaults of table '" ~ table ~ "' gives column '" ~ column.name
                ~ "' the value '" ~ column.added_default ~ "', which is no " ~ spark_type ~ '.',
                'Write it as Spark reads it (7, 2.50, 2026-01-31, true) '
                ~ 'and run `debezium-spark generate`.',
            ) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro -%}
