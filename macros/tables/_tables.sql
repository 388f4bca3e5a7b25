{#- The relation as a table, quoted: names of a source database may be any words. -#}
{%- macro _table(relation) -%}
    {{- return(relation.incorporate(type='table').quote(schema=true, identifier=true)) -}}
{%- endmacro -%}


{#- Drop what one atomic statement cannot replace by a table: a view, or another format. -#}
{%- macro _drop_incompatible(existing) -%}
    {%- if existing is not none
        and (existing.is_view or not debezium_spark._is_our_format(existing)) -%}
        {%- do adapter.drop_relation(existing.quote(schema=true, identifier=true)) -%}
    {%- endif -%}
{%- endmacro -%}


{#- On Delta the version that this makes is known, and needs no commit of its own. -#}
{%- macro _create_or_replace_sql(relation, sql, properties={}, input_hashes=none) -%}
{{ debezium_spark._create_words(relation) }} {{ relation }}
    {%- if input_hashes and debezium_spark.file_format() == 'delta' -%}
        {%- set version = adapter.debezium().tables.properties(relation).get('version', -1) -%}
        {%- do properties.update({
            debezium_spark._up_to_date_property():
            debezium_spark._up_to_date_text(input_hashes, {'version': version}, commits=1)
        }) -%}
    {%- endif %}
{{ debezium_spark._table_clauses(properties=properties) }}
as
{{ sql }}
{%- endmacro -%}


{%- macro _table_clauses(partition_by=none, properties={}) -%}
    {%- set file_format = debezium_spark.file_format() -%}
    {%- set properties = dict(properties, **debezium_spark._default_properties(file_format)) -%}
    {%- do properties.update(config.get('tblproperties') or {}) -%}
    {%- set partition_by = config.get('partition_by') or partition_by or [] -%}
    {%- set partition_by = [partition_by] if partition_by is string else partition_by -%}
using {{ file_format }}
tblproperties (
    {%- for name, value in properties.items() %}
    {{ debezium_spark.text_literal(name) }} = {{ debezium_spark.text_literal(value) }}
    {{- ',' if not loop.last }}
    {%- endfor %}
)
    {%- if partition_by %}
partitioned by ({{ partition_by | join(', ') }})
    {%- endif %}
    {%- if config.get('location_root') %}
location {{ debezium_spark.text_literal(config.get('location_root') ~ '/' ~ this.identifier) }}
    {%- endif %}
    {%- if config.persist_relation_docs() and model.description %}
comment {{ debezium_spark.text_literal(model.description) }}
    {%- endif -%}
{%- endmacro -%}


{#-
    Merge on read: an update writes new rows and the places of old ones, not whole files, and
    Iceberg's copy on write reads a MERGE's source twice. Old metadata is deleted, or each run would
    leave a file forever. Delta needs column mapping for any column name, and the feature for
    zoneless timestamps that come later.
-#}
{%- macro _default_properties(file_format) -%}
    {%- if file_format == 'delta' -%}
        {{- return({
            'delta.enableDeletionVectors': 'true',
            'delta.enableTypeWidening': 'true',
            'delta.columnMapping.mode': 'name',
            'delta.feature.timestampNtz': 'supported',
        }) -}}
    {%- endif -%}
    {{- return({
        'format-version': '2',
        'write.delete.mode': 'merge-on-read',
        'write.update.mode': 'merge-on-read',
        'write.merge.mode': 'merge-on-read',
        'write.metadata.delete-after-commit.enabled': 'true',
        'write.metadata.previous-versions-max': '20',
    }) -}}
{%- endmacro -%}


{%- macro _relation_of(node) -%}
    {{- return(
        api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias)
    ) -}}
{%- endmacro -%}
