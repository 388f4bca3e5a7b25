{#-
    Read events again that kept members without a column (`_cdc_unmapped`) or values that did not
    decode (`_cdc_errors`), and those in `event_ids` (topic:partition:offset): one MERGE. Raw is
    read from the first of their batches on, and only their records are parsed.
-#}
{%- macro redecode_events(config, relation, arguments, event_ids=[]) -%}
    {%- set model_columns = (
        'array(' ~ debezium_spark.text_literals(arguments.columns | map(attribute='name')) ~ ')'
    ) -%}
    {%- set is_incomplete = (
        '(_cdc_errors is not null or arrays_overlap(map_keys(_cdc_unmapped), ' ~ model_columns ~ ')'
        ~ (
            ' or _cdc_event_id in (' ~ debezium_spark.text_literals(event_ids) ~ ')'
            if event_ids
            else ''
        )
        ~ ')'
    ) -%}
    {%- set incomplete_events = run_query(
        'select min(_cdc_batch_id), count(*) from ' ~ relation ~ ' where ' ~ is_incomplete
    ).rows[0] -%}
    {%- if incomplete_events[0] is none -%}{{- return(none) -}}{%- endif -%}
    {%- set incomplete_records -%}
(
    select records.*
    from {{ arguments.raw }} as records
    left semi join (
        select
            _cdc_topic,
            _cdc_partition,
            _cdc_offset,
            _cdc_batch_id
        from {{ relation }}
        where {{ is_incomplete }}
    ) as events
        on
            records.topic = events._cdc_topic
            and records.partition = events._cdc_partition
            and records.offset = events._cdc_offset
            and records._cdc_batch_id = events._cdc_batch_id
) as incomplete_records
    {%- endset -%}
    {%- set watermark = incomplete_events[0] | int - 1 -%}
    {%- set layouts = debezium_spark.record_layouts(config, arguments, watermark) -%}
    {%- set view = debezium_spark._source_view(
        debezium_spark.staging_sql(
            config,
            incomplete_records,
            arguments.topics,
            arguments.table,
            layouts.key,
            layouts.columns,
            arguments.shared_topic and arguments.schemas is none,
            watermark,
            layouts=layouts,
            origins=arguments.origins
        )
    ) -%}
    {%- do run_query(
        debezium_spark._merge_sql(
            relation,
            view.relation,
            view.columns,
            ['_cdc_topic', '_cdc_partition', '_cdc_offset', '_cdc_timestamp', '_cdc_batch_id'],
            inserts=false
        )
    ) -%}
    {%- do run_query('drop view if exists ' ~ view.relation) -%}
    {%- do log(this.identifier ~ ': read ' ~ incomplete_events[1] ~ ' events again', info=true) -%}
{%- endmacro -%}
