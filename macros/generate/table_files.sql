{#-
    The files of one table: staging, state and current model, each with its properties beside it.

    `blocks`: a dictionary that calls for many tables share; it keeps what is the same for all.
-#}
{%- macro table_files(config, table, blocks={}) -%}
    {%- set files = [] -%}
    {#- the same in every layer -#}
    {%- do table.update({
        'texts': debezium_spark._column_texts(table), 'examples': debezium_spark._column_examples(table),
    }) -%}
    {%- for layer in debezium_spark._layers() -%}
        {%- set name = layer['prefix'] ~ '_' ~ config['name'] ~ '__' ~ table['model'] -%}
        {%- set path = 'models/' ~ layer['folder'] ~ '/' ~ config['name'] ~ '/' ~ name -%}
        {%- for suffix, content in [
            ('.sql', debezium_spark._model_text(layer['prefix'], config, table)),
            ('.yml', debezium_spark._properties_text(layer['prefix'], name, config, table, blocks)),
        ] -%}
            {%- do files.append(
                debezium_spark._generated_file(path ~ suffix, content, config['name'], table['name'])
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _layers() -%}
    {{- return([
        {'prefix': 'stg', 'folder': 'staging'},
        {'prefix': 'state', 'folder': 'state'},
        {'prefix': 'cur', 'folder': 'current'},
    ]) -}}
{%- endmacro -%}


{#- SQL of the model of one layer. -#}
{%- macro _model_text(prefix, config, table) -%}
    {%- set suffix = '_' ~ config['name'] ~ '__' ~ table['model'] -%}
    {%- set key_names = table['key'] | map(attribute='name') | list -%}
    {%- set names = table['decoded'] | map(attribute='name') | list -%}
    {%- set source = debezium_spark._jinja_text(config['name']) -%}
    {%- set name = debezium_spark._jinja_text(table['name']) -%}
    {%- set head = debezium_spark._generated_mark('--', debezium_spark._evidence_words(table['evidence'])) -%}
    {%- if prefix == 'stg' -%}
        {%- set settings = "materialized='debezium_append'" -%}
        {%- set call = [
            'staging(',
            '    source=' ~ source ~ ',',
            "    raw=ref('raw_" ~ config['name'] ~ "'),",
            "    schemas=ref('catalog_" ~ config['name'] ~ "__schemas'),",
            '    topics=' ~ adapter.debezium_jinja_block(table['topics'], 8) ~ ',',
            '    table=' ~ name ~ ',',
            '    origins=' ~ adapter.debezium_jinja_lines(table['origins'], 8) ~ ',',
            '    key=' ~ adapter.debezium_jinja_lines(table['key'], 8) ~ ',',
            '    columns=' ~ adapter.debezium_jinja_lines(table['columns'], 8) ~ ',',
        ] -%}
        {%- if table['former_keys'] -%}
            {%- do call.append('    former_keys=' ~ adapter.debezium_jinja_lines(table['former_keys'], 8) ~ ',') -%}
        {%- endif -%}
        {%- if table['is_shared_topic'] %}{% do call.append('    shared_topic=true,') %}{% endif -%}
    {%- elif prefix == 'state' -%}
        {%- set settings = "materialized='debezium_merge', unique_key='_cdc_key'" -%}
        {%- set call = [
            'state(',
            '    source=' ~ source ~ ',',
            '    table=' ~ name ~ ',',
            "    staging=ref('stg" ~ suffix ~ "'),",
            '    key=' ~ adapter.debezium_jinja_block(key_names, 8) ~ ',',
            '    columns=' ~ adapter.debezium_jinja_lines(names, 8) ~ ',',
        ] -%}
    {%- else -%}
        {%- set settings = "materialized='debezium_view'" -%}
        {%- set call = [
            'current(',
            "    state=ref('state" ~ suffix ~ "'),",
            '    columns=' ~ adapter.debezium_jinja_lines(names, 8) ~ ',',
        ] -%}
        {%- if not table['key'] %}{% do call.append('    keyless=true,') %}{% endif -%}
    {%- endif -%}
    {{- return(
        head ~ '\n{{\n    config(' ~ settings ~ ')\n}}\n\n{{\n    debezium_spark.' ~ call | join('\n    ') ~ '\n    )\n}}\n'
    ) -}}
{%- endmacro -%}


{%- macro _evidence_words(evidence) -%}
    {{- return({
        'embedded_schema': 'embedded schemas',
        'schema_change_topic': 'schema changes',
        'configuration': 'configuration',
        'sample': 'sampled documents',
    }[evidence]) -}}
{%- endmacro -%}
