{#-
    SQL condition over `_row_key`, `_record_value` and `_value_before`, the value before it of the
    key, if that is there: a record without a key has no tombstone.
-#}
{%- macro is_invented_key(config, table, reads_value_before=true) -%}
{%- set schema = [
    'op:string',
    'before:map<string,string>',
    'payload:struct<op:string,before:map<string,string>>',
    'schema:struct<fields:array<struct<field:string,'
    ~ 'fields:array<struct<field:string,`default`:string>>>>>',
] -%}
{%- set type = 'struct<' ~ schema | join(',') ~ '>' -%}
{%- set is_default -%}
coalesce(exists(flatten(transform(filter(e.schema.fields, f -> f.field = 'before'), f -> f.fields)),
        f -> f.field = m.key and f.`default` = m.value), false)
{%- endset -%}
{%- set in_key -%}
exists(map_entries(_row_key),
        m -> {{ debezium_spark.is_inventable('m.value') }} or {{ is_default }})
{%- endset -%}
{%- set added_fields = (debezium_spark.flattened_fields(config) or {}).get('added') -%}
{%- set in_image -%}
exists(map_entries(coalesce(e.before, e.payload.before)),
        m -> not map_contains_key(_row_key, m.key)
            {%- if added_fields %}
            and m.key not in ({{ debezium_spark.text_literals(added_fields) }})
            {%- endif %}
            and not {{ debezium_spark.is_inventable('m.value') }}
            and m.value <> {{ debezium_spark.text_literal(config.unavailable_value_placeholder) }}
            and not {{ is_default }})
{%- endset -%}
{%- set is_index = adapter.debezium().staging.replica_identity_is(config, table, ['index']) -%}
{%- set is_invented -%}
coalesce(e.op, e.payload.op) = 'd' and {{ in_key }} and ({{ is_index }} or {{ in_image }})
{%- endset -%}
{%- set value = (
    'if(is_tombstone, _value_before, _record_value)' if reads_value_before else '_record_value'
) -%}
{%- set record = 'from_json(' ~ value ~ ", '" ~ type ~ "')" -%}
(op = 'd' or is_tombstone)
    and not {{ adapter.debezium().staging.has_right_keys(config, table) }}
    and coalesce({{ adapter.debezium().decode.let('e', record, is_invented) }}, false)
{%- endmacro -%}


{#-
    SQL: the old key in the header of a key change; left out where it can be made up under a
    declared `index`, because the delete at its place names it as well. Undeclared, no second sign
    shows it.
-#}
{%- macro trusted_old_key(config, table, members) -%}
{%- set is_index = adapter.debezium().staging.replica_identity_is(config, table, ['index']) -%}
{%- if is_index == 'false' -%}{{- return(members) -}}{%- endif -%}
case
    when not {{ is_index }}
        or not coalesce(exists(map_values({{ members }}),
            v -> {{ debezium_spark.is_inventable('v') }}), false) then {{ members }}
end
{%- endmacro -%}
