{#-
    The history of a MongoDB collection, whose documents are walked in Python
    (`src/dbt_debezium_spark/mongodb/document_versions.py`): its columns and its SQL.
-#}


{#- Columns of the fold that only the last version of a document holds, with their types. -#}
{%- macro document_head_columns() -%}
    {{- return({
        '_cdc_op': 'string',
        '_cdc_pos': 'string',
        '_cdc_last_tx': 'string',
        '_cdc_fold_mark': 'string',
        '_cdc_fold_last_incarnation': 'int',
        '_cdc_fold_last_topic': 'string',
        '_cdc_fold_last_partition': 'int',
        '_cdc_fold_last_offset': 'bigint',
        '_cdc_fold_last_timestamp': 'timestamp',
        '_cdc_fold_last_op': 'string',
        '_cdc_fold_tombstone_at': 'timestamp',
        '_cdc_fold_is_moved': 'boolean',
        '_cdc_fold_replays': 'bigint',
        '_cdc_fold_unexplained': 'bigint',
        '_cdc_fold_first_unexplained': 'string',
        '_cdc_marks': 'string',
        '_cdc_batch_id': 'bigint',
    }) -}}
{%- endmacro -%}


{#- SELECT: the heads of a history, as the fold of documents reads a state. -#}
{%- macro document_heads(versions, options) -%}
{%- set gaps = debezium_spark.gap_columns(options) -%}
select
    * except (document),
    case when _cdc_is_current then document end as document,
    named_struct(
        {%- for name, type in debezium_spark.document_head_members().items() %}
        {%- set column = '_cdc_' ~ name %}
        {%- if (column.startswith('_cdc_gap') or column == '_cdc_has_gap') and column not in gaps %}
        '{{ name }}', cast(null as {{ type }})
        {%- else %}
        '{{ name }}', {{ column }}
        {%- endif %}
        {{- ',' if not loop.last }}
        {%- endfor %}
    ) as head
from {{ versions }}
where {{ debezium_spark.is_head() }}
{%- endmacro -%}


{#- Columns of the table of versions: (name, type), in their order; `fields`: of the model. -#}
{%- macro document_version_columns(fields, options) -%}
    {%- set columns = [('_id', 'string'), ('document', 'string')] -%}
    {%- for field in fields -%}
        {%- do columns.append(
            (field.name, 'string' if field.type == 'json' else field.type)
        ) -%}
    {%- endfor -%}
    {%- for part in [
        debezium_spark.version_columns(),
        debezium_spark.gap_columns(options),
        debezium_spark.document_head_columns(),
    ] -%}
        {%- for name, type in part.items() -%}{%- do columns.append((name, type)) -%}{%- endfor -%}
    {%- endfor -%}
    {{- return(columns) -}}
{%- endmacro -%}


{#-
    SELECTs of the rows that a MERGE writes, from the view `kept_versions`. Documents of the view
    `refolded_keys` have all their versions there: of these, only the ones that differ are written
    (`changed`), and what is no version any more goes (`gone`).
-#}
{%- macro document_versions_to_write(versions, columns, options) -%}
    {%- set own = (debezium_spark.version_columns() | list)
        + (debezium_spark.gap_columns(options) | list) -%}
    {%- set changed -%}
select computed.*
from kept_versions as computed
left join refolded_keys on computed._cdc_key = refolded_keys.row_key
left join {{ versions }} as known on computed._cdc_scd_id = known._cdc_scd_id
where
    refolded_keys.row_key is null
    or known._cdc_scd_id is null
    or computed._cdc_op is not null
    or known._cdc_op is not null
    or not (
        {%- for name in columns + own %}
        {{ 'and ' if not loop.first }}computed.{{ debezium_spark.quote(name) }}
        <=> known.{{ debezium_spark.quote(name) }}
        {%- endfor %}
    )
    {%- endset -%}
    {%- set gone -%}
select
    'gone' as _cdc_write,
    known._cdc_key,
    known._cdc_scd_id
from {{ versions }} as known
left semi join refolded_keys on known._cdc_key = refolded_keys.row_key
left anti join kept_versions on known._cdc_scd_id = kept_versions._cdc_scd_id
where known._cdc_version is not null
    {%- endset -%}
    {{- return({'changed': changed, 'gone': gone}) -}}
{%- endmacro -%}
