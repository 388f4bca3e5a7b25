{#-
    CTEs `staged_events`: the events of a table without a key, with images, identities and arrival;
    `snapshots`: the latest snapshot, where its reads begin and end, and when its first row arrived;
    `events`: with a hash of what each changes, and whether it counts (docs/semantics.md, tables
    without a key).
-#}
{%- macro keyless_events(config, staging, columns, complete_before) -%}
{%- set image = debezium_spark.image_struct(columns) -%}
{%- set epoch = debezium_spark.event_epoch(config) -%}
landed_events as (

    select
        _cdc_op as op,
        {{ image }} as after_image,
        {%- if complete_before %}
        _cdc_before as before_image,
        {%- else %}
        if(false, {{ image }}, null) as before_image,
        {%- endif %}
        _cdc_run_id as run_id,
        _cdc_topic as topic,
        {{ debezium_spark.table_of('_cdc_topic') }} as of_table,
        {{ debezium_spark.event_incarnation(config) }} as incarnation,
        _cdc_partition as `partition`,
        _cdc_offset as `offset`,
        _cdc_timestamp as `timestamp`,
        _cdc_pos as pos,
        case
            when _cdc_op = 'r' then _cdc_identity
            else concat({{ epoch }}, '/', {{ debezium_spark.log_identity() }})
        end as identity,
        {# several changes of one run can have it #}
        coalesce(_cdc_identity like '~%', false) as is_shared,
        coalesce(_cdc_snapshot in ('first', 'first_in_data_collection'), false) as is_first_read,
        _cdc_source_at as source_at,
        _cdc_batch_id as batch_id,
        {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
        {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
        {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }} as epoch_identity
    from {{ staging }}
    where
        _cdc_op in ('c', 'u', 'd', 't')
        or (_cdc_op = 'r' and _cdc_snapshot != 'incremental')

),

staged_events as (

    {# the rows of a table that lie in several partitions are ordered by time #}
    select /*+ broadcast(places) */
        landed_events.*,
        {{ debezium_spark.arrival_struct('places.is_moved', 'landed_events.') }} as arrival,
        {# a read can share its millisecond with the first of its snapshot #}
        struct(
            landed_events.incarnation,
            if(
                places.is_moved, unix_micros(landed_events.`timestamp`), landed_events.`offset`
            ) as at
        ) as beginning
    from landed_events
    left join (
        select
            of_table,
            min({{ debezium_spark.partition_struct() }})
            != max({{ debezium_spark.partition_struct() }}) as is_moved
        from landed_events
        where op != 't'
        group by of_table
    ) as places on landed_events.of_table = places.of_table

)
{%- endmacro -%}


{%- macro keyless_snapshots() -%}
{%- set own_delivery -%}
case when is_shared then struct(topic, incarnation, `partition`, `offset`) end
{%- endset -%}
reads as (

    {# each read once, as it first arrived: a repeat begins and ends no snapshot #}
    select
        of_table,
        epoch_stream_pos,
        run_id,
        min(arrival) as arrival,
        min(beginning) as beginning,
        min_by({{ debezium_spark.partition_struct() }}, arrival) as place,
        min_by(struct(struct(incarnation, `offset`) as delivery, `timestamp`), arrival) as delivery
    from staged_events
    where op = 'r'
    group by of_table, epoch_stream_pos, run_id, identity, {{ own_delivery }}

),

beginnings as (

    select
        topic,
        epoch_stream_pos,
        run_id,
        max(beginning) as starts_at
    from (
        select
            min_by(topic, arrival) as topic,
            epoch_stream_pos,
            run_id,
            min(beginning) as beginning
        from staged_events
        where op = 'r' and is_first_read
        group by of_table, epoch_stream_pos, run_id, identity, {{ own_delivery }}
    ) as first_reads
    group by topic, epoch_stream_pos, run_id

),

parts as (

    {# the reads of a snapshot in one partition, from the last that is marked as its first on #}
    select
        of_table,
        place.topic as topic,
        epoch_stream_pos,
        run_id,
        place.`partition` as `partition`,
        any_value(starts_at) as starts_at,
        min(case when is_in_snapshot then arrival end) as first_arrival,
        max(arrival) as last_arrival,
        max(case when is_in_snapshot then delivery.delivery end) as delivery,
        max(case when is_in_snapshot then delivery.`timestamp` end) as `timestamp`
    from (
        select
            reads.*,
            beginnings.starts_at,
            coalesce(reads.beginning >= beginnings.starts_at, true) as is_in_snapshot
        from reads
        left join beginnings
            on
                reads.place.topic = beginnings.topic
                and reads.epoch_stream_pos <=> beginnings.epoch_stream_pos
                and reads.run_id <=> beginnings.run_id
    ) as reads_of_snapshots
    group by of_table, place.topic, epoch_stream_pos, run_id, place.`partition`

),

snapshots as (

    select
        of_table,
        max_by(snapshot, snapshot.last_arrival) as snapshot
    from (
        select
            of_table,
            struct(
                topic,
                epoch_stream_pos,
                run_id,
                any_value(starts_at) as starts_at,
                min(first_arrival) as first_arrival,
                max(last_arrival) as last_arrival,
                collect_list(struct(`partition`, delivery, `timestamp`)) as ends
            ) as snapshot
        from parts
        group by of_table, topic, epoch_stream_pos, run_id
    ) as all_snapshots
    group by of_table

)
{%- endmacro -%}


{#- CTE `truncates`: at their first arrival: a repeat removes no row that was read since. -#}
{%- macro keyless_truncates() -%}
truncates as (

    select
        of_table,
        collect_list(first_delivery) as list
    from (
        select
            of_table,
            min(struct(
                incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos
            )) as first_delivery
        from staged_events
        where op = 't'
        group by of_table, {{ debezium_spark.truncate_identity() }}
    ) as first_truncates
    group by of_table

)
{%- endmacro -%}


{#-
    SQL: a truncate after all reads of the snapshot removed the event's row (docs/semantics.md,
    truncates).
-#}
{%- macro _is_keyless_truncated() -%}
exists(
    coalesce(truncates.list, array()),
    t -> not exists(
        coalesce(snapshots.snapshot.ends, array()),
        r -> case
            when snapshots.snapshot.topic = t.topic and r.`partition` = t.`partition`
                then r.delivery > struct(t.incarnation, t.`offset`)
            else coalesce(r.`timestamp` > t.`timestamp`, false)
        end
    )
    and {{ debezium_spark.lies_before_truncate('staged_events', "staged_events.op != 'r'") }}
)
{%- endmacro -%}


{#- CTE `events`: a snapshot and a truncate end what came before. -#}
{%- macro counted_events(complete_before) -%}
{%- set images -%}
named_struct('before', staged_events.before_image,
            'after', case when staged_events.op != 'd' then staged_events.after_image end)
{%- endset -%}
events as (

    {# snapshots and truncates are one row of the table #}
    select /*+ broadcast(snapshots{{ ', truncates' if complete_before }}) */
        staged_events.*,
        sha2({{ debezium_spark.exact_json(images) }}, 256) as content,
        {%- if complete_before %}
        {# the latest snapshot contains what the table holds: it replaces everything before it #}
        case
            when staged_events.op = 'r'
                then staged_events.topic = snapshots.snapshot.topic
                    and staged_events.epoch_stream_pos <=> snapshots.snapshot.epoch_stream_pos
                    and staged_events.run_id <=> snapshots.snapshot.run_id
                    and coalesce(staged_events.beginning >= snapshots.snapshot.starts_at, true)
            else snapshots.snapshot is null
                or staged_events.arrival > snapshots.snapshot.first_arrival
        end
        and not {{ debezium_spark._is_keyless_truncated() | indent(8) }} as counts
        {%- else %}
        true as counts
        {%- endif %}
    from staged_events
    left join snapshots on staged_events.of_table = snapshots.of_table
    {%- if complete_before %}
    left join truncates on staged_events.of_table = truncates.of_table
    {%- endif %}
    where staged_events.op != 't'

)
{%- endmacro -%}


{%- macro image_struct(columns) -%}
    {%- set members = [] -%}
    {%- for column in columns -%}
        {%- do members.append(debezium_spark.quote(column)) -%}
    {%- endfor -%}
    {{- return('struct(' ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}
