{#-
    Positions of an event, by connector: the only place where the order of a source's log is known.

    Returns `{position, stream_position}`, two SQL expressions over the struct `source` (all members text) that give sortable texts,
    NULL where the record has none:

    * `position` orders the streaming events of one row (`_cdc_pos`),
    * `stream_position` orders the events of the whole stream (`_cdc_stream_pos`), needed for truncates.

    Never made of times: `ts_ms` ties, skews and changes with each delivery (spec §5).
-#}
{%- macro event_position(connector) -%}
    {%- if connector == 'postgresql' -%}
        {{- return(debezium_spark.postgresql_position()) -}}
    {%- elif connector == 'sqlserver' -%}
        {{- return(debezium_spark.sqlserver_position()) -}}
    {%- elif connector == 'mongodb' -%}
        {{- return(debezium_spark.mongodb_position()) -}}
    {%- endif -%}
    {%- do debezium_spark._fail(
        'event_position',
        "staging for connector '" ~ connector ~ "' is not part of this version",
        'Use a source with connector postgresql, sqlserver or mongodb.',
    ) -%}
{%- endmacro -%}
