{#-
    The files of one collection: staging, state and current model, each with its properties beside it. The state is a Python model.

    `blocks`: a dictionary that calls for many tables share; it keeps what is the same for all.
-#}
{%- macro collection_files(config, collection, blocks={}) -%}
    {%- set files = [] -%}
    {%- set suffix = '_' ~ config['name'] ~ '__' ~ collection['model'] -%}
    {%- set texts = debezium_spark._column_texts(collection) -%}
    {%- do collection.update({'examples': debezium_spark._column_examples(collection)}) -%}
    {%- for prefix, folder, extension, content in [
        ('stg', 'models/staging/', '.sql', debezium_spark._collection_staging_text(config, collection)),
        ('state', 'python_models/state/', '.py', debezium_spark._collection_state_text(config, collection)),
        ('cur', 'models/current/', '.sql', debezium_spark._collection_current_text(config, collection)),
    ] -%}
        {%- set path = folder ~ config['name'] ~ '/' ~ prefix ~ suffix -%}
        {%- do collection.update({
            'texts': debezium_spark._column_texts(debezium_spark._staged_texts()) if prefix == 'stg' else texts,
        }) -%}
        {%- for ending, text in [
            (extension, content),
            ('.yml', debezium_spark._properties_text(prefix, prefix ~ suffix, config, collection, blocks)),
        ] -%}
            {%- do files.append(debezium_spark._generated_file(path ~ ending, text, config['name'], collection['name'])) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{#- The texts that staging keeps of an event, described like the columns of a table. -#}
{%- macro _staged_texts() -%}
    {%- set decoded = [] -%}
    {%- set described = {} -%}
    {%- for name, about in [
        ('after', 'Document after the event, as the connector wrote it; with lookup it may be later than the event.'),
        ('before', 'Document before the event, where pre-images are on.'),
        ('patch', 'Change of an oplog update: operators, or the whole new document.'),
        ('filter', 'What an oplog update or delete was applied to.'),
        ('update_description', 'Change of a change-stream update: fields updated and removed, arrays cut.'),
    ] -%}
        {%- do decoded.append({'name': name, 'data_type': 'string', 'of': none}) -%}
        {%- do described.update({name: {'about': about}}) -%}
    {%- endfor -%}
    {{- return({'name': '', 'decoded': decoded, 'described': described}) -}}
{%- endmacro -%}


{%- macro _collection_staging_text(config, collection) -%}
    {%- set call = [
        'document_staging(',
        '    source=' ~ debezium_spark._jinja_text(config['name']) ~ ',',
        "    raw=ref('raw_" ~ config['name'] ~ "'),",
        "    schemas=ref('catalog_" ~ config['name'] ~ "__schemas'),",
        '    topics=' ~ adapter.debezium_jinja_block(collection['topics'], 8) ~ ',',
        '    table=' ~ debezium_spark._jinja_text(collection['name']) ~ ',',
        '    origins=' ~ adapter.debezium_jinja_lines(collection['origins'], 8) ~ ',',
    ] -%}
    {%- if collection['is_shared_topic'] %}{% do call.append('    shared_topic=true,') %}{% endif -%}
    {{- return(debezium_spark._called(collection, "materialized='debezium_append'", call)) -}}
{%- endmacro -%}


{%- macro _collection_current_text(config, collection) -%}
    {%- set call = [
        'current(',
        "    state=ref('state_" ~ config['name'] ~ '__' ~ collection['model'] ~ "'),",
        '    columns=' ~ adapter.debezium_jinja_lines(collection['decoded'] | map(attribute='name') | list, 8) ~ ',',
    ] -%}
    {{- return(debezium_spark._called(collection, "materialized='debezium_view'", call)) -}}
{%- endmacro -%}


{%- macro _called(collection, settings, call) -%}
    {{- return(
        debezium_spark._generated_mark('--', debezium_spark._evidence_words(collection['evidence'])) ~ '\n{{\n    config(' ~ settings
        ~ ')\n}}\n\n{{\n    debezium_spark.' ~ call | join('\n    ') ~ '\n    )\n}}\n'
    ) -}}
{%- endmacro -%}


{%- macro _collection_state_text(config, collection) -%}
    {%- set lines = [
        debezium_spark._generated_mark('#', debezium_spark._evidence_words(collection['evidence'])),
        'def model(dbt, session):',
        '    dbt.config(',
        '        materialized="debezium_documents",',
        '        source=' ~ adapter.debezium_python_text(config['name']) ~ ',',
        '        table=' ~ adapter.debezium_python_text(collection['name']) ~ ',',
    ] -%}
    {%- if collection['fields'] -%}
        {%- do lines.append('        fields=[') -%}
        {%- for field in collection['fields'] -%}
            {%- do lines.append(
                '            {"name": ' ~ adapter.debezium_python_text(field['name']) ~ ', "path": '
                ~ adapter.debezium_python_text(field['path']) ~ ', "type": ' ~ adapter.debezium_python_text(field['type']) ~ '},'
            ) -%}
        {%- endfor -%}
        {%- do lines.append('        ],') -%}
    {%- else -%}
        {%- do lines.append('        fields=[],') -%}
    {%- endif -%}
    {%- do lines.extend([
        '    )',
        '    return dbt.ref("stg_' ~ config['name'] ~ '__' ~ collection['model'] ~ '")',
    ]) -%}
    {{- return(lines | join('\n') ~ '\n') -}}
{%- endmacro -%}
