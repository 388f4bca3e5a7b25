{#-
    State of a table without a key: a multiset, one row per distinct content with how often the table holds it (`_cdc_count`), contents
    that are gone included with 0 (docs/semantics.md, tables without a key).

    With complete before images `u` and `d` take their old row away; without them nothing is ever removed. Rows have no identity, so a
    run with new events counts the whole staged log again.
-#}
{%- macro keyless_state(config, table, staging, columns) -%}
    {%- set running = debezium_spark.is_running() -%}
    {%- set marks = debezium_spark.read_marks() if running -%}
    {%- set highest = debezium_spark.batch_watermark(staging) if running -%}
    {%- set complete_before = debezium_spark.has_complete_before(config, table) -%}
    {%- set fingerprint = debezium_spark.fold_fingerprint(config, columns + [complete_before], staging) -%}
    {%- set is_current = marks and marks.configuration == fingerprint and highest is not none and highest <= marks.batch_id -%}
    {%- set is_built_anew = running and (not marks or marks.configuration != fingerprint) -%}
    {{- return(
        ('-- debezium_spark: no new records\n' if is_current else '')
        ~ ('-- debezium_spark: built anew\n' if is_built_anew else '')
        ~ debezium_spark.keyless_sql(
            config, staging, columns, complete_before, highest, tojson({'configuration': fingerprint})
        )
    ) -}}
{%- endmacro -%}


{#- SELECT of `keyless_state`, without the decision whether to run. -#}
{%- macro keyless_sql(config, staging, columns, complete_before, highest_batch, marks) -%}
{%- set image = debezium_spark.image_struct(columns) -%}
{%- set has_identities = debezium_spark.has_identities(config) -%}
with

staged as (

    select
        _cdc_op as op,
        {{ image }} as after_image,
        {{ '_cdc_before' if complete_before else 'if(false, ' ~ image ~ ', null)' }} as before_image,
        _cdc_snapshot as snapshot,
        _cdc_run_id as run_id,
        _cdc_topic as topic,
        {{ debezium_spark.event_incarnation(config) }} as incarnation,
        _cdc_partition as `partition`,
        _cdc_offset as `offset`,
        _cdc_timestamp as `timestamp`,
        _cdc_pos as pos,
        {%- if has_identities %}
        concat({{ debezium_spark.event_epoch(config) }}, '/', _cdc_identity) as identity,
        {%- endif %}
        _cdc_source_at as source_at,
        _cdc_batch_id as batch_id,
        concat(lpad(cast({{ debezium_spark.event_epoch(config) }} as string), 6, '0'), '/', _cdc_pos) as epoch_pos,
        concat(lpad(cast({{ debezium_spark.event_epoch(config) }} as string), 6, '0'), '/', _cdc_stream_pos) as epoch_stream_pos
    from {{ staging }}
    where
        _cdc_op in ('c', 'u', 'd', 't')
        or (_cdc_op = 'r' and _cdc_snapshot != 'incremental')

),

partitions as (

    select
        topic,
        min(`partition`) != max(`partition`) as is_moved
    from staged
    where op != 't'
    group by topic

),

arrivals as (

    select
        staged.*,
        row_number() over (
            partition by staged.topic
            order by
                staged.incarnation,
                case when partitions.is_moved then staged.`timestamp` end,
                case when partitions.is_moved then staged.`partition` end,
                staged.`offset`
        ) as arrival
    from staged
    left join partitions on staged.topic = partitions.topic

),

last_reads as (

    select
        topic,
        max(named_struct('arrival', arrival, 'epoch_stream_pos', epoch_stream_pos, 'run_id', run_id)) as last_read
    from arrivals
    where op = 'r'
    group by topic

),

snapshots as (

    {# the rows of one snapshot share its position and the connector's run #}
    select
        arrivals.topic,
        min(arrivals.arrival) as first_arrival,
        collect_list(
            named_struct(
                'incarnation', arrivals.incarnation,
                'partition', arrivals.`partition`,
                'offset', arrivals.`offset`,
                'timestamp', arrivals.`timestamp`
            )
        ) as deliveries,
        max(last_reads.last_read.epoch_stream_pos) as epoch_stream_pos,
        max(last_reads.last_read.run_id) as run_id
    from arrivals
    inner join last_reads
        on
            arrivals.topic = last_reads.topic
            and arrivals.epoch_stream_pos <=> last_reads.last_read.epoch_stream_pos
            and arrivals.run_id <=> last_reads.last_read.run_id
    where arrivals.op = 'r'
    group by arrivals.topic

),

truncates as (

    {# a snapshot that came later says what the table holds #}
    select
        told.topic,
        collect_list(told.t) as list
    from (
        {# each as it arrived first: a repeat removes no row that was read since #}
        select
            topic,
            min(
                named_struct(
                    'incarnation', incarnation,
                    'timestamp', `timestamp`,
                    'partition', `partition`,
                    'offset', `offset`,
                    'epoch_pos', epoch_pos,
                    'epoch_stream_pos', epoch_stream_pos
                )
            ) as t
        from arrivals
        where op = 't'
        group by topic, coalesce(epoch_pos, concat_ws(':', incarnation, `partition`, `offset`))
    ) as told
    left join snapshots on told.topic = snapshots.topic
    where
        not exists(
            coalesce(snapshots.deliveries, array()),
            r -> case
                when r.`partition` = told.t.`partition`
                    then struct(r.incarnation, r.`offset`) > struct(told.t.incarnation, told.t.`offset`)
                else r.`timestamp` > told.t.`timestamp`
            end
        )
    group by told.topic

),

deliveries as (

    {# equal identities of one run are different changes; of several runs, repeats #}
    select
        max_by(struct(arrivals.*), -arrival) as event,
        topic,
        count(*) as times
    from arrivals
    where op in ('c', 'u', 'd')
    group by
        topic,
        epoch_pos,
        {%- if has_identities %}
        identity,
        {%- endif %}
        op,
        {{ debezium_spark.exact_json("named_struct('before', before_image, 'after', case when op != 'd' then after_image end)") }},
        run_id

),

changes as (

    select
        max_by(event, -event.arrival) as event,
        max(case when event.run_id is null then 1 else times end) as times
    from deliveries
    group by
        topic,
        event.epoch_pos,
        {%- if has_identities %}
        event.identity,
        {%- endif %}
        event.op,
        {{ debezium_spark.exact_json("named_struct('before', event.before_image, 'after', case when event.op != 'd' then event.after_image end)") }}

),

counted as (

    select
        changes.event,
        changes.times
    from changes
    left join snapshots on changes.event.topic = snapshots.topic
    where {{ 'snapshots.first_arrival is null or changes.event.arrival > snapshots.first_arrival' if complete_before else 'true' }}

    union all

    select
        struct(arrivals.*) as event,
        cast(1 as bigint) as times
    from arrivals
    {%- if complete_before %}
    inner join snapshots
        on
            arrivals.topic = snapshots.topic
            and arrivals.epoch_stream_pos <=> snapshots.epoch_stream_pos
            and arrivals.run_id <=> snapshots.run_id
    {%- endif %}
    where arrivals.op = 'r'

),

surviving as (

    select
        counted.event,
        counted.times
    from counted
    left join truncates on counted.event.topic = truncates.topic
    {%- if complete_before %}
    where
        not exists(
            coalesce(truncates.list, array()),
            t -> case
                when counted.event.op != 'r' and counted.event.epoch_pos is not null and t.epoch_pos is not null
                    then counted.event.epoch_pos < t.epoch_pos
                when counted.event.op != 'r' and counted.event.epoch_stream_pos is not null and t.epoch_stream_pos is not null
                    then counted.event.epoch_stream_pos < t.epoch_stream_pos
                when counted.event.`partition` = t.`partition`
                    then struct(counted.event.incarnation, counted.event.`offset`) < struct(t.incarnation, t.`offset`)
                when counted.event.epoch_stream_pos is not null and t.epoch_stream_pos is not null
                    then counted.event.epoch_stream_pos < t.epoch_stream_pos
                else coalesce(counted.event.`timestamp` < t.`timestamp`, false)
            end
        )
    {%- endif %}

),

contents as (

    select
        event.after_image as image,
        event,
        times
    from surviving
    where event.op in ('c', 'r', 'u')
    {%- if complete_before %}

    union all

    select
        event.before_image as image,
        event,
        -times as times
    from surviving
    where event.op in ('u', 'd') and event.before_image is not null

    union all

    {# contents of rows that are gone stay with a count of 0 #}
    select
        after_image as image,
        struct(arrivals.*) as event,
        cast(0 as bigint) as times
    from arrivals
    where op in ('c', 'r', 'u')
    {%- endif %}

),

multiset as (

    select
        sha2({{ debezium_spark.exact_json('image') }}, 256) as row_key,
        any_value(image) as image,
        max_by(event, event.arrival) as last_event,
        max(event.batch_id) as last_batch_id,
        sum(times) as times
    from contents
    group by sha2({{ debezium_spark.exact_json('image') }}, 256)

),

rows as (

    select
        row_key as _cdc_key,
        last_batch_id as _cdc_batch_id,
        {%- for column in columns %}
        image.{{ debezium_spark.quoted(column) }} as {{ debezium_spark.quoted(column) }},
        {%- endfor %}
        last_event.op as _cdc_op,
        times <= 0 as _cdc_is_deleted,
        last_event.pos as _cdc_pos,
        last_event.source_at as _cdc_source_at,
        cast(null as array<string>) as _cdc_unavailable,
        greatest(times, 0) as _cdc_count,
        {{ debezium_spark.fold_columns() | indent(8) }},
        cast(null as string) as _cdc_marks
    from multiset

    {%- if highest_batch is not none and highest_batch is defined %}

    union all

    select
        '!watermark' as _cdc_key,
        cast({{ highest_batch }} as bigint) as _cdc_batch_id,
        {%- for column in columns %}
        null as {{ debezium_spark.quoted(column) }},
        {%- endfor %}
        cast(null as string) as _cdc_op,
        true as _cdc_is_deleted,
        cast(null as string) as _cdc_pos,
        cast(null as timestamp) as _cdc_source_at,
        cast(null as array<string>) as _cdc_unavailable,
        cast(0 as bigint) as _cdc_count,
        {{ debezium_spark.fold_columns() | indent(8) }},
        {{ debezium_spark.text_literal(marks) }} as _cdc_marks
    {%- endif %}

)

select * from rows
{%- endmacro -%}
