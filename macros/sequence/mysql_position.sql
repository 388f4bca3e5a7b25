{#-
    MySQL and MariaDB: (number of the binlog file, position in it, row of the event), the order of
    one server's binlog. The number stands behind the last dot of the file's name and outgrows its
    six digits (spec §5.4, trap 17). Snapshot reads have the position at which the stream begins.

    Not in it: `server_id` and `gtid`, because they order nothing. After a failover files start
    again on the other server: an epoch.

    `shares_positions` (`binlog_transaction_compression` of MySQL): the changes of a transaction all
    have the position of its payload, and `row` begins again with each event inside it, so that two
    changes of one row can share all three and nothing in a record shows it. Then no change has a
    position, and repeats are known by identity. Between transactions positions still rise:
    truncates use them.
-#}
{%- macro mysql_position(shares_positions=false) -%}
    {%- set position -%}
concat(lpad(substring_index(source.file, '.', -1), 20, '0'), '/',
            lpad(source.pos, 20, '0'), '/', lpad(coalesce(source.row, '0'), 10, '0'))
    {%- endset -%}
    {%- if not shares_positions -%}
        {{- return({'position': position, 'stream_position': position}) -}}
    {%- endif -%}
    {{- return({
        'position': "case when op not in ('c', 'u', 'd') then " ~ position ~ ' end',
        'stream_position': position,
        'identity': debezium_spark.change_content(['server_id', 'gtid', 'file', 'pos', 'row']),
    }) -}}
{%- endmacro -%}
