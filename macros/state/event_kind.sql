{#- SQL: which staged rows are events of a row (docs/semantics.md, words). -#}
{%- macro is_row_event() -%}
    {{- return("_cdc_key is not null and _cdc_op in ('c', 'u', 'd', 'r', 'tombstone')") -}}
{%- endmacro -%}


{#- SQL: the event kind, by which the walk treats an event. -#}
{%- macro event_kind() -%}
case
    when _cdc_op = 'tombstone' then 'tombstone'
    when _cdc_op = 'r' and _cdc_snapshot = 'incremental' then 'incremental'
    when _cdc_op = 'r' then 'full'
    else 'stream'
end
{%- endmacro -%}
