{#-
    SELECT: rows that Python has merged, as the struct `merged`. `texts` are JSON arrays of rows,
    `row_type` is the type of one row.

    As literals they reach Spark over every connection, Connect and thrift too. A row that does not
    fit its type stops the run.
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


{#-
    The lines by which a model that selects merged rows tells `debezium_table` what its table is
    made of, and whether it is already: empty unless dbt runs it.
-#}
{%- macro _merged_rows_digest(sql) -%}
    {%- if not debezium_spark.is_running() -%}{{- return('') -}}{%- endif -%}
    {%- set name = 'debezium_spark.made_of' -%}
    {%- set made_of = local_md5(sql) -%}
    {%- set lines = ['property ' ~ name ~ ' = ' ~ made_of] -%}
    {%- if load_cached_relation(this) is not none
        and debezium_spark.loads_incrementally()
        and debezium_spark._property(debezium_spark._table(this), name) == made_of -%}
        {%- do lines.append('no new records') -%}
    {%- endif -%}
    {{- return(debezium_spark.told(lines)) -}}
{%- endmacro -%}
