{#-
    The files of one table: three models, two of its history, each with its properties beside it.
-#}
{%- macro table_files(config, table) -%}
    {%- set properties = debezium_spark._table_properties(config, table) -%}
    {%- set files = [] -%}
    {%- set models = [
        ('stg', 'staging', debezium_spark._staging_text(config, table)),
        ('state', 'state', debezium_spark._state_text(config, table)),
        ('cur', 'current', debezium_spark._current_text(config, table)),
    ] -%}
    {%- if table.get('history') is not none -%}
        {%- do models.extend([
            ('versions', 'history', debezium_spark._versions_text(config, table)),
            ('hist', 'history', debezium_spark._history_text(config, table)),
        ]) -%}
    {%- endif -%}
    {%- for layer, folder, text in models -%}
        {%- set path = (
            'models/' ~ folder ~ '/' ~ config['name'] ~ '/'
            ~ layer ~ '_' ~ config['name'] ~ '__' ~ table['model']
        ) -%}
        {%- for ending, content in [
            ('.sql', text),
            ('.yml', debezium_spark._properties_text([properties[layer]])),
        ] -%}
            {%- do files.append(debezium_spark._generated_file(
                path ~ ending, content, config['name'], table['name']
            )) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _table_properties(config, table) -%}
    {%- set name = table['name'] -%}
    {%- set facts = {
        'has_before': debezium_spark.has_complete_before(config, name),
        'always_has_before': debezium_spark.has_complete_before(config, name, always=true),
    } -%}
    {{- return(adapter.debezium().generate.table_properties(config, table, facts)) -}}
{%- endmacro -%}


{%- macro _staging_text(config, table) -%}
{%- set debezium = adapter.debezium() -%}
{{ debezium_spark._first_line('--', table['evidence']) }}
{{ '{{' }}
    config(materialized='debezium_append')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.staging(
        source={{ debezium.text.jinja_text(config['name']) }},
        raw=ref('raw_{{ config['name'] }}'),
        schemas=ref('catalog_{{ config['name'] }}__schemas'),
        topics={{ debezium.text.jinja_block(table['topics'], 8) }},
        table={{ debezium.text.jinja_text(table['name']) }},
        origins={{ debezium.text.jinja_lines(table['origins'], 8) }},
        key={{ debezium.text.jinja_lines(table['key'], 8) }},
        columns={{ debezium.text.jinja_lines(table['columns'], 8) }},
        {%- if table['former_keys'] %}
        former_keys={{ debezium.text.jinja_lines(table['former_keys'], 8) }},
        {%- endif %}
        {%- if table['is_shared_topic'] %}
        shared_topic=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _state_text(config, table) -%}
{{ debezium_spark._fold_text(
    config, table, 'state', "materialized='debezium_merge', unique_key='_cdc_key'"
) }}
{%- endmacro -%}


{#- A model that folds a table's staging by its key, with the macro `fold`. -#}
{%- macro _fold_text(config, table, fold, settings) -%}
{%- set debezium = adapter.debezium() -%}
{%- set key = table['key'] | map(attribute='name') | list -%}
{%- set staging = "ref('stg_" ~ config['name'] ~ '__' ~ table['model'] ~ "')" -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config({{ settings }})
{{ '}}' }}

{{ '{{' }}
    debezium_spark.{{ fold }}(
        source={{ debezium.text.jinja_text(config['name']) }},
        table={{ debezium.text.jinja_text(table['name']) }},
        staging={{ staging }},
        key={{ debezium.text.jinja_block(key, 8) }},
        columns=debezium_spark.table_columns({{ staging }}),
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _current_text(config, table) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.current(
        state=ref('state_{{ config['name'] }}__{{ table['model'] }}'),
        {%- if not table['key'] %}
        keyless=true,
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}
