{#-
    How a source's tables differ from their models: the rows of `debezium_obs__drift`.

    Compared are the tables that `generate` would write and the arguments in each staging model's
    text, so that a file taken over by hand counts as it stands.

    Not reported: models without landed records, tables that ended before they had models, and
    tables that `generate` refuses, unless their records lie in a topic that models read. Documents
    have no layout: of MongoDB, only collections without models are reported.
-#}
{%- macro source_changes(catalog, stagings) -%}
    {%- set source = catalog.source -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set models = {} -%}
    {%- for staging in stagings if staging.source == source -%}
        {%- do models.update({staging.table: staging}) -%}
    {%- endfor -%}
    {%- if debezium_spark.holds_documents(source) -%}
        {{- return(debezium_spark._collections_added(config, catalog.schemas, models)) -}}
    {%- endif -%}
    {%- set read_topics = [] -%}
    {%- for staging in models.values() if staging.call -%}
        {%- do read_topics.extend(staging.call.topics) -%}
    {%- endfor -%}
    {%- set changes = [] -%}
    {%- set rows = debezium_spark._current_catalog(catalog['columns']) -%}
    {%- set topics = debezium_spark._topics_seen(config, catalog['schemas']) -%}
    {%- for table in debezium_spark._source_tables(config, rows, topics) -%}
        {%- set table_changes = [] -%}
        {%- set is_in_read_topic = table.topics | select('in', read_topics) | list | length > 0 -%}
        {%- if table.name in models -%}
            {%- do table_changes.extend(
                debezium_spark._model_changes(config, table, models[table.name])
            ) -%}
        {%- elif table.problems and is_in_read_topic and not table.ended_by -%}
            {%- do table_changes.append(
                debezium_spark._change(
                    'table_added',
                    recorded=debezium_spark._table_text(table),
                    is_compatible=false,
                    remedy=table.problems | join(' '),
                )
            ) -%}
        {%- elif not table.problems and table.columns and not table.ended_by -%}
            {%- do table_changes.append(
                debezium_spark._change(
                    'table_added',
                    recorded=debezium_spark._table_text(table)
                        ~ (', in a topic of other tables' if is_in_read_topic else ''),
                    remedy=debezium_spark._rebuild_command('stg_' ~ source ~ '__' ~ table.model)
                        ~ (debezium_spark._includes_hint(config) if is_in_read_topic else ''),
                )
            ) -%}
        {%- endif -%}
        {%- for change in table_changes -%}
            {%- do changes.append(dict(
                change,
                source_name=source,
                table_name=table.name,
                evidence=table.evidence,
                event_id=table.since_position,
            )) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set generate = adapter.debezium().generate -%}
    {%- for other in generate.undescribed_tables(config, rows, topics)
        if other.topic in read_topics -%}
        {%- do changes.append(
            dict(
                debezium_spark._change(
                    'table_added',
                    recorded='of unknown types, fields ' ~ other.fields | join(', ')
                        ~ ', in a topic of other tables',
                    remedy='declare its columns, as no record tells their types: debezium_sources.'
                        ~ config.name ~ '.tables.' ~ other.name
                        ~ '.columns; debezium-spark generate, then dbt build'
                        ~ debezium_spark._includes_hint(config),
                ),
                source_name=source,
                table_name=other.name,
                evidence='values',
                event_id=other.event_id,
            )
        ) -%}
    {%- endfor -%}
    {{- return(changes) -}}
{%- endmacro -%}


{%- macro holds_documents(source) -%}
    {{- return(debezium_spark.source_config(source).connector == 'mongodb') -}}
{%- endmacro -%}


{%- macro _collections_added(config, schemas, models) -%}
    {%- set changes = [] -%}
    {%- for collection in debezium_spark._collections_seen(config, schemas)
        if collection.name not in models and not collection.problems -%}
        {%- set staging = 'stg_' ~ config.name ~ '__' ~ collection.model -%}
        {%- do changes.append(
            dict(
                debezium_spark._change(
                    'table_added',
                    recorded='a collection',
                    remedy=debezium_spark._rebuild_command(staging),
                ),
                source_name=config.name,
                table_name=collection.name,
                evidence='values',
                event_id=none,
            )
        ) -%}
    {%- endfor -%}
    {{- return(changes) -}}
{%- endmacro -%}


{#- What else to do about a table that turns up in the topic of another. -#}
{%- macro _includes_hint(config) -%}
    {{- return(
        '; if it is part of a table that has models (a shard, a partition, a database renamed), '
        ~ 'before that: debezium_sources.'
        ~ config.name ~ '.tables.<that table>.includes'
    ) -}}
{%- endmacro -%}


{#- The tables as `generate` would write them; also those it refuses, with its reasons. -#}
{%- macro _source_tables(config, rows, topics) -%}
    {%- set generate = adapter.debezium().generate -%}
    {%- set tables, usable_tables = [], [] -%}
    {%- for table in generate.tables_of_rows(
        config, debezium_spark._origin_rules(config), rows, topics
    ) -%}
        {%- set source_table = generate.described_table(
            config, table, debezium_spark.has_complete_before(config, table['name'])
        ) -%}
        {%- do source_table.update({'problems': table.problems}) -%}
        {%- do tables.append(source_table) -%}
        {%- if source_table.columns and not table.problems -%}
            {%- do usable_tables.append(source_table) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do generate.mark_shared_topics(usable_tables) -%}
    {{- return(tables | sort(attribute='name')) -}}
{%- endmacro -%}


{%- macro _change(
    change, column_name=none, modelled=none, recorded=none, is_compatible=true, remedy=none
) -%}
    {{- return({
        'change': change, 'column_name': column_name, 'modelled': modelled, 'recorded': recorded,
        'is_compatible': is_compatible, 'remedy': remedy,
    }) -}}
{%- endmacro -%}


{%- macro _table_text(table) -%}
    {%- set count = table.columns | length -%}
    {%- set key = table.key | map(attribute='name') | join(', ') -%}
    {{- return(
        count ~ (' column, ' if count == 1 else ' columns, ') ~ ('key ' ~ key if key else 'no key')
    ) -}}
{%- endmacro -%}


{%- macro _source_type(table, column) -%}
    {%- set database_type = table.described[column.name].get('database_type') -%}
    {{- return(
        debezium_spark.column_type_text(column)
        ~ (', database type ' ~ database_type if database_type else '')
    ) -}}
{%- endmacro -%}
