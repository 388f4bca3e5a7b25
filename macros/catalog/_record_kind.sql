{#- Record kinds, by the members of a value, because topic names can be configured. -#}

{%- macro _known_ops() -%}
'c', 'r', 'u', 'd', 't'
{%- endmacro -%}


{%- macro _record_kind(payload) -%}
    {%- set member = {} -%}
    {%- for name in [
        'op', 'source', 'position', 'tableChanges', 'aggregate_type', 'status', 'id', '__op',
        '__deleted', '_cdc.op'
    ] -%}
        {%- do member.update({name: 'get_json_object(' ~ payload ~ ", '$." ~ name ~ "')"}) -%}
    {%- endfor -%}
case
            when {{ member.op }} = 'm' then 'message'
            when {{ member.op }} not in ({{ debezium_spark._known_ops() }}) then 'unknown_op'
            when {{ member.op }} is not null and {{ member.source }} is not null then 'data'
            -- the connector's private history has the same changes, with a position
            when {{ member.position }} is not null and {{ member.source }} is not null
                then 'schema_history'
            when
                {{ member.source }} is not null
                and (
                    {{ member.tableChanges }} is not null
                    or array_contains(json_object_keys({{ payload }}), 'ddl')
                )
                then 'schema_change'
            when {{ member.aggregate_type }} is not null then 'notification'
            when
                {{ member.status }} is not null
                and {{ member.id }} is not null
                then 'transaction'
            when json_object_keys({{ payload }}) = array('ts_ms') then 'heartbeat'
            -- as the transforms of Debezium and of Iceberg's sink leave it
            when coalesce({{ member['__op'] }}, {{ member['__deleted'] }}) is not null
                then 'flattened'
            when {{ member['_cdc.op'] }} is not null then 'iceberg_cdc'
            else 'other'
        end
{%- endmacro -%}
