{#-
    SELECT: rows that Python has merged, as literals, which reach Spark over every connection.
    `texts` are JSON arrays of rows; a row that does not fit `row_type` stops the run.
-#}
{%- macro _merged_rows(row_type, texts) -%}
select
        explode(
            from_json(merged_rows, 'array<{{ row_type }}>', map('mode', 'FAILFAST'))
        ) as merged
    from values
        {%- for text in texts or ['[]'] %}
        ({{ debezium_spark.text_literal(text) }}){{ ',' if not loop.last }}
        {%- endfor %}
    as merged_tables (merged_rows)
{%- endmacro -%}


{#- Decide whether the table has these rows already; nothing unless dbt runs the model. -#}
{%- macro _decide_by_merged_rows(sql) -%}
    {%- if debezium_spark.is_running() -%}
        {%- set name = 'debezium_spark.made_of' -%}
        {%- set sql_hash = local_md5(sql) -%}
        {%- do debezium_spark.decide({
            'properties': {name: sql_hash},
            'nothing_new': (
                load_cached_relation(this) is not none
                and debezium_spark.loads_incrementally()
                and debezium_spark._property(debezium_spark._table(this), name) == sql_hash
            ),
        }) -%}
    {%- endif -%}
{%- endmacro -%}
