{#- SELECT of `document_staging`, without the decision what to read. -#}
{%- macro document_staging_sql(
    config, raw, topics, table, shared_topic=false, watermark=none, origins=[], sharing={}
) -%}
{%- set is_shared = sharing or shared_topic -%}
{%- set ignored_records = debezium_spark.ignored_records(config, topics) -%}
{%- set position = debezium_spark.event_position(config) -%}
with

{{ debezium_spark.document_envelopes(config, raw, topics, ignored_records, watermark) }},

{{ debezium_spark.document_keys(config, table, origins, ignored_records, sharing, is_shared) }},

checked_records as (

    select
        *,
        {{ debezium_spark.event_times() | indent(8) }},
        {{ debezium_spark.document_record_error(
            config, ignored_records, table, origins, is_shared
        ) }} as _record_error
    from keys

)

select
    after,
    before,
    patch,
    `filter`,
    updateDescription as update_description,
    case when _record_error is null then if(is_tombstone, 'tombstone', op) end as _cdc_op,
    _cdc_key,
    {{ position.position }} as _cdc_pos,
    case
        {# a read is known by the bytes of its value; the time in front is for file statistics #}
        when op = 'r' then concat(lpad(coalesce(source.ts_ms, ''), 20, '0'), '/r/', value_hash)
        when op in ('c', 'u', 'd')
            then concat(
                lpad(coalesce(source.wallTime, source.ts_ms, ''), 20, '0'),
                '/',
                if(not {{ position.is_told }}, cast(value_hash as string), md5(
                    to_json(
                        struct(
                            source.ord,
                            source.tord,
                            source.lsid,
                            source.txnNumber,
                            transaction.total_order,
                            op,
                            {# of what it changes, not of an image looked up later #}
                            updateDescription,
                            case when updateDescription is null then after end as document,
                            patch
                        )
                    )
                ))
            )
    end as _cdc_identity,
    {{ debezium_spark.delivery_columns() | indent(4) }},
    {{ debezium_spark.header_value('headers', '__debezium.context.runId') }} as _cdc_run_id,
    {{ debezium_spark.document_errors() }} as _cdc_errors
from checked_records
{%- endmacro -%}
