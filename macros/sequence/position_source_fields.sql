{#- Members of the source block that some connector's position is made of (spec §4, §5.4). -#}
{%- macro position_source_fields() -%}
    {{- return(['lsn', 'txId', 'commit_lsn', 'change_lsn', 'event_serial_no']) -}}
{%- endmacro -%}
