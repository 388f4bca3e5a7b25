{#-
    Positions of an event, by connector: the only place where the order of a source's log is known.

    Returns `{position, stream_position, identity, truncate_identity}`, SQL expressions over the
    structs `source` and `transaction` (all members text), the row images `before` and `after` and
    the text `op`:

    * `position`, a sortable text, orders the streaming events of one row (`_cdc_pos`); NULL where
      the record has none,
    * `stream_position`, likewise, orders the events of the whole stream by their commits
      (`_cdc_stream_pos`), needed for truncates,
    * `identity` distinguishes the changes of a row, where the position does not (`_cdc_identity`);
      NULL or no expression at all where it does. It begins with `~` when several changes of one
      connector run can share it,
    * `truncate_identity`: the same for truncates (`_cdc_identity`).

    Never made of times: `ts_ms` ties, skews and changes with each delivery (spec §5).
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
