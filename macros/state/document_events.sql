{#- SELECT: the events that a document's walk takes; `versions`: for a history. -#}
{%- macro document_events(
    config, staging, condition, with_texts=true, feed=false, versions=false
) -%}
{%- set epoch = "lpad(cast(" ~ debezium_spark.event_epoch(config) ~ " as string), 6, '0')" -%}
select
    _cdc_key as row_key,
    true as is_staged,
    _cdc_op as op,
    {{ debezium_spark.event_kind() | indent(4) }} as kind,
    _cdc_topic as topic,
    {{ debezium_spark.event_incarnation(config) }} as incarnation,
    _cdc_partition as `partition`,
    _cdc_offset as `offset`,
    _cdc_timestamp as `timestamp`,
    _cdc_pos as pos,
    concat({{ epoch }}, '/', _cdc_pos) as position,
    case
        when _cdc_op = 'r' then _cdc_identity
        else concat({{ epoch }}, '/', _cdc_identity)
    end as identity,
    _cdc_run_id as run_id,
    _cdc_event_id as event_id,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id
    {%- if feed %},
    _cdc_landed_at as landed_at,
    cast(null as timestamp) as deleted_at
    {%- endif %}
    {%- if versions %},
    _cdc_tx_id as tx_id,
    {{ debezium_spark.event_transaction(config) | indent(4) }} as tx
    {%- endif %}
    {%- if with_texts %},
    after,
    before,
    patch,
    update_description,
    cast(null as string) as last_op,
    cast(null as timestamp) as tombstone_at,
    cast(null as boolean) as is_incomplete,
    cast(null as bigint) as replays,
    cast(null as bigint) as unexplained,
    cast(null as string) as first_unexplained,
    false as was_moved
    {%- if versions %},
    cast(null as {{ debezium_spark.document_head_type() }}) as head
    {%- endif %}
    {%- endif %}
from {{ staging }}
where {{ condition }}
{%- endmacro -%}


{%- macro _state_documents(state, except_refolded, feed=false, versions=false) -%}
select
    _cdc_key as row_key,
    false as is_staged,
    _cdc_op as op,
    'state' as kind,
    _cdc_fold_last_topic as topic,
    _cdc_fold_last_incarnation as incarnation,
    _cdc_fold_last_partition as `partition`,
    _cdc_fold_last_offset as `offset`,
    _cdc_fold_last_timestamp as `timestamp`,
    _cdc_pos as pos,
    _cdc_fold_mark as position,
    cast(null as string) as identity,
    cast(null as string) as run_id,
    cast(null as string) as event_id,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    {%- if feed %}
    _cdc_landed_at as landed_at,
    _cdc_deleted_at as deleted_at,
    {%- endif %}
    {%- if versions %}
    cast(null as string) as tx_id,
    cast(null as string) as tx,
    {%- endif %}
    document as after,
    cast(null as string) as before,
    cast(null as string) as patch,
    cast(null as string) as update_description,
    _cdc_fold_last_op as last_op,
    _cdc_fold_tombstone_at as tombstone_at,
    coalesce(array_contains(_cdc_unavailable, 'document'), false) as is_incomplete,
    _cdc_fold_replays as replays,
    _cdc_fold_unexplained as unexplained,
    _cdc_fold_first_unexplained as first_unexplained,
    _cdc_fold_is_moved as was_moved
    {%- if versions %},
    head
    {%- endif %}
from {{ state }}
left semi join new_keys on {{ state }}._cdc_key = new_keys.row_key
{%- if except_refolded %}
left anti join refolded_keys on {{ state }}._cdc_key = refolded_keys.row_key
{%- endif %}
{%- endmacro -%}
