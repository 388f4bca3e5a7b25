{#- How the tables of a catalog differ from their models: `dbt_debezium_spark.catalog.drift`. -#}
{%- macro source_changes(catalog, stagings) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set config = debezium_spark.source_config(catalog.source) -%}
    {%- set models = [] -%}
    {%- for staging in stagings if staging.source == catalog.source -%}
        {%- do models.append(dict(staging, model=staging.relation.identifier)) -%}
    {%- endfor -%}
    {%- if debezium_spark.holds_documents(catalog.source) -%}
        {{- return(debezium.models.collections_added(
            config,
            debezium_spark._collections_seen(config, catalog.schemas),
            models | map(attribute='table') | list
        )) -}}
    {%- endif -%}
    {%- set rows = debezium_spark._current_catalog(catalog['columns']) -%}
    {%- set topics = debezium.generate.topics_of_schemas(
        debezium_spark._recorded_schemas(config, catalog['schemas'])
    ) -%}
    {%- set found = debezium.models.table_changes(
        config,
        debezium_spark._source_tables(config, rows, topics),
        debezium.generate.undescribed_tables(config, rows, topics),
        models,
        rebuilds=debezium_spark._rebuilds()
    ) -%}
    {%- for line in found.unread %}{% do log(line, info=true) %}{% endfor -%}
    {{- return(found.changes) -}}
{%- endmacro -%}


{%- macro holds_documents(source) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {{- return(adapter.debezium().config.connector_of(config).has_documents) -}}
{%- endmacro -%}


{%- macro _rebuilds() -%}
    {{- return(var('debezium_incompatible_changes', 'fail') == 'rebuild') -}}
{%- endmacro -%}


{#- The tables as `generate` would write them; also those it refuses, with its reasons. -#}
{%- macro _source_tables(config, rows, topics) -%}
    {%- set generate = adapter.debezium().generate -%}
    {%- set tables, usable_tables = [], [] -%}
    {%- for table in generate.tables_of_rows(config, rows, topics) -%}
        {%- set source_table = generate.described_table(config, table) -%}
        {%- do source_table.update({'problems': table.problems}) -%}
        {%- do tables.append(source_table) -%}
        {%- if source_table.columns and not table.problems -%}
            {%- do usable_tables.append(source_table) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do generate.mark_shared_topics(usable_tables) -%}
    {{- return(tables) -}}
{%- endmacro -%}
