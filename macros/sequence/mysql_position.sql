{#-
    MySQL and MariaDB: (number of the binlog file, position, row). The number outgrows its six
    digits (spec §5.4, trap 17); `server_id` and `gtid` order nothing. After a failover, files start
    again on the other server: an epoch.

    `shares_positions` (`binlog_transaction_compression`): all changes of a transaction have the
    position of its payload, and `row` begins again with each event inside. So changes have no
    position; truncates still do, as positions rise between transactions.
-#}
{%- macro mysql_position(shares_positions=false) -%}
    {%- set position -%}
concat(lpad(substring_index(source.file, '.', -1), 20, '0'), '/',
            lpad(source.pos, 20, '0'), '/', lpad(coalesce(source.row, '0'), 10, '0'))
    {%- endset -%}
    {%- set is_told = (
        "source.file rlike '[.][0-9]+$' and " ~ debezium_spark.is_above_zero('pos')
    ) -%}
    {%- if not shares_positions -%}
        {{- return({
            'is_told': is_told, 'position': position, 'stream_position': position,
            'layout': position
        }) -}}
    {%- endif -%}
    {{- return({
        'is_told': is_told,
        'position': "case when op not in ('c', 'u', 'd') then " ~ position ~ ' end',
        'stream_position': position,
        'layout': position,
        'identity': debezium_spark.change_content(['server_id', 'gtid', 'file', 'pos', 'row']),
    }) -}}
{%- endmacro -%}
