{#- SQL: why a record is no event of the collection, NULL for an event. -#}
{%- macro document_record_error(
    config, ignored_records=[], table=none, origins=[], is_shared=false
) -%}
case
    {%- if ignored_records %}
    when _ignored is not null then concat('record: ignored: ', _ignored)
    {%- endif %}
    when not is_tombstone and op is null then 'record: not a Debezium change event'
    when op not in ('c', 'u', 'd', 'r') then concat('record: unknown op ', left(op, 100))
    {%- if config.get('signal_data_collection') %}
    when {{ debezium_spark.routed_table(config) }}
        = {{ debezium_spark.text_literal(config.signal_data_collection) }}
        then 'record: row of the signal table'
    {%- endif %}
    {{ debezium_spark.origin_errors(config, table, origins, is_shared) }}
    {{ debezium_spark.flattened_errors(config) }}
    {{ debezium_spark.key_errors(config, 'id') }}
end
{%- endmacro -%}


{#-
    SQL: what is wrong with a record. An event with an unreadable image stays an event: its document
    is incomplete from there on, which must be known.
-#}
{%- macro document_errors() -%}
{%- set operators = "filter(map_keys(patch_members), member -> startswith(member, '$'))" -%}
{%- set is_unknown_form -%}
(size({{ operators }}) > 0
                and (size(map_keys(patch_members)) > size({{ operators }})
                    or size(array_except({{ operators }}, array('$v', '$set', '$unset'))) > 0
                    or coalesce(regexp_extract(patch_members['$v'], '[0-9]+', 0), '1') != '1'))
{%- endset -%}
{%- set updated_fields = "get_json_object(updateDescription, '$.updatedFields')" -%}
nullif(array_compact(array(
        _record_error,
        {%- for condition, text in debezium_spark.unreadable_members() %}
        case when _record_error is null and {{ condition }} then {{ text }} end,
        {%- endfor %}
        {%- for image in ['after', 'before'] %}
        case
            when {{ image }} is not null and from_json({{ image }}, 'map<string,string>') is null
                then concat('{{ image }}: no JSON document: ', left({{ image }}, 100))
        end,
        {%- endfor %}
        case
            when patch is not null and patch_members is null
                then concat('patch: no JSON document: ', left(patch, 100))
            when {{ is_unknown_form }}
                then concat('patch: changes in a form that this version does not know: ',
                    left(patch, 100))
        end,
        case
            when {{ updated_fields }} is not null
                and from_json({{ updated_fields }}, 'map<string,string>') is null
                or updateDescription is not null
                and from_json(updateDescription, 'map<string,string>') is null
                or get_json_object(updateDescription, '$.removedFields') not like '[%'
                or get_json_object(updateDescription, '$.truncatedArrays') not like '[%'
                then concat('updateDescription: no JSON document: ', left(updateDescription, 100))
        end,
        case
            when op in ('c', 'r') and after is null
                then concat('after: op ', op, ' without a document')
            when op = 'u' and coalesce(after, patch, updateDescription) is null
                then 'after: op u without a document or a change'
        end
    )), array())
{%- endmacro -%}
