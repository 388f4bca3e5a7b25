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


{#- What a later step can change of a version, besides the values of columns that do not count. -#}
{%- macro closing_columns(options) -%}
    {%- set names = [
        '_cdc_valid_to',
        '_cdc_is_current',
        '_cdc_to_pos',
        '_cdc_to_event_id',
        '_cdc_to_tx_id',
        '_cdc_ended_by',
        '_cdc_next_key',
    ] -%}
    {{- return(names + debezium_spark.gap_columns(options) | list) -}}
{%- endmacro -%}


{#-
    What only the last version of a key holds, and control rows: where its walk goes on.
    `_cdc_last_tx`: the transaction of the key's last step; `*`: the last version does not hold the
    values of the last upsert, so the log must be read.
-#}
{%- macro head_columns() -%}
    {%- set columns = {'_cdc_op': 'string', '_cdc_pos': 'string', '_cdc_last_tx': 'string'} -%}
    {%- for name, type in debezium_spark.fold_members().items() -%}
        {%- do columns.update({'_cdc_fold_' ~ name: type}) -%}
    {%- endfor -%}
    {%- do columns.update({'_cdc_marks': 'string', '_cdc_batch_id': 'bigint'}) -%}
    {{- return(columns) -}}
{%- endmacro -%}


{#-
    SELECT list of a row of the history: each column from `values`, which names SQL, else NULL. Its
    first column says how a MERGE writes it (`_merge_versions_sql`).
-#}
{%- macro version_select(columns, options, values, write) -%}
{{ write }} as _cdc_write,
    {%- for column in columns %}
    {{ values.get(column, 'null') }} as {{ debezium_spark.quote(column) }},
    {%- endfor %}
    {%- set own = dict(
        debezium_spark.version_columns(),
        **dict(debezium_spark.gap_columns(options), **debezium_spark.head_columns())
    ) %}
    {%- for name, type in own.items() %}
    {{ values.get(name, 'cast(null as ' ~ type ~ ')') }} as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro -%}
