{#- Members of the source block that make a connector's position and identity (spec §4, §5.4). -#}
{%- macro position_source_fields(connector) -%}
    {%- set binlog = ['file', 'pos', 'row', 'server_id', 'gtid'] -%}
    {{- return({
        'postgresql': ['lsn', 'sequence'],
        'sqlserver': ['commit_lsn', 'change_lsn', 'event_serial_no'],
        'oracle': ['scn', 'rs_id', 'ssn', 'lcr_position', 'txId'],
        'mysql': binlog,
        'mariadb': binlog,
    }.get(connector, [])) -}}
{%- endmacro -%}
