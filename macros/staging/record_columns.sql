{#- Columns of a raw record that every staging table needs, first in its CTE `records`. -#}
{%- macro record_columns(ignored_records) -%}
topic,
partition,
offset,
timestamp,
key,
headers,
_cdc_batch_id,
_cdc_landed_at,
{{ '_ignored is null and ' if ignored_records }}
{{- debezium_spark.is_null_payload('value') }} as is_tombstone,
{%- if ignored_records %}
_ignored,
{%- endif %}
not {{ debezium_spark.is_null_payload('key') }} as has_key,
xxhash64(value) as value_hash,
key as _record_key,
{%- endmacro -%}
