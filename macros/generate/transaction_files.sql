{#-
    The files of a source's transactions and cut, and of the views that read histories there; none
    without `provide_transaction_metadata` (`generator/transaction_models.py`). `tables` and
    `kept_tables`: of all sources.
-#}
{%- macro transaction_files(config, tables, kept_tables) -%}
    {%- if not config.get('provide_transaction_metadata', false) -%}{{- return([]) -}}{%- endif -%}
    {%- set models = adapter.debezium().generate.transaction_models(config, tables, kept_tables) -%}
    {%- set folder = 'models/transactions/' ~ config['name'] ~ '/' -%}
    {%- set files = models.messages | list -%}
    {%- for path, content in [
        ('transactions_' ~ config['name'] ~ '.sql',
            debezium_spark._transactions_text(config, models)),
        ('transactions_' ~ config['name'] ~ '.yml',
            debezium_spark._properties_text([models.transactions])),
        ('cut_' ~ config['name'] ~ '.sql', debezium_spark._cut_text(config, models)),
        ('cut_' ~ config['name'] ~ '.yml', debezium_spark._properties_text([models.cut])),
    ] -%}
        {%- do files.append(
            debezium_spark._generated_file(folder ~ path, content, config['name'])
        ) -%}
    {%- endfor -%}
    {%- for view in models.rows_at_cut -%}
        {%- set path = (
            'models/asof/' ~ config['name'] ~ '/asof_' ~ config['name'] ~ '__' ~ view.model
        ) -%}
        {%- for ending, content in [
            ('.sql', debezium_spark._rows_at_cut_text(config, view)),
            ('.yml', debezium_spark._properties_text([view.properties])),
        ] -%}
            {%- do files.append(debezium_spark._generated_file(
                path ~ ending, content, config['name'], view.table
            )) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(files) -}}
{%- endmacro -%}


{%- macro _transactions_text(config, models) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_merge', unique_key='_cdc_key')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.transactions(
        source={{ adapter.debezium().text.jinja_text(config['name']) }},
        raw=ref('raw_{{ config['name'] }}'),
        stagings=[
            {%- for entry in models.stagings %}
            {{ entry }}
            {%- endfor %}
        ],
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _cut_text(config, models) -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_merge', unique_key='_cdc_key')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.cut(
        source={{ adapter.debezium().text.jinja_text(config['name']) }},
        transactions=ref('transactions_{{ config['name'] }}'),
        after=[
            {%- for entry in models.after %}
            {{ entry }}
            {%- endfor %}
        ],
        {%- if models.histories %}
        histories=[
            {%- for entry in models.histories %}
            {{ entry }}
            {%- endfor %}
        ],
        {%- endif %}
    )
{{ '}}' }}
{%- endmacro -%}


{%- macro _rows_at_cut_text(config, view) -%}
{%- set debezium = adapter.debezium() -%}
{{ debezium_spark._first_line('--') }}
{{ '{{' }}
    config(materialized='debezium_view')
{{ '}}' }}

{{ '{{' }}
    debezium_spark.rows_at_cut(
        source={{ debezium.text.jinja_text(config['name']) }},
        table={{ debezium.text.jinja_text(view.table) }},
        history=ref('hist_{{ config['name'] }}__{{ view.model }}'),
        cut=ref('cut_{{ config['name'] }}'),
        key={{ debezium.text.jinja_block(view.key, 8) }},
    )
{{ '}}' }}
{%- endmacro -%}
