{#-
    Deletes of PostgreSQL whose key the connector made up. With REPLICA IDENTITY USING INDEX the old
    row is known by the columns of the index alone; what the message key lacks of them is 0, '' or
    the like, and the delete would end another row (spec §16).

    The record shows it: a member of the key has such a value, and `before` has a value, not one of
    these, outside of the key: with the default identity there is none. Where the table is declared
    (`replica_identity`) this declaration decides: `index` makes the first sign enough, `default`
    and `full` make every key right. What has both signs and is right (REPLICA IDENTITY FULL, not
    declared, and a key of 0) is refused, too, and the error shows what to declare.

    The tombstone of such a delete follows it in its partition, and contains nothing but its key.
-#}
{%- macro may_invent_keys(config, table, key, doubtful_keys) -%}
    {%- if config.connector != 'postgresql' or not key -%}{{- return(false) -}}{%- endif -%}
    {%- if debezium_spark._has_right_keys(config, table) == 'true' -%}
        {{- return(false) -}}
    {%- endif -%}
    {{- return(
        doubtful_keys or debezium_spark.replica_identity_is(config, table, ['index']) != 'false'
    ) -}}
{%- endmacro -%}


{#-
    SQL condition over a record's `timestamp`: configuration gives the table an identity under which
    every key is right.
-#}
{%- macro _has_right_keys(config, table) -%}
    {{- return(
        debezium_spark.replica_identity_is(config, table, ['default', 'full', 'nothing'])
    ) -}}
{%- endmacro -%}


{#-
    SQL condition, over a staged record with `_row_key`, `_record_value` and `_value_before`, the
    value before it of the same key: it ends a row by a key that is made up.
-#}
{%- macro is_invented_key(config, table) -%}
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
{%- set in_image -%}
exists(map_entries(coalesce(e.before, e.payload.before)),
        m -> not map_contains_key(_row_key, m.key)
            and not {{ debezium_spark.is_inventable('m.value') }}
            and m.value <> {{ debezium_spark.text_literal(config.unavailable_value_placeholder) }}
            and not {{ is_default }})
{%- endset -%}
{%- set is_index = debezium_spark.replica_identity_is(config, table, ['index']) -%}
{%- set is_invented -%}
coalesce(e.op, e.payload.op) = 'd' and {{ in_key }} and ({{ is_index }} or {{ in_image }})
{%- endset -%}
{%- set record = (
    "from_json(if(is_tombstone, _value_before, _record_value), '" ~ type ~ "')"
) -%}
(op = 'd' or is_tombstone)
    and not {{ debezium_spark._has_right_keys(config, table) }}
    and coalesce({{ debezium_spark.let('e', record, is_invented) }}, false)
{%- endmacro -%}


{#-
    SQL: the key that a row had before, as the header of a key change names it. Where
    `replica_identity` is declared as `index` and it can be made up it is left out: the delete at
    its place, where that one is applied, names it as well (docs/semantics.md, unavailable values).
    The record itself shows no second sign, so undeclared tables believe it, and the error of the
    quarantined delete beside it shows what to declare.
-#}
{%- macro trusted_old_key(config, table, members) -%}
{%- set is_index = debezium_spark.replica_identity_is(config, table, ['index']) -%}
{%- if is_index == 'false' -%}{{- return(members) -}}{%- endif -%}
case
    when not {{ is_index }}
        or not coalesce(exists(map_values({{ members }}),
            v -> {{ debezium_spark.is_inventable('v') }}), false) then {{ members }}
end
{%- endmacro -%}
