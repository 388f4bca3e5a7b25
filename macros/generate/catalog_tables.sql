{#-
    The tables of a source, ready to be written as models: {tables, messages}. `columns` and `key`
    of a table are what the macros take, `described` adds comments and database types. A table that
    cannot become models is a message of kind `problem` and stops no other
    (`generator/catalog_tables.py`).
-#}
{%- macro catalog_tables(config) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set evidence = debezium_spark._catalog_evidence(config) -%}
    {%- if evidence is none -%}
        {{- return({'tables': [], 'messages': [debezium.generate.not_built(config['name'])]}) -}}
    {%- endif -%}
    {%- set tables = debezium.generate.tables_of_rows(
        config, evidence['columns'], evidence['topics']
    ) -%}
    {%- set descriptions = [] -%}
    {%- for table in tables -%}
        {%- do descriptions.append(
            none if table['problems'] else debezium.generate.described_table(config, table)
        ) -%}
    {%- endfor -%}
    {{- return(debezium.generate.catalog_tables(config, evidence, tables, descriptions)) -}}
{%- endmacro -%}


{%- macro _catalog_evidence(config) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set catalog = debezium_spark._model_relation('catalog_' ~ config['name'] ~ '__columns') -%}
    {%- set schemas = debezium_spark._model_relation('catalog_' ~ config['name'] ~ '__schemas') -%}
    {%- if catalog is none or schemas is none -%}{{- return(none) -}}{%- endif -%}
    {%- set columns = debezium_spark._current_catalog(catalog) -%}
    {%- set seen = debezium_spark._recorded_schemas(config, schemas) -%}
    {%- set topics = debezium.generate.topics_of_schemas(seen) -%}
    {%- set unwritten = debezium.catalog.invalid_schemas(seen) -%}
    {%- set described_topics = [] -%}
    {%- for column in columns %}{% do described_topics.extend(column['topics']) %}{% endfor -%}
    {{- return({
        'columns': columns,
        'topics': topics,
        'unwritten': unwritten,
        'messages': debezium.catalog.invalid_schema_messages(
            config['name'], unwritten, described_topics
        )
            + debezium.catalog.invalid_definition_messages(config, seen)
            + debezium.catalog.other_source_messages(config['name'], seen, described_topics)
            + debezium.catalog.export_messages(
                config, debezium_spark._column_export(config), columns, topics
            ),
        'disagreements': debezium_spark._disagreements(config),
    }) -}}
{%- endmacro -%}
