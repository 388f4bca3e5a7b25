{#-
    Positions of an event: the only place that knows a source's log. Never made of times, which tie,
    skew and change with each delivery (spec §5). Each member is SQL over `source`, `transaction`,
    `before`, `after` and `op`:

    * `position` orders the events of one row (`_cdc_pos`),
    * `stream_position` orders commits (`_cdc_stream_pos`), for truncates,
    * `identity` and `truncate_identity` distinguish changes where positions do not
      (`_cdc_identity`); with `~` in front if changes of one connector run can share it,
    * `is_told`: the record shows where it lies in the log. A writer's value for "none" does not,
      nor does a position of another connector,
    * `layout` orders the layouts and definitions of a table,
    * `transaction` and `commit`, over staged columns, are what the changes of a transaction share.
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
    {%- set is_told = (
        'coalesce(' ~ debezium_spark.is_own_connector(config) ~ ' and (' ~ position.is_told
        ~ '), false)'
    ) -%}
    {%- for name in ['position', 'stream_position'] -%}
        {%- do position.update({
            name: 'case when ' ~ is_told ~ ' then ' ~ position[name] ~ ' end'
        }) -%}
    {%- endfor -%}
    {%- do position.update({'is_told': is_told}) -%}
    {{- return(position) -}}
{%- endmacro -%}


{#- SQL condition: what writes the format of a connector need not write its positions. -#}
{%- macro is_own_connector(config) -%}
    {%- set names = adapter.debezium().config.connector_of(config).writers -%}
    {{- return(
        "coalesce(lower(nullif(source.connector, '')) in ("
        ~ debezium_spark.text_literals(names) ~ '), true)'
    ) -}}
{%- endmacro -%}


{#- SQL condition: a member is a number above 0. -#}
{%- macro is_above_zero(member) -%}
    {{- return('source.' ~ member ~ " rlike '^0*[1-9][0-9]*$'") -}}
{%- endmacro -%}


{#- SQL condition: a member of SQL Server is an LSN above 0. -#}
{%- macro is_lsn(member) -%}
    {{- return('source.' ~ member ~ " rlike '^[0:]*[1-9a-fA-F][0-9a-fA-F:]*$'") -}}
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


{#-
    SQL: the order of a table's layouts and definitions. An ALTER waits for all transactions on its
    table, so a row's position orders them too, and it is equal in every delivery, unlike the first
    half of PostgreSQL's stream position. Documents have no layout.
-#}
{%- macro layout_position(config) -%}
    {{- return((debezium_spark._connector_position(config) or {}).get(
        'layout', 'cast(null as string)'
    )) -}}
{%- endmacro -%}
