{#-
    Decide for `debezium_table` what the model's table is made of, and whether it is already:
    nothing unless dbt runs the model.

    `sql` is its SELECT, `read` the relation that this reads, with few rows: they are hashed at
    every run. By what they are, not by the version of their table, which also changes when
    maintenance writes the same rows anew.
-#}
{%- macro _decide_by_rows_read(sql, read) -%}
    {%- if debezium_spark.is_running() and load_cached_relation(read) is not none -%}
        {%- set name = 'debezium_spark.made_of' -%}
        {%- set rows = run_query(
            'select concat_ws(\' \', count(*), sum(cast(xxhash64(*) as decimal(38, 0)))) from '
            ~ read
        ).rows[0][0] -%}
        {%- set made_of = local_md5(sql) ~ ' ' ~ rows -%}
        {%- do debezium_spark.decide({
            'properties': {name: made_of},
            'nothing_new': (
                debezium_spark.loads_incrementally()
                and debezium_spark._property(debezium_spark._table(this), name) == made_of
            ),
        }) -%}
    {%- endif -%}
{%- endmacro -%}
