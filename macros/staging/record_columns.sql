{#-
    SQL: the raw records of some topics, with `_ignored`, the reason, where the option
    `ignore_records` names some: their keys and values are never parsed.
-#}
{%- macro readable_records(config, raw, topics) -%}
    {%- set staging = adapter.debezium().staging -%}
    {%- set records = staging.ignored_records(config, topics) -%}
    {%- if not records -%}{{- return(debezium_spark.as_envelopes(config, raw)) -}}{%- endif -%}
    {%- set sql -%}
(
        select
            * except (key, value),
            if(_ignored is null, key, null) as key,
            if(_ignored is null, value, null) as value
        from (select *,
                {{ staging.member_of_record(records, 'reason') }} as _ignored
            from {{ raw }}) as records_with_reasons
    ) as readable_records
    {%- endset -%}
    {{- return(debezium_spark.as_envelopes(config, sql)) -}}
{%- endmacro -%}


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


{#- The same columns, which the CTE after `records` hands on. -#}
{%- macro kept_record_columns(ignored_records) -%}
topic,
partition,
offset,
timestamp,
headers,
_cdc_batch_id,
_cdc_landed_at,
is_tombstone,
{%- if ignored_records %}
_ignored,
{%- endif %}
has_key,
value_hash,
_record_key,
{%- endmacro -%}


{#-
    SQL: a time of the envelope or of its source block, in microseconds since Debezium 2.6; also the
    text that a transform makes of one. NULL outside the years 1 to 9999: a larger number would stop
    the run, or whoever reads it in Python.
-#}
{%- macro event_time(block=none) -%}
    {%- set prefix = block ~ '.' if block else '' -%}
    {%- set times = [] -%}
    {%- for member, unit, second in [('ts_us', 'micros', 1000000), ('ts_ms', 'millis', 1000)] -%}
        {%- set number = 'try_cast(' ~ prefix ~ member ~ ' as bigint)' -%}
        {%- do times.append(
            'timestamp_' ~ unit ~ '(case when ' ~ number ~ ' between ' ~ (-62135596800 * second)
            ~ ' and ' ~ (253402300800 * second - 1) ~ ' then ' ~ number ~ ' end)'
        ) -%}
        {#- a number alone would be a year -#}
        {%- do times.append(
            'case when ' ~ prefix ~ member ~ " rlike '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]' "
            ~ 'then try_cast(' ~ prefix ~ member ~ ' as timestamp) end'
        ) -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ times | join(', ') ~ ')') -}}
{%- endmacro -%}


{#- SELECT list: both times of an event, for `delivery_columns` and `unreadable_members`. -#}
{%- macro event_times() -%}
{{ debezium_spark.event_time('source') }} as source_at,
{{ debezium_spark.event_time() }} as captured_at
{%- endmacro -%}


{#-
    Entries of `_cdc_errors` for members that no event needs and that cannot be read: [(SQL
    condition, SQL text)], over `event_times`.
-#}
{%- macro unreadable_members() -%}
    {%- set errors = [] -%}
    {%- for block, name in [('source', 'the source'), (none, 'the event')] -%}
        {%- set prefix = block ~ '.' if block else '' -%}
        {%- set text = 'coalesce(' ~ prefix ~ 'ts_us, ' ~ prefix ~ 'ts_ms)' -%}
        {%- do errors.append((
            '(' ~ text ~ ' is not null and ' ~ ('source_at' if block else 'captured_at')
            ~ ' is null)',
            "concat('the time of " ~ name ~ " is none: ', left(" ~ text ~ ', 100))',
        )) -%}
    {%- endfor -%}
    {%- for member in ['transaction.total_order', 'transaction.data_collection_order'] -%}
        {%- do errors.append((
            '(' ~ member ~ ' is not null and try_cast(' ~ member ~ ' as bigint) is null)',
            "concat('" ~ member ~ " is no number: ', left(" ~ member ~ ', 100))',
        )) -%}
    {%- endfor -%}
    {{- return(errors) -}}
{%- endmacro -%}


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
case
    when not is_tombstone
        {# a marker of ours: `horizon.sql` #}
        then if(source.snapshot like 'settled/%', 'false', coalesce(source.snapshot, 'false'))
end as _cdc_snapshot,
source_at as _cdc_source_at,
captured_at as _cdc_captured_at,
_cdc_landed_at,
_cdc_batch_id
{%- endmacro -%}
