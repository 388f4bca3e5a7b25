{#-
    Up to where the staged records of a table are settled, and what a later record is compared with
    to know that it is late or a repeat (macros/staging/horizon.sql). Of two partitions whose
    records have these timestamps, asked for 12:00: 11:58, so that the prefix of each is settled.

    | partition | timestamps by offset       |
    |-----------|----------------------------|
    | 0         | 11:57, 12:02, 11:59, 12:03 |
    | 1         | 11:58, 12:04               |
-#}


{#-
    SELECT: one row with, for each of some timestamps in microseconds, the highest at or below it up
    to which each partition has only settled events: if an event lies behind one with a later
    timestamp, both or none are settled.
-#}
{%- macro settled_until(config, staging, moments_us) -%}
select
    {%- for moment_us in moments_us %}
    aggregate(
        sort_array(coalesce(collect_list(struct(at_us, before_us)), array()), false),
        {{ moment_us }}L,
        (until_us, event) -> if(
            event.at_us <= until_us and until_us < event.before_us, event.at_us - 1, until_us
        )
    ) as until_{{ loop.index }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        at_us,
        max(before_us) as before_us
    from (
        select
            unix_micros(_cdc_timestamp) as at_us,
            max(unix_micros(_cdc_timestamp)) over (
                partition by
                    _cdc_topic, {{ debezium_spark.event_incarnation(config) }}, _cdc_partition
                order by _cdc_offset
                rows between unbounded preceding and 1 preceding
            ) as before_us
        from {{ staging }}
        where _cdc_op is not null
    ) as events
    where at_us < before_us
    group by at_us
) as falling_events
{%- endmacro -%}


{#-
    SELECT: one row, a JSON object with the members of `horizon.py` that staged events tell: `late`
    and `until` are timestamps in microseconds, both of `settled_until`.
-#}
{%- macro horizon_of(config, staging, late_us, until_us) -%}
{%- set is_settled = '_cdc_timestamp <= timestamp_micros(' ~ until_us ~ ')' -%}
{%- set place = debezium_spark.place_in_log(config) -%}
select to_json(struct(
    map_from_entries(
        collect_list(struct(place, `offset`))
            filter (where place is not null and `offset` is not null)
    ) as offsets,
    {%- for name in ['changes', 'reads_us', 'unplaced_us'] %}
    map_from_entries(
        collect_list(struct(_cdc_topic, {{ name }}))
            filter (where place is null and {{ name }} is not null)
    ) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
))
from (
    select
        _cdc_topic,
        case
            when grouping(_cdc_partition) = 0
                then {{ debezium_spark.partition_place('incarnation') }}
        end as place,
        max(`offset`) as `offset`,
        max(`change`) as changes,
        max(read_us) as reads_us,
        max(unplaced_us) as unplaced_us
    from (
        select
            _cdc_topic,
            {{ debezium_spark.event_incarnation(config) }} as incarnation,
            _cdc_partition,
            case when _cdc_timestamp <= timestamp_micros({{ late_us }}) then _cdc_offset end
                as `offset`,
            case when {{ is_settled }} then {{ place }} end as `change`,
            case when {{ is_settled }} and _cdc_op = 'r' then unix_micros(_cdc_source_at) end
                as read_us,
            case
                when {{ is_settled }} and _cdc_op in ('c', 'u', 'd') and _cdc_pos is null
                    then unix_micros(_cdc_source_at)
            end as unplaced_us
        from {{ staging }}
        where _cdc_op is not null
    ) as events
    group by grouping sets ((_cdc_topic, incarnation, _cdc_partition), (_cdc_topic))
) as horizons
{%- endmacro -%}
