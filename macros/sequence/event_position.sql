{#-
    Positions of an event, by connector: the only place where the order of a source's log is known.

    Returns `{position, stream_position, identity}`, SQL expressions over the structs `source` and `transaction` (all members text), the row
    images `before` and `after` and the text `op`:

    * `position`, a sortable text, orders the streaming events of one row (`_cdc_pos`); NULL where the record has none,
    * `stream_position`, likewise, orders the events of the whole stream (`_cdc_stream_pos`), needed for truncates,
    * `identity` tells the streaming events without a position apart (`_cdc_identity`, made by `event_identity`); NULL for all others. No
      expression at all: the connector gives every streaming event a position, and neither staging nor fold know of identities.

    Never made of times: `ts_ms` ties, skews and changes with each delivery (spec §5).
-#}
{%- macro event_position(config) -%}
    {%- set position = debezium_spark._known_position(config) -%}
    {%- if position is none -%}
        {%- do debezium_spark._fail(
            'event_position',
            "staging for connector '" ~ config.connector ~ "' is not part of this version",
            'Use a source with connector postgresql, sqlserver, oracle, mysql, mariadb or mongodb.',
        ) -%}
    {%- endif -%}
    {{- return(position) -}}
{%- endmacro -%}


{#- Whether events of the source may lack a position, so that identities tell which of them are replays. -#}
{%- macro has_identities(config) -%}
    {%- set position = debezium_spark._known_position(config) -%}
    {{- return(position is not none and position.get('identity') is not none) -}}
{%- endmacro -%}


{%- macro _known_position(config) -%}
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
