{#- Columns of a version besides those of its table, with their types. -#}
{%- macro version_columns() -%}
    {{- return({
        '_cdc_key': 'string',
        '_cdc_life': 'int',
        '_cdc_version': 'int',
        '_cdc_scd_id': 'string',
        '_cdc_valid_from': 'timestamp',
        '_cdc_valid_to': 'timestamp',
        '_cdc_is_current': 'boolean',
        '_cdc_source_at': 'timestamp',
        '_cdc_from_pos': 'string',
        '_cdc_to_pos': 'string',
        '_cdc_from_event_id': 'string',
        '_cdc_to_event_id': 'string',
        '_cdc_tx_id': 'string',
        '_cdc_to_tx_id': 'string',
        '_cdc_began_by': 'string',
        '_cdc_ended_by': 'string',
        '_cdc_from_is_exact': 'boolean',
        '_cdc_previous_key': 'string',
        '_cdc_next_key': 'string',
        '_cdc_unavailable': 'array<string>',
    }) -}}
{%- endmacro -%}


{#- The gap behind a life, for `deleted_rows`. -#}
{%- macro gap_columns(options) -%}
    {%- if not options.get('deleted_rows') -%}{{- return({}) -}}{%- endif -%}
    {{- return({
        '_cdc_has_gap': 'boolean',
        '_cdc_gap_to': 'timestamp',
        '_cdc_gap_to_pos': 'string',
        '_cdc_gap_to_event_id': 'string',
        '_cdc_gap_to_tx_id': 'string',
        '_cdc_gap_ended_by': 'string',
    }) -}}
{%- endmacro -%}


{#- Names of all columns of the table of versions. -#}
{%- macro columns_of_versions(columns, options) -%}
    {%- set own = columns + (debezium_spark.version_columns() | list) -%}
    {%- set own = own + (debezium_spark.gap_columns(options) | list) -%}
    {%- set own = own + ['_cdc_marks', '_cdc_batch_id'] -%}
    {{- return(own + (['_cdc_is_expired'] if options.get('keep') else [])) -}}
{%- endmacro -%}


{#-
    SELECT list of a row of the history: each column from `values`, which names SQL, else NULL.
-#}
{%- macro version_select(columns, options, values) -%}
    {%- for column in columns %}
    {{ values.get(column, 'null') }} as {{ debezium_spark.quote(column) }},
    {%- endfor %}
    {%- set own = dict(
        debezium_spark.version_columns(),
        **dict(debezium_spark.gap_columns(options), _cdc_marks='string', _cdc_batch_id='bigint')
    ) %}
    {%- for name, type in own.items() %}
    {{ values.get(name, 'cast(null as ' ~ type ~ ')') }} as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro -%}
