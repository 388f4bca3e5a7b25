{#-
    SQL: a sortable text that orders the layouts and definitions of one table by the source's log,
    NULL where a record has no position.

    An ALTER waits for every transaction that writes to the table, so for layouts the position of a
    row orders as well as that of the stream. It is the same in every delivery, which the first half
    of PostgreSQL's stream position is not; incremental reads of PostgreSQL have none of their own
    and stand where the stream stood.
-#}
{%- macro layout_position(connector) -%}
    {%- if connector == 'postgresql' -%}
        {%- set position -%}
coalesce(lpad(source.lsn, 20, '0'), nullif(substring_index(
            {{- debezium_spark.postgresql_position().stream_position }}, '/', -1), ''))
        {%- endset -%}
        {{- return(position) -}}
    {%- elif connector == 'sqlserver' -%}
        {{- return(debezium_spark.sqlserver_position().stream_position) -}}
    {%- elif connector == 'oracle' -%}
        {{- return(debezium_spark.oracle_position().log_position) -}}
    {%- elif connector in ('mysql', 'mariadb') -%}
        {{- return(debezium_spark.mysql_position().stream_position) -}}
    {%- endif -%}
    {#- MongoDB's documents have no layout -#}
    {{- return('cast(null as string)') -}}
{%- endmacro -%}
