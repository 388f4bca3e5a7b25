{#-
    Positions of an event: the only place that knows a source's log. Never made of times, which tie,
    skew and change with each delivery (spec §5). Each member is SQL over `source`, `transaction`,
    `before`, `after` and `op`:

    * `position` orders the events of one row (`_cdc_pos`),
    * `stream_position` orders commits (`_cdc_stream_pos`), for truncates,
    * `identity` and `truncate_identity` distinguish changes where positions do not
      (`_cdc_identity`); with `~` in front if changes of one connector run can share it.
-#}
{%- macro event_position(config) -%}
    {%- set position = debezium_spark._connector_position(config) -%}
    {%- if position is none -%}
        {%- do debezium_spark._fail(
            'event_position',
            "staging for connector '" ~ config.connector ~ "' is not part of this version",
            'Use a source with connector postgresql, sqlserver, oracle, mysql, mariadb or mongodb.',
        ) -%}
    {%- endif -%}
    {{- return(position) -}}
{%- endmacro -%}


{%- macro _connector_position(config) -%}
    {%- if config.connector == 'postgresql' -%}
        {{- return(debezium_spark.postgresql_position()) -}}
    {%- elif config.connector == 'sqlserver' -%}
        {{- return(debezium_spark.sqlserver_position()) -}}
    {%- elif config.connector == 'oracle' -%}
        {{- return(debezium_spark.oracle_position()) -}}
    {%- elif config.connector == 'mongodb' -%}
        {{- return(debezium_spark.mongodb_position()) -}}
    {%- elif config.connector in ('mysql', 'mariadb') -%}
        {{- return(debezium_spark.mysql_position(config.get('binlog_transaction_compression'))) -}}
    {%- endif -%}
    {{- return(none) -}}
{%- endmacro -%}
