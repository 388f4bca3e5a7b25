{#-
    The file of a table's change feed and its properties, none without the option `feed`. Messages
    say why a table that asks for one has none (`generator/feed_properties.py`).
-#}
{%- macro feed_files(config, table) -%}
    {%- if not debezium_spark.has_feed(config, table['name']) -%}{{- return([]) -}}{%- endif -%}
    {%- set feed = adapter.debezium().generate.feed(config, table) -%}
    {%- if feed['message'] -%}{{- return([feed['message']]) -}}{%- endif -%}
    {%- set path = (
        'models/feed/' ~ config['name'] ~ '/all_' ~ config['name'] ~ '__' ~ table['model']
    ) -%}
    {%- set files = [] -%}
    {%- for ending, content in [
        ('.sql', debezium_spark._feed_text(config, table)),
        ('.yml', debezium_spark._properties_text([feed['properties']])),
    ] -%}
        {%- do files.append(debezium_spark._generated_file(
            path ~ ending, content, config['name'], table['name']
        )) -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _feed_text(config, table) -%}
{%- set debezium = adapter.debezium() -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.feed(
        source={{ debezium.text.jinja_text(config['name']) }},
        table={{ debezium.text.jinja_text(table['name']) }},
        state=ref('state_{{ config['name'] }}__{{ table['model'] }}'),
    )
{{ '}}' }}
{%- endmacro -%}
