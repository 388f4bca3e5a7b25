{#-
    SQL Server: (commit LSN, change LSN, serial number). LSNs are fixed-width lower-case hexadecimal text and compare as text. The serial
    number tells the `d` and `c` of a key change apart. A snapshot row has no change LSN: it saw every commit up to its commit LSN, so
    it sorts behind them (spec §4.2, §5.4).
-#}
{%- macro sqlserver_position() -%}
    {%- set position = (
        "concat(lower(source.commit_lsn), '/', coalesce(lower(source.change_lsn), '~'), '/', "
        ~ "lpad(coalesce(source.event_serial_no, '0'), 10, '0'))"
    ) -%}
    {{- return({'position': position, 'stream_position': position}) -}}
{%- endmacro -%}
