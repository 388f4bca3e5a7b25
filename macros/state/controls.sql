{#-
    Mark the rows that a truncate or a snapshot of this batch removes or, as the first delivery of a
    truncate can land late, brings back. Before the batch is folded: an interrupted run does it
    again. Rows of keys that the batch folds are written behind it.
-#}
{%- macro mark_rows(config, staging, plan) -%}
{%- set members, full_read = [], [] -%}
{%- for name in ['topic', 'incarnation', 'partition', 'offset', 'timestamp'] -%}
    {%- do members.append('_cdc_fold_' ~ name ~ ' as `' ~ name ~ '`') -%}
    {%- do full_read.append('_cdc_fold_full_read_' ~ name ~ ' as `' ~ name ~ '`') -%}
{%- endfor -%}
{%- for name in ['kind', 'epoch_pos', 'epoch_stream_pos'] -%}
    {%- do members.append('_cdc_fold_' ~ name ~ ' as `' ~ name ~ '`') -%}
{%- endfor -%}
with

{{ debezium_spark.ends_of_rows(config, staging, plan) }}

marked as (

    select
        _cdc_key,
        _cdc_is_deleted as was_deleted,
        {{ debezium_spark.is_ended(plan, '_cdc_op', 'winner', 'full_read') | indent(8) }}
            as _cdc_is_deleted
    from (
        select
            _cdc_key,
            _cdc_op,
            _cdc_is_deleted,
            struct({{ members | join(', ') }}) as winner,
            struct({{ full_read | join(', ') }}) as full_read
        from {{ this }}
        where _cdc_key not like '!%'
    ) as state
    {{- debezium_spark.join_ends(plan) }}

)

select
    _cdc_key,
    _cdc_is_deleted
from marked
where _cdc_is_deleted != was_deleted
{%- endmacro -%}


{#- CTEs `truncates` and `closings`, one row each, as far as the plan has them. -#}
{%- macro ends_of_rows(config, staging, plan) -%}
{%- if plan.truncates %}

truncates as (

    {{ debezium_spark.known_truncates(config, staging, plan) | indent(4) }}

),
{%- endif %}
{%- if plan.closes %}

closings as (

    {{ debezium_spark.complete_snapshots(
        debezium_spark.known_snapshots(config, staging, plan)
    ) | indent(4) }}

),
{%- endif %}
{%- endmacro -%}


{%- macro join_ends(plan) %}
    {%- if plan.truncates %}
    cross join truncates
    {%- endif %}
    {%- if plan.closes %}
    cross join closings
    {%- endif %}
{%- endmacro -%}


{#- SQL: a winner leaves no row, or one of them ended it (`full_read`: see `is_truncated`). -#}
{%- macro is_ended(plan, op, winner, full_read) -%}
{{ op }} in ('d', 'tombstone')
{%- if plan.truncates %}
or {{ debezium_spark.is_truncated(winner, full_read) }}
{%- endif %}
{%- if plan.closes %}
or {{ debezium_spark.is_closed(winner) }}
{%- endif %}
{%- endmacro -%}


{#-
    SELECT of the control rows of a batch: the checkpoint, its truncates, and its snapshots. `!`
    sorts below every canonical key, so that file statistics find them, and they count as deleted,
    so that `cur_` never shows them. `merged`: with the column that only a MERGE reads.
-#}
{%- macro control_rows(config, staging, columns, plan, merged=false) -%}
{{ debezium_spark._control_row(columns, merged, {
    '_cdc_key': "'!watermark'",
    '_cdc_batch_id': 'cast(' ~ plan.highest_batch ~ ' as bigint)',
    '_cdc_marks': debezium_spark.text_literal(plan.checkpoint),
}) }}
{%- if plan.new_truncates %}

union all

{{ debezium_spark._control_row(columns, merged, {
    '_cdc_key': "concat_ws(':', '!truncate', topic, incarnation, `partition`, `offset`)",
    '_cdc_batch_id': 'batch_id',
    '_cdc_landed_at': 'landed_at',
    '_cdc_op': "'t'",
    '_cdc_source_at': 'source_at',
}, {
    'topic': 'topic',
    'incarnation': 'incarnation',
    'partition': '`partition`',
    'offset': '`offset`',
    'timestamp': '`timestamp`',
    'kind': "'truncate'",
    'epoch_pos': 'epoch_pos',
    'epoch_stream_pos': 'epoch_stream_pos',
    'highest': 'epoch_identity',
}) }}
from (
    {{ debezium_spark.staged_truncates(config, staging, plan.watermark) | indent(4) }}
) as staged_truncates
{%- endif %}
{%- if plan.closes %}

union all

{{ debezium_spark._control_row(columns, merged, {
    '_cdc_key': "concat_ws(':', '!snapshot', topic, incarnation, `partition`, `offset`, batch_id,"
        ~ ' epoch_stream_pos, run_id)',
    '_cdc_batch_id': 'batch_id',
    '_cdc_landed_at': 'landed_at',
    '_cdc_source_at': 'source_at',
    '_cdc_marks': 'to_json(struct(run_id, has_last))',
}, {
    'topic': 'topic',
    'incarnation': 'incarnation',
    'partition': '`partition`',
    'offset': '`offset`',
    'timestamp': '`timestamp`',
    'kind': "'snapshot'",
    'epoch_stream_pos': 'epoch_stream_pos',
}) }}
from (
    {{ debezium_spark.staged_snapshots(config, staging, plan.watermark) | indent(4) }}
) as staged_snapshots
{%- endif %}
{%- endmacro -%}


{%- macro _control_row(columns, merged, values, members={}) -%}
select
    {{ values['_cdc_key'] }} as _cdc_key,
    {{ values['_cdc_batch_id'] }} as _cdc_batch_id,
    {{ values.get('_cdc_landed_at', 'cast(null as timestamp)') }} as _cdc_landed_at,
    {%- for column in columns %}
    null as {{ debezium_spark.quote(column) }},
    {%- endfor %}
    {{ values.get('_cdc_op', 'cast(null as string)') }} as _cdc_op,
    true as _cdc_is_deleted,
    cast(null as string) as _cdc_pos,
    {{ values.get('_cdc_source_at', 'cast(null as timestamp)') }} as _cdc_source_at,
    cast(null as array<string>) as _cdc_unavailable,
    {{ debezium_spark.state_columns(members) | indent(4) }},
    {{ values.get('_cdc_marks', 'cast(null as string)') }} as _cdc_marks
    {%- if merged %},
    true as _cdc_goes_on
    {%- endif %}
{%- endmacro -%}
