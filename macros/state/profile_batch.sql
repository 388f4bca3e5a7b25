{#-
    What the events above the watermark contain, by one query over narrow columns: highest batch, number of truncates, columns with
    unavailable values, creates that lack values, topic and partition when there is only one, number of reads of full snapshots, and number
    of changes without a position.
-#}
{%- macro profile_batch(staging, watermark) -%}
    {%- set query -%}
        select
            max(_cdc_batch_id) as highest,
            count_if(_cdc_op = 't') as truncates,
            to_json(array_sort(array_distinct(flatten(collect_list(_cdc_unavailable))))) as unavailable,
            count_if(_cdc_op = 'c' and _cdc_unavailable is not null) as partial_creates,
            min(case when _cdc_key is not null then concat_ws(':', _cdc_topic, _cdc_partition) end) as lowest_partition,
            max(case when _cdc_key is not null then concat_ws(':', _cdc_topic, _cdc_partition) end) as highest_partition,
            count_if(_cdc_op in ('c', 'u', 'd') and _cdc_pos is null) as without_position,
            count_if(_cdc_op = 'r' and _cdc_snapshot != 'incremental') as full_reads
        from {{ staging }}
        {%- if watermark is not none %}
        where _cdc_batch_id > {{ watermark }}
        {%- endif %}
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{- return({
        'highest': row[0] | int if row[0] is not none else none,
        'truncates': row[1] | int,
        'unavailable': fromjson(row[2]) if row[2] else [],
        'partial_creates': row[3] | int,
        'several_partitions': row[4] != row[5],
        'partition': row[4],
        'without_position': row[6] | int,
        'full_reads': row[7] | int,
    }) -}}
{%- endmacro -%}
