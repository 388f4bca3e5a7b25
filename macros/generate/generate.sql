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
    {%- if not execute -%}{{- return([]) -}}{%- endif -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set sources = (
        [source] if source is not none else (var('debezium_sources', {}) or {}) | list
    ) -%}
    {%- set results = [] -%}
    {%- if part in ('all', 'source') -%}
        {%- for name in sources -%}
            {%- do results.extend(
                debezium.generate.source_files(debezium_spark.source_config(name))
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
        {%- elif result['kind'] == 'file' -%}
            {%- do debezium_spark._render(result) -%}
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


{#- A file of `generator/files.py` gets its content and its place in this project. -#}
{%- macro _render(file) -%}
    {#- dbt looks for the names of calls of `adapter.dispatch` in the text -#}
    {%- set dispatch = adapter.dispatch -%}
    {%- set content = dispatch(file.pop('template'), 'debezium_spark')(file.pop('values')) -%}
    {%- set layout = adapter.debezium().generate.Layout(var('debezium_folder', none)) -%}
    {%- do file.update({
        'path': layout.path(file['path'], file['source']),
        'content': content | trim ~ '\n',
    }) -%}
{%- endmacro -%}


{%- macro _results_of_catalogs(sources) -%}
    {%- set generate = adapter.debezium().generate -%}
    {%- set models = debezium_spark._project_models() -%}
    {%- set configured = var('debezium_sources', {}) -%}
    {%- set results, tables = [], [] -%}
    {%- for name in sources -%}
        {%- set config = debezium_spark.source_config(name) -%}
        {%- set holds_documents = adapter.debezium().config.connector_of(config).has_documents -%}
        {%- set catalog = debezium_spark.collections(config) if holds_documents
            else debezium_spark.catalog_tables(config) -%}
        {%- do results.extend(catalog['messages']) -%}
        {%- do tables.extend(catalog['tables']) -%}
        {%- for table in catalog['tables'] -%}
            {%- do results.extend(generate.removed_column_messages(config, table, models, var)) -%}
            {%- do results.extend(
                generate.collection_files(config, table) if holds_documents
                else generate.table_files(config, table)
            ) -%}
            {%- if debezium_spark.has_feed(config, table['name']) -%}
                {%- do results.extend(generate.feed_files(config, table)) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set kept_tables = generate.refused_tables(models, results, tables) -%}
    {%- for table in kept_tables -%}
        {%- for path in table['paths'] -%}
            {%- do results.append({
                'kind': 'kept', 'path': path, 'source': table['source'], 'table': table['table'],
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for name in sources -%}
        {%- set config = debezium_spark.source_config(name) -%}
        {%- do results.extend(generate.transaction_files(config, tables, kept_tables)) -%}
    {%- endfor -%}
    {%- do results.extend(
        generate.observability_files(sources, tables, kept_tables, models, configured)
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
