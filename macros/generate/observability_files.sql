{#-
    The project-wide observability models: one call each over all tables of all sources.

    `found` are the tables of the sources being generated; those of other sources are taken from the models the
    project has, so that generating one source forgets no other.
-#}
{%- macro observability_files(sources, found) -%}
    {%- set tables = [] -%}
    {%- for table in found -%}
        {%- do tables.append({'source': table['source'], 'table': table['name'], 'model': table['model']}) -%}
    {%- endfor -%}
    {%- set raws = sources | list -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- set meta = node.config.get('meta', {}).get('debezium_spark', {}) -%}
        {%- if meta.get('source') and meta['source'] not in sources -%}
            {%- if node.name.startswith('raw_') and meta['source'] not in raws -%}
                {%- do raws.append(meta['source']) -%}
            {%- elif node.name.startswith('stg_') and meta.get('table') -%}
                {%- do tables.append({
                    'source': meta['source'], 'table': meta['table'], 'model': meta['model'],
                }) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not tables %}{{ return([]) }}{% endif -%}
    {%- set tables = tables | sort(attribute='source,table') -%}

    {%- set raw_lines = [] -%}
    {%- for name in raws | sort -%}
        {%- do raw_lines.append("            ('" ~ name ~ "', ref('raw_" ~ name ~ "')),") -%}
    {%- endfor -%}
    {%- set files = [] -%}
    {%- for subject in debezium_spark._observability_subjects() -%}
        {%- set arguments = [] -%}
        {%- if subject['raws'] -%}
            {%- do arguments.append('        raws=[\n' ~ raw_lines | join('\n') ~ '\n        ],') -%}
        {%- endif -%}
        {%- for argument, prefix in subject['relations'] -%}
            {%- set lines = [] -%}
            {%- for table in tables -%}
                {%- do lines.append(
                    "            {'source': " ~ debezium_spark._jinja_text(table['source'])
                    ~ ", 'table': " ~ debezium_spark._jinja_text(table['table'])
                    ~ ", 'relation': ref('" ~ prefix ~ '_' ~ table['source'] ~ '__' ~ table['model'] ~ "')},"
                ) -%}
            {%- endfor -%}
            {%- do arguments.append('        ' ~ argument ~ '=[\n' ~ lines | join('\n') ~ '\n        ],') -%}
        {%- endfor -%}
        {%- do files.append(debezium_spark._generated_file(
            'models/observability/debezium_obs__' ~ subject['name'] ~ '.sql',
            debezium_spark._generated_mark('--')
            ~ "\n{{\n    config(materialized='view')\n}}\n\n{{\n    debezium_spark.obs_" ~ subject['name'] ~ '(\n'
            ~ arguments | join('\n') ~ '\n    )\n}}\n',
        )) -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{#- Subject → what its macro `obs_<name>` takes. -#}
{%- macro _observability_subjects() -%}
    {{- return([
        {'name': 'quarantine', 'raws': true, 'relations': [('stagings', 'stg')]},
        {'name': 'replays', 'raws': false, 'relations': [('states', 'state')]},
        {'name': 'unavailable', 'raws': false, 'relations': [('states', 'state')]},
        {'name': 'drift', 'raws': false, 'relations': [('stagings', 'stg')]},
        {'name': 'lag', 'raws': false, 'relations': [('stagings', 'stg')]},
    ]) -}}
{%- endmacro -%}
