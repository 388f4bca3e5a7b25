{#-
    How the new events meet the state, by one join of the batch with the narrow columns of the touched rows:

    * `late`: keys with an event that arrived before the last one folded, or in another partition: their order changes,
    * `without_winner`: keys whose new events may all be replays or tombstones, so that the state row stays the winner,
    * `replayed_between`: lowest and highest position of events that are not above their key's mark, or none,
    * `with_origins`: keys that took values from another key, or gave some.
-#}
{%- macro profile_touched_keys(config, staging, watermark, has_origins) -%}
    {%- set query -%}
        with events as (

            {{ debezium_spark.fold_events(
                config, staging, [],
                debezium_spark.is_row_event() ~ ' and _cdc_batch_id > ' ~ watermark,
                with_image=false,
            ) }}

        ),

        keys as (

            select
                row_key,
                min(struct(incarnation, `offset`)) as first_offset,
                min(struct(incarnation, `timestamp`, `partition`, `offset`)) as first_moved,
                min(`partition`) as lowest_partition,
                max(`partition`) as highest_partition,
                count_if(kind in ('full', 'incremental') or (kind = 'stream' and epoch_pos is null)) as always_applied,
                max(case when kind = 'stream' then epoch_pos end) as highest_pos,
                collect_list(case when kind = 'stream' then struct(epoch_pos, pos) end) as positions
            from events
            group by row_key

        ),

        touched as (

            select
                _cdc_key,
                _cdc_fold_mark,
                _cdc_fold_is_moved,
                _cdc_fold_last_incarnation,
                _cdc_fold_last_timestamp,
                _cdc_fold_last_partition,
                _cdc_fold_last_offset
            from {{ this }}
            left semi join keys on {{ this }}._cdc_key = keys.row_key

        )
        {%- if has_origins %},

        origins as (

            select _cdc_key as row_key
            from {{ this }}
            where _cdc_fold_origins is not null
            union
            select explode(_cdc_fold_origins) as row_key
            from {{ this }}
            where _cdc_fold_origins is not null

        )
        {%- endif %}

        select
            count_if(
                case
                    when touched._cdc_fold_is_moved
                        then keys.first_moved <= struct(
                            touched._cdc_fold_last_incarnation, touched._cdc_fold_last_timestamp,
                            touched._cdc_fold_last_partition, touched._cdc_fold_last_offset
                        )
                    else
                        not (keys.lowest_partition <=> touched._cdc_fold_last_partition)
                        or not (keys.highest_partition <=> touched._cdc_fold_last_partition)
                        or keys.first_offset <= struct(
                            touched._cdc_fold_last_incarnation, touched._cdc_fold_last_offset
                        )
                end
            ) as late,
            count_if(
                keys.always_applied = 0
                and (keys.highest_pos is null or coalesce(keys.highest_pos <= touched._cdc_fold_mark, false))
            ) as without_winner,
            min(array_min(transform(
                filter(keys.positions, p -> p.epoch_pos <= touched._cdc_fold_mark), p -> p.pos
            ))) as lowest_replay,
            max(array_max(transform(
                filter(keys.positions, p -> p.epoch_pos <= touched._cdc_fold_mark), p -> p.pos
            ))) as highest_replay,
            {{ '(select count(*) from keys left semi join origins on keys.row_key = origins.row_key)' if has_origins else '0' }} as with_origins
        from touched
        inner join keys on touched._cdc_key = keys.row_key
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{- return({
        'late': row[0] | int,
        'without_winner': row[1] | int,
        'replayed_between': [row[2], row[3]] if row[2] is not none else none,
        'with_origins': row[4] | int,
    }) -}}
{%- endmacro -%}
