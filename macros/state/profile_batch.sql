{#-
    What the events above the watermark contain, by one query over narrow columns: highest batch, number of truncates, columns with
    unavailable values, creates that lack values, the partition when there is only one.
-#}
{%- macro profile_batch(staging, watermark) -%}
    {%- set query -%}
        select
            max(_cdc_batch_id) as highest,
            count_if(_cdc_op = 't') as truncates,
            to_json(array_sort(array_distinct(flatten(collect_list(_cdc_unavailable))))) as unavailable,
            count_if(_cdc_op = 'c' and _cdc_unavailable is not null) as partial_creates,
            min(case when _cdc_key is not null then _cdc_partition end) as lowest_partition,
            max(case when _cdc_key is not null then _cdc_partition end) as highest_partition
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
        'partition': row[4] | int if row[4] is not none else none,
    }) -}}
{%- endmacro -%}
