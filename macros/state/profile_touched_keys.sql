{#-
    How the batch meets the state, by one join with narrow columns of the touched rows. Numbers of
    keys:

    * `late`: with an event before the last one folded, or in another partition,
    * `without_winner`: whose new events may all be repeats or tombstones,
    * `below`: with a read, or a change that does not lie behind what was folded,
    * `with_deleting_tombstone`: before which deliveries do not count,
    * `with_origins`: that may take values from other keys, or give some;
    * `repeat_candidates`: which events may repeat earlier ones (`repeat_condition`), or none.
-#}
{%- macro profile_touched_keys(config, staging, watermark, has_origins, heads=false) -%}
    {%- set identity = debezium_spark.without_epoch('e.epoch_identity') -%}
    {%- set query -%}
        with

        {{ debezium_spark.batch_and_state(config, staging, watermark, heads) | indent(8) }}
        {%- if has_origins %},

        origins as (

            {{ debezium_spark.origin_keys(staging) | indent(12) }}

        )
        {%- endif %}

        select
            count_if({{ debezium_spark.is_late_arrival() | indent(12) }}) as late,
            count_if(_cdc_key is not null and not has_winner) as without_winner,
            min(array_min(transform(known_changes, e -> {{ identity }}))) as lowest_identity,
            max(array_max(transform(known_changes, e -> {{ identity }}))) as highest_identity,
            coalesce(sum(case when _cdc_key is not null then reads end), 0) as touched_reads,
            min(case when _cdc_key is not null then unix_micros(earliest_read) end) as earliest,
            max(case when _cdc_key is not null then unix_micros(latest_read) end) as latest,
            count_if(
                _cdc_fold_was_emptied and (reads > 0 or size(known_changes) > 0)
            ) as with_deleting_tombstone,
            {%- if has_origins %}
            (select count(*) from keys
                left semi join origins on keys.row_key = origins.row_key) as with_origins,
            {%- else %}
            0 as with_origins,
            {%- endif %}
            count_if({{ debezium_spark._is_below() | indent(12) }}) as below
        from touched_keys
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {%- set repeat_candidates = {
        'has_reads': row[4] | int > 0,
        'identities': [row[2], row[3]] if row[2] is not none else none,
        'reads': [row[5] | int, row[6] | int] if row[5] is not none else [],
    } -%}
    {{- return({
        'late': row[0] | int,
        'without_winner': row[1] | int,
        'repeat_candidates': (
            repeat_candidates if repeat_candidates.identities or row[4] | int > 0 else none
        ),
        'with_deleting_tombstone': row[7] | int,
        'with_origins': row[8] | int,
        'below': row[9] | int,
    }) -}}
{%- endmacro -%}


{#- CTEs `keys` of the batch, `state_rows` that they touch, and `touched_keys`, both together. -#}
{%- macro batch_and_state(config, staging, watermark, heads=false) -%}
events as (

    {{ debezium_spark.fold_events(
        config, staging, [],
        debezium_spark.is_row_event() ~ ' and _cdc_batch_id > ' ~ watermark,
        with_image=false,
    ) }}

),

keys as (

    select
        row_key,
        {{ debezium_spark.first_arrivals() | indent(8) }},
        count_if(op = 'r') as reads,
        min(case when op = 'r' then source_at end) as earliest_read,
        max(case when op = 'r' then source_at end) as latest_read,
        min(case when kind = 'stream' then epoch_pos end) as lowest_pos,
        min(case when kind = 'stream' then epoch_identity end) as lowest_identity,
        collect_list(case when kind = 'stream' then struct(epoch_pos, epoch_identity) end)
            as changes
    from events
    group by row_key

),

state_rows as (

    select
        _cdc_key,
        _cdc_fold_mark,
        _cdc_fold_highest,
        _cdc_fold_was_emptied,
        _cdc_fold_is_moved,
        _cdc_fold_last_incarnation,
        _cdc_fold_last_timestamp,
        _cdc_fold_last_topic,
        _cdc_fold_last_partition,
        _cdc_fold_last_offset
    from {{ this }}
    left semi join keys on {{ this }}._cdc_key = keys.row_key
    {%- if heads %}
    where {{ debezium_spark.is_head() }}
    {%- endif %}

),

touched_keys as (

    select
        *,
        filter(
            keys.changes, e -> e.epoch_identity <= state_rows._cdc_fold_highest
        ) as known_changes,
        exists(
            keys.changes,
            e -> coalesce(e.epoch_identity > state_rows._cdc_fold_highest, true)
                and coalesce(e.epoch_pos >= state_rows._cdc_fold_mark, true)
        ) as has_winner
    from keys
    left join state_rows on keys.row_key = state_rows._cdc_key

)
{%- endmacro -%}


{%- macro _is_below() -%}
_cdc_key is not null
and (
    reads > 0
    or coalesce(_cdc_fold_is_moved, false)
    or coalesce(lowest_pos < _cdc_fold_mark, false)
    or coalesce(lowest_identity <= _cdc_fold_highest, false)
)
{%- endmacro -%}
