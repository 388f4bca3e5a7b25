{#-
    Compact tables and expire what only states older than `older_than_days` need: `dbt run-operation
    debezium_maintain`. No row changes, and the next run finds new records by their batch, not by a
    table's history. `dry_run`: only tell what there is to do.
-#}
{%- macro debezium_maintain(older_than_days=7, source=none, dry_run=false) -%}
    {{- return(adapter.dispatch('debezium_maintain', 'debezium_spark')(
        older_than_days, source, dry_run
    )) -}}
{%- endmacro -%}


{%- macro default__debezium_maintain(older_than_days=7, source=none, dry_run=false) -%}
    {%- if older_than_days is not number or older_than_days is boolean or older_than_days < 0 -%}
        {%- do debezium_spark._fail(
            'debezium_maintain',
            'older_than_days must be a number of days, got: ' ~ older_than_days ~ '.',
            "Write --args '{older_than_days: 7}'.",
        ) -%}
    {%- endif -%}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- do debezium_spark._check_source_name(source) -%}

    {%- for table in debezium_spark._own_tables(source) -%}
        {%- set told = (
            debezium_spark._upkeep_of_table(table, older_than_days) if dry_run
            else debezium_spark._maintain_table(table, older_than_days)
        ) -%}
        {%- do log('debezium_spark: ' ~ told, info=true) -%}
    {%- endfor -%}
{%- endmacro -%}


{%- macro _check_source_name(source) -%}
    {%- set names = (var('debezium_sources', {}) or {}).keys() | list -%}
    {%- if source is not none and source not in names -%}
        {%- do debezium_spark._fail(
            'debezium_maintain',
            'the project has no source `' ~ source ~ '`.',
            'Known: ' ~ names | join(', ') ~ '.'
        ) -%}
    {%- endif -%}
{%- endmacro -%}


{#- Tables of this package's materializations, and the side tables of raw ones. -#}
{%- macro _own_tables(source) -%}
    {%- set materializations = [
        'debezium_raw', 'debezium_append', 'debezium_merge', 'debezium_table', 'debezium_documents',
        'debezium_view', 'debezium_versions', 'debezium_document_versions'
    ] -%}
    {%- set tables = [] -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.config.materialized in materializations -%}
        {%- if source is none
            or node.config.get('meta', {}).get('debezium_spark', {}).get('source') == source -%}
            {%- set names = [node.alias] -%}
            {%- if node.config.materialized == 'debezium_raw' -%}
                {%- do names.extend(
                    [node.alias ~ '__rejected', node.alias ~ '__files', node.alias ~ '__schemas']
                ) -%}
            {%- endif -%}
            {%- for name in names -%}
                {%- set relation = load_relation(
                    api.Relation.create(schema=node.schema, identifier=name)
                ) -%}
                {%- if relation is not none and not relation.is_view -%}
                    {%- do tables.append(relation) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(tables) -}}
{%- endmacro -%}


{%- macro _maintain_table(relation, days) -%}
    {%- set table = debezium_spark._table(relation) -%}
    {%- set before = debezium_spark._file_count(relation, table) -%}
    {%- if relation.is_delta -%}
        {%- do debezium_spark._maintain_delta(table, days) -%}
    {%- else -%}
        {%- do debezium_spark._maintain_iceberg(table, days) -%}
    {%- endif -%}
    {{- return(
        table ~ ': ' ~ before ~ ' files before, ' ~ debezium_spark._file_count(relation, table)
        ~ ' now'
    ) -}}
{%- endmacro -%}


{#- What `_maintain_table` finds: files and bytes of the newest state, and of older ones. -#}
{%- macro _upkeep_of_table(relation, days) -%}
    {%- set table = debezium_spark._table(relation) -%}
    {%- if relation.is_delta -%}
        {%- set detail = run_query('describe detail ' ~ table).rows[0] -%}
        {%- set older = run_query(debezium_spark._vacuum(table, days) ~ ' dry run').rows -%}
        {{- return(
            table ~ ': ' ~ detail['numFiles'] ~ ' files of ' ~ detail['sizeInBytes']
            ~ ' bytes; older states hold ' ~ older | length ~ ' more that can go'
        ) -}}
    {%- endif -%}
    {%- set sizes = run_query(
        'select count(distinct file_path), coalesce(sum(file_size_in_bytes), 0) from ' ~ table
        ~ '.files'
    ).rows[0] -%}
    {%- set all_sizes = run_query(
        'select count(*), coalesce(sum(bytes), 0) from (select file_path,'
        ~ ' any_value(file_size_in_bytes) as bytes from ' ~ table ~ '.all_files group by file_path)'
        ~ ' as files'
    ).rows[0] -%}
    {{- return(
        table ~ ': ' ~ sizes[0] ~ ' files of ' ~ sizes[1] ~ ' bytes; older states hold '
        ~ (all_sizes[0] | int - sizes[0] | int) ~ ' more, of '
        ~ (all_sizes[1] | int - sizes[1] | int) ~ ' bytes'
    ) -}}
{%- endmacro -%}


{%- macro _file_count(relation, table) -%}
    {%- if relation.is_delta -%}
        {%- set detail = run_query('describe detail ' ~ table) -%}
        {{- return(detail.rows[0]['numFiles'] | int) -}}
    {%- endif -%}
    {{- return(run_query('select count(*) from ' ~ table ~ '.files').rows[0][0] | int) -}}
{%- endmacro -%}


{#-
    Delete files are joined after the data files that they belong to. Iceberg refuses to remove
    orphans younger than a day: a write may be under way.
-#}
{%- macro _maintain_iceberg(table, days) -%}
    {%- set procedures = adapter.debezium().run.catalog(table.schema) ~ '.system.' -%}
    {%- set name = debezium_spark.text_literal(table | string) -%}
    {%- do run_query(
        'call ' ~ procedures ~ 'rewrite_data_files(table => ' ~ name
        ~ ", options => map('delete-file-threshold', '5'))"
    ) -%}
    {%- do run_query(
        'call ' ~ procedures ~ 'rewrite_position_delete_files(table => ' ~ name ~ ')'
    ) -%}
    {%- do run_query('call ' ~ procedures ~ 'rewrite_manifests(table => ' ~ name ~ ')') -%}
    {%- do run_query(
        'call ' ~ procedures ~ 'expire_snapshots(table => ' ~ name ~ ', older_than => '
        ~ debezium_spark._moment_before(days) ~ ')'
    ) -%}
    {%- do run_query(
        'call ' ~ procedures ~ 'remove_orphan_files(table => ' ~ name ~ ', older_than => '
        ~ debezium_spark._moment_before([days, 1] | max) ~ ')'
    ) -%}
{%- endmacro -%}


{#- A literal, in UTC: arguments of procedures are no expressions. -#}
{%- macro _moment_before(days) -%}
    {%- set now = modules.datetime.datetime.now(modules.pytz.utc) -%}
    {%- set moment = now - modules.datetime.timedelta(days=days) -%}
    {{- return("timestamp '" ~ moment.strftime('%Y-%m-%d %H:%M:%S') ~ "Z'") -}}
{%- endmacro -%}


{#-
    Delta removes files younger than a week only where the session allows it: readers may need them.
-#}
{%- macro _maintain_delta(table, days) -%}
    {%- do run_query('optimize ' ~ table) -%}
    {%- do run_query(debezium_spark._vacuum(table, days)) -%}
{%- endmacro -%}


{%- macro _vacuum(table, days) -%}
    {{- return('vacuum ' ~ table ~ ' retain ' ~ (days * 24) | round(0, 'ceil') | int ~ ' hours') -}}
{%- endmacro -%}
