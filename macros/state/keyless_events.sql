{#- CTE `staged_events`: the events of a table without a key, with images and identities. -#}
{%- macro keyless_events(config, staging, columns, complete_before) -%}
{%- set image = debezium_spark.image_struct(columns) -%}
{%- set epoch = debezium_spark.event_epoch(config) -%}
staged_events as (

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

)
{%- endmacro -%}


{#-
    CTE `events`: with a hash of what each changes, and whether it counts: a snapshot and a truncate
    end what came before.
-#}
{%- macro counted_events(complete_before) -%}
{%- set images -%}
named_struct('before', staged_events.before_image,
            'after', case when staged_events.op != 'd' then staged_events.after_image end)
{%- endset -%}
events as (

    {# snapshots and truncates are one row of the table #}
    select /*+ broadcast(snapshots{{ ', truncates' if complete_before }}) */
        staged_events.*,
        {{ debezium_spark.arrival_struct('snapshots.is_moved', 'staged_events.') }} as arrival,
        sha2({{ debezium_spark.exact_json(images) }}, 256) as content,
        {%- if complete_before %}
        {# the latest snapshot contains what the table holds: it replaces everything before it #}
        case
            when staged_events.op = 'r'
                then staged_events.topic = snapshots.snapshot.topic
                    and staged_events.epoch_stream_pos <=> snapshots.snapshot.epoch_stream_pos
                    and staged_events.run_id <=> snapshots.snapshot.run_id
                    and coalesce(
                        {{ debezium_spark._beginning_struct(
                            'snapshots.is_moved', 'staged_events.'
                        ) | indent(24) }}
                        >= snapshots.snapshot.starts_at,
                        true
                    )
            else snapshots.snapshot is null
                or {{ debezium_spark.arrival_struct('snapshots.is_moved', 'staged_events.') }}
                > snapshots.snapshot.first_arrival
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
