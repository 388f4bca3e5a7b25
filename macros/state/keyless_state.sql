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
{%- set identity = ['of_table', 'op', 'identity', 'content', 'is_shared'] | join(',\n        ') -%}
with

staged as (

    select
        _cdc_op as op,
        {{ image }} as after_image,
        {{ '_cdc_before' if complete_before else 'if(false, ' ~ image ~ ', null)' }} as before_image,
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
            else concat({{ debezium_spark.event_epoch(config) }}, '/', {{ debezium_spark.known_by() }})
        end as identity,
        {# several changes of one run can have it #}
        coalesce(_cdc_identity like '~%', false) as is_shared,
        coalesce(_cdc_snapshot in ('first', 'first_in_data_collection'), false) as is_first_read,
        _cdc_source_at as source_at,
        _cdc_batch_id as batch_id,
        {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
        {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
        {{ debezium_spark.within_epoch(config, debezium_spark.known_by()) }} as epoch_identity
    from {{ staging }}
    where
        _cdc_op in ('c', 'u', 'd', 't')
        or (_cdc_op = 'r' and _cdc_snapshot != 'incremental')

),

{{ debezium_spark._keyless_snapshots() }}

{%- if complete_before %}

truncates as (
{{ debezium_spark._keyless_truncates() | indent(4) }}
),

{%- endif %}

events as (

    {# snapshots and truncates are one row of the table #}
    select /*+ broadcast(snapshots{{ ', truncates' if complete_before }}) */
        staged.*,
        {{ debezium_spark._arrival_struct('snapshots.is_moved', 'staged.') }} as arrival,
        sha2({{ debezium_spark.exact_json("named_struct('before', staged.before_image, 'after', case when staged.op != 'd' then staged.after_image end)") }}, 256) as content,
        {%- if complete_before %}
        {# the latest snapshot says what the table holds: it replaces everything before it #}
        case
            when staged.op = 'r'
                then staged.topic = snapshots.snapshot.topic
                    and staged.epoch_stream_pos <=> snapshots.snapshot.epoch_stream_pos
                    and staged.run_id <=> snapshots.snapshot.run_id
                    and coalesce(
                        {{ debezium_spark._beginning_struct('snapshots.is_moved', 'staged.') | indent(24) }} >= snapshots.snapshot.starts_at,
                        true
                    )
            else snapshots.snapshot is null
                or {{ debezium_spark._arrival_struct('snapshots.is_moved', 'staged.') }} > snapshots.snapshot.first_arrival
        end
        and not {{ debezium_spark._is_keyless_truncated() | indent(8) }} as counts
        {%- else %}
        true as counts
        {%- endif %}
    from staged
    left join snapshots on staged.of_table = snapshots.of_table
    {%- if complete_before %}
    left join truncates on staged.of_table = truncates.of_table
    {%- endif %}
    where staged.op != 't'

),

gathered as (

    {# both counts below group by these: one shuffle #}
    select * from events
    distribute by
        {{ identity }}

),

deliveries as (

    {# equal identities that can be shared: of one run they are different changes, of several runs repeats #}
    select
        {{ identity }},
        run_id,
        min_by(
            struct(after_image, before_image, counts, op, pos, source_at, batch_id, arrival),
            arrival
        ) as first_delivery,
        max_by(struct(op, pos, source_at, arrival), arrival) as last_delivery,
        max(batch_id) as last_batch_id,
        case when not is_shared or (run_id is null and op != 'r') then 1 else count(*) end as times
    from gathered
    group by
        {{ identity }},
        run_id

),

changes as (

    select
        min_by(first_delivery, first_delivery.arrival) as event,
        max_by(last_delivery, last_delivery.arrival) as last_delivery,
        max(last_batch_id) as last_batch_id,
        max(times) as times
    from deliveries
    group by
        {{ identity }}

),

contents as (

    select inline(
        filter(
            array(
                {# contents of rows that are gone stay with a count of 0 #}
                case
                    when event.op != 'd'
                        then named_struct(
                            'image', event.after_image,
                            'event', last_delivery,
                            'batch_id', last_batch_id,
                            'times', if(event.counts, times, cast(0 as bigint))
                        )
                end
                {%- if complete_before %},
                case
                    when event.op in ('u', 'd') and event.counts and event.before_image is not null
                        then named_struct(
                            'image', event.before_image,
                            'event', struct(event.op, event.pos, event.source_at, event.arrival),
                            'batch_id', event.batch_id,
                            'times', -times
                        )
                end
                {%- endif %}
            ),
            content -> content is not null
        )
    )
    from changes

),

multiset as (

    select
        sha2({{ debezium_spark.exact_json('image') }}, 256) as row_key,
        any_value(image) as image,
        max_by(event, event.arrival) as last_event,
        max(batch_id) as last_batch_id,
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
