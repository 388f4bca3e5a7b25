{#-
    Deletes whose key PostgreSQL's connector made up. With REPLICA IDENTITY USING INDEX, what the
    key lacks is 0, '' or the like, and the delete would end another row (spec §16).

    Two signs show it: such a value in the key, and another value in `before` outside of the key,
    which the default identity never has. A declared `replica_identity` decides: `index` makes the
    first sign enough, others make every key right. What has both signs by chance is refused, and
    the error names the option. The tombstone of such a delete follows it and contains only its key.
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


{#- SQL condition: under the declared identity every key is right. -#}
{%- macro _has_right_keys(config, table) -%}
    {{- return(
        debezium_spark.replica_identity_is(config, table, ['default', 'full', 'nothing'])
    ) -}}
{%- endmacro -%}


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
{%- set is_index = debezium_spark.replica_identity_is(config, table, ['index']) -%}
{%- set is_invented -%}
coalesce(e.op, e.payload.op) = 'd' and {{ in_key }} and ({{ is_index }} or {{ in_image }})
{%- endset -%}
{%- set value = (
    'if(is_tombstone, _value_before, _record_value)' if reads_value_before else '_record_value'
) -%}
{%- set record = 'from_json(' ~ value ~ ", '" ~ type ~ "')" -%}
(op = 'd' or is_tombstone)
    and not {{ debezium_spark._has_right_keys(config, table) }}
    and coalesce({{ adapter.debezium().decode.let('e', record, is_invented) }}, false)
{%- endmacro -%}


{#-
    SQL: the old key in the header of a key change; left out where it can be made up under a
    declared `index`, because the delete at its place names it as well. Undeclared, no second sign
    shows it.
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


{#-
    Configured replica identities, the earliest first, {is, from, until} as record timestamps: no
    record shows them.
-#}
{%- macro replica_identities(config, table) -%}
    {%- set setting = ((config.get('tables') or {}).get(table) or {}).get('replica_identity') -%}
    {%- if config.connector != 'postgresql' or not setting -%}{{- return([]) -}}{%- endif -%}
    {%- if setting is string -%}{{- return([{'is': setting}]) -}}{%- endif -%}
    {%- set entries = [] -%}
    {%- for entry in setting -%}
        {%- do entries.append(
            dict(entry, **({'until': setting[loop.index]['from']} if not loop.last else {}))
        ) -%}
    {%- endfor -%}
    {{- return(entries) -}}
{%- endmacro -%}


{#- SQL condition over a record's `timestamp`; `true` or `false` if it holds for all or none. -#}
{%- macro replica_identity_is(config, table, words) -%}
    {%- set times = [] -%}
    {%- for entry in debezium_spark.replica_identities(config, table) if entry['is'] in words -%}
        {%- set bounds = [] -%}
        {%- if entry.get('from') -%}
            {%- do bounds.append("timestamp >= timestamp '" ~ entry['from'] ~ "'") -%}
        {%- endif -%}
        {%- if entry.get('until') -%}
            {%- do bounds.append("timestamp < timestamp '" ~ entry['until'] ~ "'") -%}
        {%- endif -%}
        {%- if not bounds %}{{ return('true') }}{% endif -%}
        {%- do times.append('(' ~ bounds | join(' and ') ~ ')') -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ times | join(' or ') ~ ', false)' if times else 'false') -}}
{%- endmacro -%}
