{#-
    The text of every file that `debezium-spark generate` writes: `dbt run-operation generate --args
    '{source: shop}'`.

    * `source`: only its files,
    * `part`: `source` (known from configuration alone), `tables` (from the catalog) or `all`,
    * `output`: `text` prints files; `events` logs them as JSON objects, for the command line.

    Returns {kind, path, content, source, table} each; kind is `file`, `kept` (stays as it is), or,
    with a `message`, `problem`, `warning` or `note`.
-#}
{%- macro generate(source=none, part='all', output='text') -%}
    {{- return(adapter.dispatch('generate', 'debezium_spark')(source, part, output)) -}}
{%- endmacro -%}


{%- macro default__generate(source=none, part='all', output='text') -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if not execute -%}{{- return([]) -}}{%- endif -%}
    {%- set sources = (
        [source] if source is not none else (var('debezium_sources', {}) or {}) | list
    ) -%}
    {%- set results = [] -%}
    {%- if part in ('all', 'source') -%}
        {%- for name in sources -%}
            {%- do results.extend(
                debezium_spark.source_files(debezium_spark.source_config(name))
            ) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if part in ('all', 'tables') -%}
        {%- do results.extend(debezium_spark._results_of_catalogs(sources)) -%}
    {%- endif -%}
    {%- for result in results -%}
        {%- if result.get('message') -%}
            {#- names in it come from strangers -#}
            {%- do result.update({'message': debezium.text.printable(result['message'])}) -%}
        {%- endif -%}
        {%- if output == 'events' -%}
            {%- do log('debezium_spark.generate ' ~ tojson(result)) -%}
        {%- elif result['kind'] == 'file' -%}
            {%- do print('==> ' ~ result['path'] ~ '\n' ~ result['content']) -%}
        {%- elif result['kind'] != 'kept' -%}
            {%- do print(result['kind'] ~ ': ' ~ result['message']) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(results) -}}
{%- endmacro -%}


{%- macro _results_of_catalogs(sources) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set models = debezium_spark._project_models() -%}
    {%- set results = [] -%}
    {%- set tables = [] -%}
    {%- for name in sources -%}
        {%- set config = debezium_spark.source_config(name) -%}
        {%- do results.extend(debezium_spark.group_results(config)) -%}
        {%- set holds_documents = config['connector'] == 'mongodb' -%}
        {%- set catalog = debezium_spark.collections(config) if holds_documents
            else debezium_spark.catalog_tables(config) -%}
        {%- do results.extend(catalog['messages']) -%}
        {%- do tables.extend(catalog['tables']) -%}
        {%- for table in catalog['tables'] -%}
            {%- do results.extend(
                debezium.generate.removed_column_messages(config, table, models, var)
            ) -%}
            {%- do results.extend(
                debezium_spark.collection_files(config, table) if holds_documents
                else debezium_spark.table_files(config, table)
            ) -%}
            {%- do results.extend(debezium_spark.feed_files(config, table)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set kept_tables = debezium.generate.refused_tables(models, results, tables) -%}
    {%- for table in kept_tables -%}
        {%- for path in table['paths'] -%}
            {%- do results.append({
                'kind': 'kept', 'path': path, 'source': table['source'], 'table': table['table'],
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for name in sources -%}
        {%- do results.extend(debezium_spark.exposure_results(
            debezium_spark.source_config(name), tables, kept_tables
        )) -%}
        {%- do results.extend(debezium_spark.transaction_files(
            debezium_spark.source_config(name), tables, kept_tables
        )) -%}
    {%- endfor -%}
    {%- do results.extend(
        debezium_spark.observability_files(sources, tables, kept_tables, models)
    ) -%}
    {{- return(results) -}}
{%- endmacro -%}


{%- macro _project_models() -%}
    {%- set models = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- do models.append({
            'name': node.name,
            'meta': node.config.get('meta', {}).get('debezium_spark', {}),
            'raw_code': node.raw_code,
            'fields': node.config.get('fields') or [],
            'paths': [node.original_file_path, (node.patch_path or '').split('://') | last],
        }) -%}
    {%- endfor -%}
    {{- return(models) -}}
{%- endmacro -%}


{#- `path`: in a project with a folder for each layer (`generator/layout.py`). -#}
{%- macro _generated_file(path, content, source=none, table=none) -%}
    {{- return({
        'kind': 'file',
        'path': adapter.debezium().generate.Layout(var('debezium_folder', none)).path(path, source),
        'content': content | trim ~ '\n',
        'source': source,
        'table': table,
    }) -}}
{%- endmacro -%}


{#- A file without this line belongs to a person and is never written (`generator/changes.py`). -#}
{%- macro _first_line(comment, evidence=none) -%}
    {{- return(
        comment ~ ' generated by debezium-spark generate'
        ~ (' from ' ~ debezium_spark._evidence_words(evidence) if evidence else '')
        ~ '; delete this line to own the file'
    ) -}}
{%- endmacro -%}


{%- macro _evidence_words(evidence) -%}
    {{- return({
        'embedded_schema': 'embedded schemas',
        'schema_change_topic': 'schema changes',
        'column_export': 'a column export',
        'configuration': 'configuration',
        'sample': 'sampled documents',
    }[evidence]) -}}
{%- endmacro -%}
