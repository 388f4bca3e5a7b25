{#-
    Read those staged events again that kept something the model had no place for: members of the
    row that it had no column for (`_cdc_unmapped`) and values that its types could not take
    (`_cdc_errors`); and those that `also` names, as topic:partition:offset. One MERGE; the other
    events are not touched.

    The raw records are read from the first of these events on, and only theirs are parsed.
-#}
{%- macro read_again(config, relation, given, also=[]) -%}
    {%- set known = (
        'array(' ~ debezium_spark.text_literals(given.columns | map(attribute='name')) ~ ')'
    ) -%}
    {%- set is_unread = (
        '(_cdc_errors is not null or arrays_overlap(map_keys(_cdc_unmapped), ' ~ known ~ ')'
        ~ (' or _cdc_event_id in (' ~ debezium_spark.text_literals(also) ~ ')' if also else '')
        ~ ')'
    ) -%}
    {%- set found = run_query(
        'select min(_cdc_batch_id), count(*) from ' ~ relation ~ ' where ' ~ is_unread
    ).rows[0] -%}
    {%- if found[0] is none -%}{{- return(none) -}}{%- endif -%}
    {%- set unread_records -%}
(
    select records.*
    from {{ given.raw }} as records
    left semi join (
        select
            _cdc_topic,
            _cdc_partition,
            _cdc_offset,
            _cdc_batch_id
        from {{ relation }}
        where {{ is_unread }}
    ) as events
        on
            records.topic = events._cdc_topic
            and records.partition = events._cdc_partition
            and records.offset = events._cdc_offset
            and records._cdc_batch_id = events._cdc_batch_id
) as unread_records
    {%- endset -%}
    {%- set watermark = found[0] | int - 1 -%}
    {%- set told = debezium_spark.record_layouts(config, given, watermark) -%}
    {%- set view = debezium_spark._source_view(
        debezium_spark.staging_sql(
            config,
            unread_records,
            given.topics,
            given.table,
            told.key,
            told.columns,
            given.shared_topic and given.schemas is none,
            watermark,
            recorded=told,
            origins=given.origins
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
    {%- do log(this.identifier ~ ': read ' ~ found[1] ~ ' events again', info=true) -%}
{%- endmacro -%}
