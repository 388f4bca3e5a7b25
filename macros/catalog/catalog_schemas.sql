{#-
    Where each pair of embedded schemas was seen: one row per batch, topic, partition and pair.

    Records repeat their schema, so string functions cut it out and only its hash is grouped; one
    record of each new pair is parsed and its text stored once. The furthest position in the
    source's log decides which layout is current, not arrival, because connectors repeat themselves;
    the last record is kept too, as a later epoch may start lower.

    No row value is written, but definitions of the schema-change topic are kept whole. The source
    block alone shows whose a record is (`origin`), as transforms route tables into one topic.
    Staging quarantines events of an unknown op, so their layouts count for nothing (`unknown_op`).
-#}
{%- macro catalog_schemas(source, raw) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(raw)) -}}
    {%- endif -%}
    {{- return(adapter.dispatch('catalog_schemas', 'debezium_spark')(source, raw)) -}}
{%- endmacro -%}


{%- macro default__catalog_schemas(source, raw) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set property = debezium_spark._fingerprint_property() -%}
    {%- set fingerprint = adapter.debezium().text.short_hash(dict(
        {'version': 3, 'ignored': adapter.debezium().staging.ignored_records(config)},
        **adapter.debezium().staging.flattened_fingerprint(config)
    )) -%}
    {%- set inputs = debezium_spark.raw_inputs(raw) -%}
    {%- if inputs is not none -%}
        {%- do inputs.batches.pop(adapter.debezium().config.heartbeat_topic(config), none) -%}
    {%- endif -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- do debezium_spark.decide({'properties': {property: fingerprint}}) -%}
    {%- set watermark = none if should_full_refresh() else debezium_spark.batch_watermark(this) -%}
    {%- if watermark is not none and debezium_spark.is_running()
        and debezium_spark._property(debezium_spark._table(this), property) != fingerprint -%}
        {%- do log(
            this.identifier ~ ': built anew from the raw records, which it reads otherwise now',
            info=true
        ) -%}
        {%- do debezium_spark.decide({'replaces_table': true}) -%}
        {%- set watermark = none -%}
    {%- endif -%}
    {%- if watermark is none and debezium_spark.is_running() -%}
        {#- what records had that went -#}
        {%- set carried = debezium_spark.carried_rows(raw) -%}
        {%- if carried -%}
            {%- set watermark = carried.watermark -%}
            {%- do debezium_spark.decide({'carried': carried}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set raw_watermark = (
        debezium_spark.batch_watermark(raw) if watermark is not none else none
    ) -%}
    {%- if watermark is not none and raw_watermark is not none and raw_watermark <= watermark -%}
        {%- do debezium_spark.decide({'nothing_new': true}) -%}
    {%- endif -%}
    {%- do debezium_spark.decide({'watermark': watermark}) -%}
    {%- do adapter.debezium().run.work_on_few_rows(
        debezium_spark.reads_few_rows(raw, '_cdc_batch_id > ' ~ (watermark or 0))
    ) -%}
with

{{ debezium_spark._schema_sightings(
    config, debezium_spark.landed_records(raw, inputs), watermark
) }},

{{ debezium_spark._schema_samples(config, watermark) }}

select
    sightings.topic,
    sightings.partition,
    sightings.key_hash,
    sightings.value_hash,
    sightings.origin_hash,
    sightings.origin,
    sightings.first.offset as first_offset,
    sightings.last.offset as last_offset,
    sightings.first_timestamp,
    sightings.last.timestamp as last_timestamp,
    sightings.is_snapshot,
    sightings.lowest_position,
    sightings.highest.position as highest_position,
    sightings.highest.timestamp as highest_timestamp,
    sightings.highest.offset as highest_offset,
    sightings.last.position as last_position,
    classified_samples.kind,
    classified_samples.key_schema,
    classified_samples.value_schema,
    classified_samples.key_fields,
    classified_samples.value_fields,
    classified_samples.source_block,
    case
        when classified_samples.kind = 'schema_change' then classified_samples.value_payload
    end as definition,
    sightings.has_doubtful_key,
    sightings._cdc_batch_id
from sightings
left join classified_samples
    on
        sightings.topic = classified_samples.topic
        and sightings.partition = classified_samples.partition
        and sightings.key_hash = classified_samples.key_hash
        and sightings.value_hash = classified_samples.value_hash
        and sightings.origin_hash = classified_samples.origin_hash
{%- endmacro -%}
