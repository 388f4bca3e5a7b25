{#-
    SQL: the record kind for a source: `other_source` where `source.name` is another topic prefix
    and the topic lies below that one. A folder or a pattern of topics can hold what several
    connectors wrote. Both signs are needed: transforms rename topics, and a connector can be set up
    again under another name.
-#}
{%- macro _kind_in_source(config) -%}
    {%- set name = "get_json_object(source_block, '$.name')" -%}
if(
            {{ name }} <> {{ debezium_spark.text_literal(config['topic_prefix']) }}
            and (topic = {{ name }} or startswith(topic, concat({{ name }}, '.'))),
            'other_source',
            kind
        )
{%- endmacro -%}


{#-
    Messages about records of other connectors, and about those without a position in topics of
    tables; none: in all topics.
-#}
{%- macro _other_source_messages(config, schemas, topics_of_tables=none) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set position = debezium_spark.event_position(config) -%}
    {%- set members = ['connector', 'sequence', 'ord']
        + debezium.config.connector_of(config).log | list -%}
    {%- set query -%}
select to_json(
    struct(
        get_json_object(source_block, '$.name') as topic_prefix,
        max(get_json_object(source_block, '$.connector')) as connector,
        count(distinct topic) as topics,
        min(topic) as example
    )
) as other_source_row
from {{ schemas }}
where {{ debezium_spark._kind_in_source(config) }} = 'other_source'
group by get_json_object(source_block, '$.name')

union all

{# of one change of each topic and schema #}
select to_json(
    struct(
        topic as topic_without_position,
        max(source.connector) as connector,
        min_by(
            concat_ws(':', topic, partition, first_offset),
            struct(first_timestamp, partition, first_offset)
        ) as example
    )
) as other_source_row
from (
    select
        *,
        'u' as op,
        from_json(
            source_block, '`{{ members | unique | join('` string, `') }}` string'
        ) as source
    from {{ schemas }}
    where
        {{ debezium_spark._kind_in_source(config) }} = 'data'
        and coalesce(get_json_object(source_block, '$.snapshot'), 'false') = 'false'
        and get_json_object(source_block, '$.flattened') is null
) as sampled_changes
where source is not null and not {{ position.is_told }}
group by topic
order by other_source_row
    {%- endset -%}
    {{- return(
        debezium.catalog.other_source_messages(
            config['name'], debezium.run.texts(query), topics_of_tables
        )
    ) -}}
{%- endmacro -%}
