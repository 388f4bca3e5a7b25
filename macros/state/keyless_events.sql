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
        {{ debezium_spark.table_of('_cdc_topic') }} as of_table,
        {{ debezium_spark.is_keyless_moved(staging) | indent(8) }} as is_moved,
        {{ debezium_spark.event_place(config) | indent(8) }},
        _cdc_pos as pos,
        case
            when _cdc_op = 'r' then _cdc_identity
            else concat({{ epoch }}, '/', {{ debezium_spark.log_identity() }})
        end as identity,
        {# several changes of one run can have it #}
        coalesce(_cdc_identity like '~%', false) as is_shared,
        coalesce(_cdc_snapshot in ('first', 'first_in_data_collection'), false) as is_first_read,
        _cdc_source_at as source_at,
        _cdc_batch_id as batch_id
    from {{ staging }}
    where {{ debezium_spark.is_keyless_event() }}

),

arrived_events as (

    {# reads of one snapshot share milliseconds: over several partitions only time tells #}
    select
        *,
        {{ debezium_spark.arrival_struct('is_moved') | indent(8) }} as arrival,
        struct(incarnation, `offset`) as delivery,
        struct(incarnation, if(is_moved, unix_micros(`timestamp`), `offset`)) as begins_at
    from staged_events

)
{%- endmacro -%}


{#-
    SQL: whether the events of the table lie in several partitions, by a look at two narrow columns
    of the log. Tests, which fold many small tables by one model, answer for each.
-#}
{%- macro is_keyless_moved(staging) -%}
    {%- if not debezium_spark.is_running() -%}{{- return('true') -}}{%- endif -%}
    {%- set place = debezium_spark.partition_struct('_cdc_') -%}
    {%- set row = run_query(
        'select coalesce(min(' ~ place ~ ') != max(' ~ place ~ '), false) from ' ~ staging
        ~ ' where ' ~ debezium_spark.is_keyless_event()
    ).rows[0] -%}
    {{- return(row[0] | string | lower) -}}
{%- endmacro -%}


{%- macro is_keyless_event() -%}
(_cdc_op in ('c', 'u', 'd') or (_cdc_op = 'r' and _cdc_snapshot != 'incremental'))
{%- endmacro -%}


{#-
    CTE `events`: with a hash of what each changes, and whether it counts: a snapshot and a truncate
    end what came before.
-#}
{%- macro counted_events(complete_before) -%}
{%- set images -%}
named_struct('before', arrived_events.before_image,
            'after', case when arrived_events.op != 'd' then arrived_events.after_image end)
{%- endset -%}
events as (

    {# snapshots and truncates are one row of the table #}
    select {{ '/*+ broadcast(snapshots, truncates) */' if complete_before }}
        arrived_events.*,
        sha2({{ adapter.debezium().text.exact_json(images) }}, 256) as content,
        {%- if complete_before %}
        {{ debezium_spark.is_behind_snapshot() | indent(8) }}
        and not exists(
            truncates.list, t -> {{ debezium_spark.keyless_truncate_removes() | indent(12) }}
        ) as counts
        {%- else %}
        true as counts
        {%- endif %}
    from arrived_events
    {%- if complete_before %}
    left join snapshots on arrived_events.of_table = snapshots.of_table
    cross join truncates
    {%- endif %}

)
{%- endmacro -%}


{%- macro image_struct(columns) -%}
    {%- set members = [] -%}
    {%- for column in columns -%}
        {%- do members.append(debezium_spark.quote(column)) -%}
    {%- endfor -%}
    {{- return('struct(' ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}
