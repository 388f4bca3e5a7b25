{#-
    CTE `rows`: the versions of the keys that were walked, from the boundaries (docs/history.md,
    columns), and the checkpoint, in a row that the view does not show.
-#}
{%- macro version_rows(columns, options, plan) -%}
rows as (

    select
        {{ debezium_spark.version_select(
            columns, options, debezium_spark.version_values(columns, options, plan)
        ) | indent(8) }}
    from boundaries as versions
    where makes_version
    {%- if plan.highest_batch is not none %}

    union all

    select
        {{ debezium_spark.version_select(columns, options, {
            '_cdc_key': "'!watermark'",
            '_cdc_scd_id': "'!watermark'",
            '_cdc_batch_id': 'cast(' ~ plan.highest_batch ~ ' as bigint)',
            '_cdc_marks': debezium_spark.text_literal(plan.checkpoint or '{}'),
        }) | indent(8) }}
    {%- endif %}

)
{%- endmacro -%}


{#- SQL by column of the rows of `versions`. -#}
{%- macro version_values(columns, options, plan) -%}
    {%- set values = {} -%}
    {%- for column in columns -%}
        {%- set name = debezium_spark.quote(column) -%}
        {%- do values.update({column: 'versions.left_row.`row`.' ~ name}) -%}
    {%- endfor -%}
    {%- set how = 'coalesce(versions.birth.how, versions.how)' -%}
    {%- set birth_key = 'coalesce(versions.birth.other_key, versions.other_key)' -%}
    {%- do values.update({
        '_cdc_key': 'versions.row_key',
        '_cdc_life': 'versions.life',
        '_cdc_version': 'versions.version',
        '_cdc_scd_id': "md5(concat_ws('|', versions.row_key, versions.incarnation,"
            ~ ' versions.event_id))',
        '_cdc_valid_from': 'versions.instant',
        '_cdc_source_at': 'versions.source_at',
        '_cdc_from_pos': 'versions.log_pos',
        '_cdc_from_event_id': 'versions.event_id',
        '_cdc_tx_id': 'versions.tx_id',
        '_cdc_began_by': how,
        '_cdc_from_is_exact': how ~ " != 'read'",
        '_cdc_previous_key': "if(" ~ how ~ " = 'key_change', " ~ birth_key ~ ", null)",
        '_cdc_unavailable': 'versions.left_row.still_unknown',
        '_cdc_is_current': 'versions.is_upsert and versions.next_step is null',
        '_cdc_valid_to': 'versions.next_step.instant',
        '_cdc_to_pos': debezium_spark._at_end('ending.log_pos', 'log_pos'),
        '_cdc_to_event_id': debezium_spark._at_end('ending.event_id', 'event_id'),
        '_cdc_to_tx_id': debezium_spark._at_end('ending.tx_id', 'tx_id'),
        '_cdc_ended_by': "case when versions.next_step.ends_row then versions.next_step.ending.how"
            ~ " when versions.next_step is not null then 'update' end",
        '_cdc_next_key': 'if(versions.next_step.ends_row,'
            ~ ' versions.next_step.ending.other_key, null)',
        '_cdc_batch_id': 'cast(' ~ (plan.highest_batch or 0) ~ ' as bigint)',
    }) -%}
    {{- return(dict(values, **debezium_spark.gap_values(options))) -}}
{%- endmacro -%}


{#- SQL: what ended a version: a step that ended its row, or the next version. -#}
{%- macro _at_end(of_ending, of_version) -%}
    {%- set next = 'versions.next_step.' -%}
    {{- return('if(' ~ next ~ 'ends_row, ' ~ next ~ of_ending ~ ', ' ~ next ~ of_version ~ ')') -}}
{%- endmacro -%}


{#- SQL by column of the gap behind a life: its end is the begin of the next. -#}
{%- macro gap_values(options) -%}
    {%- if not options.get('deleted_rows') -%}{{- return({}) -}}{%- endif -%}
    {%- set has_gap = 'versions.next_step.ends_row and not versions.next_step.makes_version' -%}
    {%- set values = {'_cdc_has_gap': 'coalesce(' ~ has_gap ~ ', false)'} -%}
    {%- for column, member in [
        ('_cdc_gap_to', 'instant'),
        ('_cdc_gap_to_pos', 'log_pos'),
        ('_cdc_gap_to_event_id', 'event_id'),
        ('_cdc_gap_to_tx_id', 'tx_id'),
        ('_cdc_gap_ended_by', 'how'),
    ] -%}
        {%- do values.update({
            column: 'case when ' ~ has_gap ~ ' then versions.later_step.' ~ member ~ ' end'
        }) -%}
    {%- endfor -%}
    {{- return(values) -}}
{%- endmacro -%}


{#- SELECT: what a MERGE has to write of the rows. -#}
{%- macro rows_to_write(staging, columns, options, plan, types) -%}
{%- set computed -%}
(
    select
        * except (_cdc_marks),
        {{ debezium_spark.version_marks(columns, options, types) | indent(8) }} as _cdc_marks
    from (
        {{ debezium_spark._kept_rows(options, plan) | indent(8) }}
    ) as kept_rows
)
{%- endset -%}
{%- if plan.watermark is not none -%}
    {{- return(debezium_spark.changed_versions(
        computed, debezium_spark._stored_of_touched_keys(staging, plan), columns, options
    )) -}}
{%- endif -%}
select
    'row' as _cdc_write,
    *
from {{ computed }} as computed
{%- endmacro -%}


{#-
    SQL for `_cdc_marks`: the checkpoint in its row, of a version a hash of all its columns, so that
    a run compares one column with the stored one. Hashes skip NULLs, hence the conditions. `types`:
    of columns, by name in lower case.
-#}
{%- macro version_marks(columns, options, types={}) -%}
    {%- set own = dict(debezium_spark.version_columns(), **debezium_spark.gap_columns(options)) -%}
    {%- set members = [] -%}
    {%- for column in columns + (own | list) -%}
        {%- set name = debezium_spark.quote(column) -%}
        {%- set type = own.get(column) or types.get(column | lower) -%}
        {%- do members.append(
            debezium_spark._hashable(name, type) ~ ', ' ~ name ~ ' is null'
        ) -%}
    {%- endfor -%}
coalesce(_cdc_marks, cast(xxhash64(
    {{ members | join(',\n    ') }}
) as string))
{%- endmacro -%}


{#- SQL: of lists, structs and maps, which can hide a NULL from a hash, their text. -#}
{%- macro _hashable(value, data_type) -%}
    {%- if '<' not in (data_type or '') -%}{{- return(value) -}}{%- endif -%}
    {{- return(
        'to_json(struct(' ~ debezium_spark._comparable(value, data_type) ~ ' as value), map('
        ~ "'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS',"
        ~ " 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))"
    ) -}}
{%- endmacro -%}


{#-
    SELECT: of the versions that were computed, those that differ from the stored ones (`row`), and
    the stored ones that are no versions any more (`gone`). `stored`: SELECT of all stored versions
    of the keys whose versions were computed.
-#}
{%- macro changed_versions(computed, stored, columns, options) -%}
select
    if(computed._cdc_scd_id is null, 'gone', 'row') as _cdc_write,
    {%- for column in debezium_spark.columns_of_versions(columns, options) %}
    {%- set name = debezium_spark.quote(column) %}
    {%- if column in ['_cdc_key', '_cdc_scd_id'] %}
    coalesce(computed.{{ name }}, known.{{ name }}) as {{ name }}
    {%- else %}
    computed.{{ name }}
    {%- endif %}
    {{- ',' if not loop.last }}
    {%- endfor %}
from {{ computed }} as computed
full outer join (
    {{ stored | indent(4) }}
) as known on computed._cdc_scd_id = known._cdc_scd_id
where
    computed._cdc_scd_id is null
    or known._cdc_scd_id is null
    or computed._cdc_marks is distinct from known._cdc_marks
{%- endmacro -%}


{%- macro _stored_of_touched_keys(staging, plan) -%}
{%- if plan.key_hashes is not none -%}
select _cdc_key, _cdc_scd_id, _cdc_marks
from {{ this }}
where
    {{ debezium_spark.has_key_hash('_cdc_key', plan.key_hashes) | indent(4) }}
    and _cdc_key not like '!%'
{%- else -%}
select {{ '/*+ broadcast(touched_keys) */' if plan.few_keys }} _cdc_key, _cdc_scd_id, _cdc_marks
from {{ this }}
left semi join (
    {{ debezium_spark.touched_keys(staging, plan) | indent(4) }}
) as touched_keys on _cdc_key = touched_keys.row_key
{%- endif -%}
{%- endmacro -%}


{#- SELECT: the rows without versions that `keep` has removed or would. -#}
{%- macro _kept_rows(options, plan) -%}
{%- if not options.get('keep') -%}{{- return('select * from rows') -}}{%- endif -%}
select
    *,
    coalesce(_cdc_valid_to < {{ debezium_spark.keep_from(plan) }}, false) as _cdc_is_expired
from rows
where
    _cdc_version is null
    or coalesce(
        {{ debezium_spark._last_of(options) }} >= {{ debezium_spark.keep_from(plan) }}, true
    )
{%- endmacro -%}
