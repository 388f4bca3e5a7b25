{#- Queries on the catalog's models. -#}

{%- macro _current_catalog(catalog) -%}
    {#-
        as JSON text, so that texts that look like numbers stay texts; sorted in one partition,
        because a global sort first runs everything for a sample
    -#}
    {%- set query -%}
select to_json(struct(*)) as catalog_row
from (
    select /*+ repartition(1) */ *
    from {{ catalog }}
    where is_current
) as current_columns
sort by
    topic_prefix, database_name, schema_name, table_name, ordinal_position nulls last, key_position
    {%- endset -%}
    {{- return(debezium_spark._json_rows(query)) -}}
{%- endmacro -%}


{#-
    What topics have carried: table, fields, key fields and the first such record. Included tables
    have the names of those that include them.
-#}
{%- macro _topics_seen(config, schemas) -%}
    {%- set staging = adapter.debezium().staging -%}
    {%- set inclusions = staging.included_origins(config) -%}
    {%- set kind = debezium_spark._kind_in_source(config) -%}
    {%- set parts = ['topic_prefix', 'database_name', 'schema_name', 'table_name'] -%}
    {%- set schema = 'schema' if 'schema' in staging.origin_members(config) else 'db' -%}
    {%- set query -%}
select to_json(
    struct(
        topic,
        kind,
        value_fields,
        key_fields,
        has_key,
        {%- for column in parts %}
        {{
            staging.with_included(config, inclusions, column) ~ ' as ' ~ column
            if inclusions else column
        }},
        {%- endfor %}
        {{ 'flattened,' if config.get('flattened') }}
        connector,
        event_id
    )
) as topic_row
from (
    select
        topic,
        {{ kind }} as kind,
        value_fields,
        array_sort(key_fields) as key_fields,
        get_json_object(source_block, '$.name') as topic_prefix,
        get_json_object(source_block, '$.db') as database_name,
        get_json_object(source_block, '$.{{ schema }}') as schema_name,
        get_json_object(source_block, '$.table') as table_name,
        {%- if config.get('flattened') %}
        get_json_object(source_block, '$.flattened') as flattened,
        {%- endif %}
        max(coalesce(
            get_json_object(source_block, '$.connector'), get_json_object(source_block, '$.origin')
        )) as connector,
        bool_or(key_hash <> 0) as has_key,
        min_by(
            concat_ws(':', topic, partition, first_offset),
            struct(first_timestamp, topic, partition, first_offset)
        ) as event_id
    from {{ schemas }}
    where {{ kind }} in ('data', 'other', 'flattened', 'iceberg_cdc')
    group by 1, 2, 3, 4, 5, 6, 7, 8{{ ', 9' if config.get('flattened') }}
) as seen_topics
order by topic_row
    {%- endset -%}
    {{- return(debezium_spark._json_rows(query)) -}}
{%- endmacro -%}


{#- The number of disagreements with one of them; none without their model. -#}
{%- macro _disagreements(config) -%}
    {%- set relation = debezium_spark._model_relation(
        'catalog_' ~ config['name'] ~ '__disagreements'
    ) -%}
    {%- if relation is none %}{{ return(none) }}{% endif -%}
    {%- set query -%}
select to_json(
    struct(
        count(*) as disagreements,
        min(
            concat(
                schema_name, '.', table_name, coalesce(concat(', column ', column_name), ''), ': ',
                matter, ' ', chosen, ' (', chosen_from, '), not ', other, ' (', other_from, ')'
            )
        ) as example
    )
) as disagreement_row
from {{ relation }}
    {%- endset -%}
    {{- return(debezium_spark._json_rows(query)[0]) -}}
{%- endmacro -%}


{%- macro _json_rows(query) -%}
    {%- set rows = [] -%}
    {%- for text in adapter.debezium().run.texts(query) -%}
        {%- do rows.append(fromjson(text)) -%}
    {%- endfor -%}
    {{- return(rows) -}}
{%- endmacro -%}


{%- macro _model_relation(name) -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.name == name -%}
        {%- set relation = api.Relation.create(
            database=node.database, schema=node.schema, identifier=node.alias
        ) -%}
        {%- if load_relation(relation) is not none -%}{{- return(relation) -}}{%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}
