{#- The files of a source that its configuration alone decides: raw model, catalog models, properties. -#}
{%- macro source_files(config) -%}
    {%- set name = config['name'] -%}
    {%- set catalog = 'models/catalog/' ~ name ~ '/' -%}
    {%- set files = [
        ('python_models/raw/raw_' ~ name ~ '.py', debezium_spark._raw_model_text(name)),
        ('python_models/raw/raw_' ~ name ~ '.yml', debezium_spark._raw_properties_text(config)),
        (catalog ~ 'catalog_' ~ name ~ '__schemas.sql', debezium_spark._schemas_model_text(name)),
        (catalog ~ 'catalog_' ~ name ~ '__columns.sql', debezium_spark._columns_model_text(name)),
        (catalog ~ 'catalog_' ~ name ~ '__disagreements.sql', debezium_spark._disagreements_model_text(name)),
        (catalog ~ 'catalog_' ~ name ~ '.yml', debezium_spark._catalog_properties_text(config)),
    ] -%}
    {%- set results = [] -%}
    {%- for path, content in files -%}
        {%- do results.append(debezium_spark._generated_file(path, content, name)) -%}
    {%- endfor -%}
    {{- return(results) -}}
{%- endmacro -%}


{%- macro _raw_model_text(name) -%}
{{ debezium_spark._generated_mark('#') }}
from dbt_debezium_spark import landing


def model(dbt, session):
    dbt.config(materialized="debezium_raw")
    return landing.land(dbt, session, source="{{ name }}")
{%- endmacro -%}


{%- macro _schemas_model_text(name) -%}
{{ debezium_spark._generated_mark('--') }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.catalog_schemas(
        source='{{ name }}',
        raw=ref('raw_{{ name }}'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _columns_model_text(name) -%}
{{ debezium_spark._generated_mark('--') }}
{{ '{{' }}
    config(materialized='debezium_table')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.catalog_columns(
        source='{{ name }}',
        schemas=ref('catalog_{{ name }}__schemas'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _disagreements_model_text(name) -%}
{{ debezium_spark._generated_mark('--') }}
{{ '{{' }}
    config(materialized='debezium_table')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.catalog_disagreements(
        source='{{ name }}',
        schemas=ref('catalog_{{ name }}__schemas'),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _raw_properties_text(config) -%}
    {%- set lines = [
        debezium_spark._generated_mark('#'),
        'models:',
        '  - name: raw_' ~ config['name'],
        '    description: ' ~ adapter.debezium_yaml_text(
            "Records of source " ~ config['name'] ~ " exactly as Kafka carries them: each landed (topic, partition, offset) once, never rewritten."
        ),
    ] + debezium_spark._config_head(config['name']) + [
        '      meta:',
        '        debezium_spark:',
        '          source: ' ~ config['name'],
        '    columns:',
    ] -%}
    {%- for name, data_type, description in [
        ('topic', 'string', 'Kafka topic.'),
        ('partition', 'int', 'Partition of the topic.'),
        ('offset', 'bigint', 'Offset in the partition; increasing, not always consecutive.'),
        ('timestamp', 'timestamp', "The record's own time: of the producer or the broker, not of the change."),
        ('timestampType', 'int', '0: set by the producer, 1: set by the broker.'),
        ('key', 'string', 'Record key as text; null for a record without one.'),
        ('value', 'string', 'Record value as text; null for a tombstone.'),
        ('headers', 'array<struct<key:string,value:string>>', 'Record headers.'),
    ] -%}
        {%- do lines.extend(debezium_spark._plain_column_lines(name, data_type, description)) -%}
    {%- endfor -%}
    {%- for name in ['_cdc_batch_id', '_cdc_landed_at'] -%}
        {%- do lines.extend(debezium_spark._cdc_column_lines(name, 'raw')) -%}
    {%- endfor -%}
    {{- return(lines | join('\n')) -}}
{%- endmacro -%}


{%- macro _plain_column_lines(name, data_type, description) -%}
    {{- return([
        '      - name: ' ~ adapter.debezium_yaml_name(name),
        '        description: ' ~ adapter.debezium_yaml_text(description),
        '        data_type: ' ~ adapter.debezium_yaml_name(data_type),
    ]) -}}
{%- endmacro -%}


{%- macro _catalog_properties_text(config) -%}
    {%- set name = config['name'] -%}
    {%- set lines = [
        debezium_spark._generated_mark('#'),
        'models:',
        '  - name: catalog_' ~ name ~ '__columns',
        '    description: ' ~ adapter.debezium_yaml_text(
            'What the tables of source ' ~ name ~ ' look like: one row per table, version and column.'
        ),
    ] + debezium_spark._config_head(config['name']) + [
        '      meta:',
        '        debezium_spark:',
        '          source: ' ~ name,
        '    columns:',
    ] -%}
    {%- for column, data_type, description in [
        ('source_name', 'string', 'Source in the configuration.'),
        ('topic_prefix', 'string', 'Name of the connector, as the source blocks of its records have it.'),
        ('database_name', 'string', 'Database of the table.'),
        ('schema_name', 'string', 'Schema of the table; the database where the connector has no schemas.'),
        ('table_name', 'string', 'Table, as the source writes it.'),
        ('topic', 'string', 'Topic of the table; where no record has come yet, the one the connector would write.'),
        ('topics', 'array<string>', 'All topics that carry records of the table.'),
        ('version', 'int', 'Number of the column list, from 1, in order of first sighting.'),
        ('is_current', 'boolean', "Whether this version stands furthest in the source's log: the one models are generated from."),
        ('since_position', 'string', 'Record (topic:partition:offset) that showed this version first.'),
        ('since_source_position', 'string', "Lowest position in the source's log at which this version was seen; null where records have none."),
        ('last_source_position', 'string', "Position in the source's log at which this version was seen last."),
        ('last_position', 'string', "Record (topic:partition:offset) with this version that stands furthest in the source's log."),
        ('evidence', 'string', 'Where the encoding is known from: embedded_schema, schema_change_topic or configuration.'),
        ('column_name', 'string', 'Column, as the source writes it.'),
        ('ordinal_position', 'int', 'Place in the table, from 1; null for a field that only record keys have.'),
        ('connect_type', 'string', 'Literal type in Kafka Connect; null when it is not known.'),
        ('semantic_type', 'string', 'Name of the Connect schema, which says what the literal means.'),
        ('parameters', 'map<string,string>', 'Parameters of the Connect schema, like the scale of a decimal.'),
        ('schema_json', 'string', 'The whole Connect schema of the column, as JSON.'),
        ('is_optional', 'boolean', 'Whether the column may be null.'),
        ('is_never_null', 'boolean', 'Whether no version seen lets the column be null or lacks it.'),
        ('default_value', 'string', 'Default as the evidence writes it: encoded value or SQL expression.'),
        ('is_key', 'boolean', 'Whether the column belongs to the record key.'),
        ('key_position', 'int', 'Place in the key, from 1.'),
        ('database_type', 'string', 'Type in the database, where the evidence tells it.'),
        ('comment', 'string', 'Comment in the database, where the evidence tells it.'),
        ('enum_values', 'array<string>', 'Labels of an enum in any version, from the schema-change topic.'),
        ('enum_lists', 'array<string>', 'Labels of an enum in any version as records list them, between commas.'),
        ('table_comment', 'string', "The table's comment in the database."),
        ('gone_until', 'string', "Position in the source's log of the last change without the column, where it was dropped and added again."),
        ('ended_by', 'string', 'What ended the table at the source: dropped, or renamed and to what; null while it exists.'),
    ] -%}
        {%- do lines.extend(debezium_spark._plain_column_lines(column, data_type, description)) -%}
    {%- endfor -%}
    {%- do lines.extend([
        '',
        '  - name: catalog_' ~ name ~ '__disagreements',
        '    description: ' ~ adapter.debezium_yaml_text(
            'Where records, schema-change topic and configuration of source ' ~ name ~ ' disagree about its tables: one row per table, column and matter.'
        ),
    ] + debezium_spark._config_head(config['name']) + [
        '      meta:',
        '        debezium_spark:',
        '          source: ' ~ name,
        '    columns:',
    ]) -%}
    {%- for column, data_type, description in [
        ('source_name', 'string', 'Source in the configuration.'),
        ('database_name', 'string', 'Database of the table.'),
        ('schema_name', 'string', 'Schema of the table; the database where the connector has no schemas.'),
        ('table_name', 'string', 'Table, as the source writes it.'),
        ('column_name', 'string', 'Column, as the source writes it; null where the table as a whole is meant.'),
        ('matter', 'string', 'What they disagree about: encoding, nullability, presence or key.'),
        ('chosen', 'string', 'What the catalog goes by.'),
        ('chosen_from', 'string', 'Evidence that says so.'),
        ('other', 'string', 'What the other evidence says.'),
        ('other_from', 'string', 'The other evidence.'),
        ('meaning', 'string', 'What it can come from, and what to do.'),
    ] -%}
        {%- do lines.extend(debezium_spark._plain_column_lines(column, data_type, description)) -%}
    {%- endfor -%}
    {%- do lines.extend([
        '',
        '  - name: catalog_' ~ name ~ '__schemas',
        '    description: ' ~ adapter.debezium_yaml_text(
            'Evidence for the catalog of source ' ~ name ~ ': which embedded schemas each landing batch brought, and the records of the schema-change topic.'
        ),
    ] + debezium_spark._config_head(config['name']) + [
        '      meta:',
        '        debezium_spark:',
        '          source: ' ~ name,
        '    columns:',
    ]) -%}
    {%- for column, data_type, description in [
        ('topic', 'string', 'Kafka topic.'),
        ('partition', 'int', 'Partition of the topic.'),
        ('key_hash', 'bigint', 'Hash of the schema in the record key; 1 for a key without one, 0 without a key.'),
        ('value_hash', 'bigint', 'Hash of the schema in the record value; 0 or 1 without one.'),
        ('origin_hash', 'bigint', 'Hash of what follows.'),
        ('origin', 'struct<name:string,db:string,schema:string,table:string>', 'Connector, database, schema and table that the source blocks of the records name; null for records that are no changes.'),
        ('first_offset', 'bigint', 'First offset of this pair of schemas and of this table in the batch.'),
        ('last_offset', 'bigint', 'Last offset of this pair of schemas in the batch.'),
        ('first_timestamp', 'timestamp', 'Earliest record time of this pair of schemas in the batch.'),
        ('last_timestamp', 'timestamp', 'Latest record time of this pair of schemas in the batch.'),
        ('is_snapshot', 'boolean', 'Whether the records were read by a full snapshot, the one at the positions that follow.'),
        ('lowest_position', 'string', "Lowest position in the source's log."),
        ('highest_position', 'string', "Highest position in the source's log."),
        ('highest_timestamp', 'timestamp', 'Record time of the record with the highest position.'),
        ('highest_offset', 'bigint', 'Offset of that record.'),
        ('last_position', 'string', "Position in the source's log of the last record."),
        ('kind', 'string', 'What the records are (data, schema_change, transaction, …); null where the pair was met before.'),
        ('key_schema', 'string', 'Connect schema of the key, as JSON.'),
        ('value_schema', 'string', 'Connect schema of the value, as JSON.'),
        ('key_fields', 'array<string>', 'Names of the fields of one record key.'),
        ('value_fields', 'array<string>', 'Names of the fields of one row.'),
        ('source_block', 'string', 'Source block of one record, as JSON.'),
        ('definition', 'string', 'The record of the schema-change topic, as JSON.'),
        ('has_doubtful_key', 'boolean', 'Whether a delete of PostgreSQL has a key that the connector may have made up (zero, empty, null).'),
    ] -%}
        {%- do lines.extend(debezium_spark._plain_column_lines(column, data_type, description)) -%}
    {%- endfor -%}
    {%- do lines.extend(debezium_spark._cdc_column_lines('_cdc_batch_id', 'catalog')) -%}
    {{- return(lines | join('\n')) -}}
{%- endmacro -%}
