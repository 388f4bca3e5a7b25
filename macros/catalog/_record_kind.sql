{#- What records are: by their members, because topic names can be configured away. -#}

{#- The ops of events that say something of a table's rows. -#}
{%- macro _known_ops() -%}
'c', 'r', 'u', 'd', 't'
{%- endmacro -%}


{#- SQL: what kind of record a payload is. -#}
{%- macro _record_kind(payload) -%}
    {%- set member = "get_json_object(" ~ payload ~ ", '$.%')" -%}
    {%- set op = member | replace('%', 'op') -%}
    {%- set source = member | replace('%', 'source') -%}
case
            when {{ op }} = 'm' then 'message'
            when {{ op }} not in ({{ debezium_spark._known_ops() }}) then 'unknown_op'
            when {{ op }} is not null and {{ source }} is not null then 'data'
            -- the connector's private history has the same changes, with a position
            when {{ member | replace('%', 'position') }} is not null and {{ source }} is not null
                then 'schema_history'
            when
                {{ source }} is not null
                and (
                    {{ member | replace('%', 'tableChanges') }} is not null
                    or array_contains(json_object_keys({{ payload }}), 'ddl')
                )
                then 'schema_change'
            when {{ member | replace('%', 'aggregate_type') }} is not null then 'notification'
            when
                {{ member | replace('%', 'status') }} is not null
                and {{ member | replace('%', 'id') }} is not null
                then 'transaction'
            when json_object_keys({{ payload }}) = array('ts_ms') then 'heartbeat'
            else 'other'
        end
{%- endmacro -%}
