{#- SQL: where a record lay, its transaction, and when it was made, captured and landed. -#}
{%- macro delivery_columns() -%}
topic as _cdc_topic,
partition as _cdc_partition,
offset as _cdc_offset,
timestamp as _cdc_timestamp,
concat_ws(':', topic, partition, offset) as _cdc_event_id,
transaction.id as _cdc_tx_id,
try_cast(transaction.total_order as bigint) as _cdc_tx_total_order,
try_cast(transaction.data_collection_order as bigint) as _cdc_tx_collection_order,
case when not is_tombstone then coalesce(source.snapshot, 'false') end as _cdc_snapshot,
source_at as _cdc_source_at,
captured_at as _cdc_captured_at,
_cdc_landed_at,
_cdc_batch_id
{%- endmacro -%}
