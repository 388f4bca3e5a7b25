{#-
    The lines by which a model tells `debezium_table` what its table is made of, and whether it is already: empty unless dbt runs it.

    `sql` is its SELECT, `read` the relation that this reads, with few rows: they are hashed at every run. By what they are, not by the
    version of their table, which also changes when maintenance writes the same rows anew.
-#}
{%- macro _said_of_rows_read(sql, read) -%}
    {%- if not debezium_spark.is_running() or load_cached_relation(read) is none -%}{{- return('') -}}{%- endif -%}
    {%- set name = 'debezium_spark.made_of' -%}
    {%- set rows = run_query(
        'select concat_ws(\' \', count(*), sum(cast(xxhash64(*) as decimal(38, 0)))) from ' ~ read
    ).rows[0][0] -%}
    {%- set made_of = local_md5(sql) ~ ' ' ~ rows -%}
    {%- set said = ['-- debezium_spark: property ' ~ name ~ ' = ' ~ made_of] -%}
    {%- if debezium_spark.loads_incrementally() and debezium_spark._property(debezium_spark._table(this), name) == made_of -%}
        {%- do said.append('-- debezium_spark: no new records') -%}
    {%- endif -%}
    {{- return(said | join('\n') ~ '\n') -}}
{%- endmacro -%}
