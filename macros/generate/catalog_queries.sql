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
    What topics have carried: a row for each pair of embedded schemas, and for each definition, with
    its first record (`generator/recorded_schemas.py`). Included tables have the names of those that
    include them.
-#}
{%- macro _recorded_schemas(config, schemas) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set staging = debezium.staging -%}
    {%- set inclusions = staging.included_origins(config) -%}
    {%- set position = debezium_spark.event_position(config) -%}
    {%- set members = ['connector', 'sequence', 'ord']
        + debezium.config.connector_of(config).log | list -%}
    {%- set schema = 'schema' if 'schema' in staging.origin_members(config) else 'db' -%}
    {%- set query -%}
select to_json(
    struct(
        topic,
        kind,
        value_fields,
        key_fields,
        has_key,
        {%- for column in ['topic_prefix', 'database_name', 'schema_name', 'table_name'] %}
        {{
            staging.with_included(config, inclusions, column) ~ ' as ' ~ column
            if inclusions else column
        }},
        {%- endfor %}
        {{ 'flattened,' if config.get('flattened') }}
        connector,
        key_schema,
        value_schema,
        table_changes,
        first,
        kind = 'data' and is_change and source is not null and not {{ position.is_told }}
            as is_without_position
    )
) as recorded_schema
from (
    select
        topic,
        {{ debezium_spark._kind_in_source(config) }} as kind,
        value_fields,
        array_sort(key_fields) as key_fields,
        key_hash <> 0 as has_key,
        get_json_object(source_block, '$.name') as topic_prefix,
        get_json_object(source_block, '$.db') as database_name,
        get_json_object(source_block, '$.{{ schema }}') as schema_name,
        get_json_object(source_block, '$.table') as table_name,
        {%- if config.get('flattened') %}
        get_json_object(source_block, '$.flattened') as flattened,
        {%- endif %}
        coalesce(
            get_json_object(source_block, '$.connector'), get_json_object(source_block, '$.origin')
        ) as connector,
        key_schema,
        value_schema,
        get_json_object(definition, '$.tableChanges') as table_changes,
        named_struct(
            'at', unix_micros(first_timestamp), 'partition', partition, 'offset', first_offset
        ) as first,
        coalesce(get_json_object(source_block, '$.snapshot'), 'false') = 'false'
            and get_json_object(source_block, '$.flattened') is null as is_change,
        'u' as op,
        from_json(
            source_block, '`{{ members | unique | join('` string, `') }}` string'
        ) as source
    from {{ schemas }}
    where kind is not null
) as schemas_of_source
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
