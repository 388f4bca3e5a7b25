{#-
    SELECT: state rows as the first events of their walks, where the key's last event arrived; a `d`
    ends a life, an upsert carries values. Without need of values the image is a typed NULL, so that
    Spark reads no columns.
-#}
{%- macro state_as_event(columns, plan) -%}
select
    state._cdc_key as row_key,
    xxhash64(state._cdc_key) as key_hash,
    false as is_staged,
    {% if plan.state_image -%}
    {{ debezium_spark.image_struct(columns) }} as image,
    {%- else -%}
    if(false, {{ debezium_spark.image_struct(columns) }}, null) as image,
    {%- endif %}
    state._cdc_op as op,
    'state' as kind,
    state._cdc_fold_last_topic as topic,
    state._cdc_fold_last_incarnation as incarnation,
    state._cdc_fold_last_partition as `partition`,
    state._cdc_fold_last_offset as `offset`,
    state._cdc_fold_last_timestamp as `timestamp`,
    state._cdc_pos as pos,
    state._cdc_fold_mark as epoch_pos,
    state._cdc_fold_epoch_stream_pos as epoch_stream_pos,
    cast(null as string) as epoch_identity,
    {%- if plan.checks_repeats %}
    cast(null as string) as identity,
    cast(null as string) as run_id,
    {%- endif %}
    state._cdc_source_at as source_at,
    {%- if plan.state_image %}
    state._cdc_unavailable as unavailable,
    {%- else %}
    cast(null as array<string>) as unavailable,
    {%- endif %}
    cast(null as string) as old_key,
    state._cdc_batch_id as batch_id,
    {%- if plan.feed %}
    state._cdc_landed_at as landed_at,
    {%- endif %}
    {%- if plan.heads %}
    cast(null as string) as tx_id,
    cast(null as string) as tx,
    false as is_drop,
    {%- endif %}
    {{ debezium_spark.fold_of_state() | indent(4) }} as state_fold,
    cast(null as boolean) as was_delivered
    {%- if plan.heads %},
    {{ debezium_spark.version_head() | indent(4) }} as head
    {%- endif %}
from {{ this }} as state
left semi join touched_keys on state._cdc_key = touched_keys.row_key
{%- if plan.heads %}
where {{ debezium_spark.is_head('state.') }}
{%- endif %}
{%- endmacro -%}
