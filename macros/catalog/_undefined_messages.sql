{#- Warnings of changes that no connector writes: `generator/evidence_messages.py`. -#}
{%- macro _undefined_messages(config, schemas) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not debezium.catalog.has_schema_change_topic(config) -%}{{- return([]) -}}{%- endif -%}
    {%- set query -%}
select to_json(
    struct(
        concat_ws(':', topic, partition, first_offset) as event_id,
        get_json_object(definition, '$.tableChanges') as table_changes
    )
) as definition_row
from {{ schemas }}
where
    {{ debezium_spark._kind_in_source(config) }} = 'schema_change'
    and definition is not null
order by topic, partition, first_offset
    {%- endset -%}
    {{- return(
        debezium.catalog.invalid_definition_messages(config['name'], debezium.run.texts(query))
    ) -}}
{%- endmacro -%}
