{#-
    SQL Server: the commit LSN. Within a commit nothing orders a row's changes: `change_lsn` falls
    when a deferred update moves a row, and both halves can share `event_serial_no` (spec §5.4). All
    three distinguish them, and order the stream. A read has no change LSN and sorts behind its
    commit.
-#}
{%- macro sqlserver_position() -%}
    {%- set change_position -%}
concat(lower(source.commit_lsn), '/', coalesce(lower(source.change_lsn), '~'), '/',
            lpad(coalesce(source.event_serial_no, '0'), 10, '0'))
    {%- endset -%}
    {{- return({
        'is_told': debezium_spark.is_lsn('commit_lsn') ~ " and (op not in ('c', 'u', 'd') or "
            ~ debezium_spark.is_lsn('change_lsn') ~ ')',
        'position': 'lower(source.commit_lsn)',
        'stream_position': change_position,
        'identity': change_position,
        'layout': change_position,
        'commit': '_cdc_pos',
    }) -}}
{%- endmacro -%}
