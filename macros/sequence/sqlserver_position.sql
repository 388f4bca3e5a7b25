{#-
    SQL Server: the commit LSN, fixed-width lower-case hexadecimal text. Within a commit nothing in
    the record orders the changes of a row: `change_lsn` falls when a deferred update moves a row
    down, and `event_serial_no` can be the same for both its halves; they come in the order of the
    commands (spec §5.4). All three together distinguish the changes of a row.

    Stream: all three. A snapshot row has no change LSN: it saw every commit up to its commit LSN,
    so it sorts behind them.
-#}
{%- macro sqlserver_position() -%}
    {%- set change_position -%}
concat(lower(source.commit_lsn), '/', coalesce(lower(source.change_lsn), '~'), '/',
            lpad(coalesce(source.event_serial_no, '0'), 10, '0'))
    {%- endset -%}
    {{- return({
        'position': 'lower(source.commit_lsn)',
        'stream_position': change_position,
        'identity': change_position,
    }) -}}
{%- endmacro -%}
