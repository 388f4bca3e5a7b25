{#-
    SQL: the order of a table's layouts and definitions. An ALTER waits for all transactions on its
    table, so a row's position orders them too, and it is equal in every delivery, unlike the first
    half of PostgreSQL's stream position. Incremental reads of PostgreSQL stand where the stream
    stood.
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
