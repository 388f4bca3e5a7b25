{#- Members of the source block that a connector's position is made of (spec §4, §5.4). -#}
{%- macro position_source_fields(connector) -%}
    {{- return({
        'postgresql': ['lsn', 'sequence'],
        'sqlserver': ['commit_lsn', 'change_lsn', 'event_serial_no'],
    }.get(connector, [])) -}}
{%- endmacro -%}
