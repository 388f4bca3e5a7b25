{#-
    What a history has to know of a batch:

    * `newest`: the highest time at the source so far, in microseconds,
    * `reads`: number of reads,
    * `resumed`: events whose transaction is that of their key's last step, or whose key's last
      version does not tell its values.
-#}
{%- macro profile_versions(config, staging, plan) -%}
    {%- set is_new = (
        '_cdc_batch_id > ' ~ plan.watermark if plan.watermark is not none else 'true'
    ) -%}
    {%- set previous = (
        debezium_spark.read_checkpoint() if plan.watermark is not none else {}
    ) -%}
    {%- set query -%}
select
    max(unix_micros(_cdc_source_at)) as newest,
    count_if(_cdc_op = 'r') as reads,
    {%- if plan.watermark is none %}
    0 as resumed
    {%- else %}
    (
        select count(*)
        from (
            select
                _cdc_key as row_key,
                {{ debezium_spark.event_transaction(config) | indent(16) }} as tx
            from {{ staging }}
            where {{ debezium_spark.is_row_event() }} and {{ is_new }}
        ) as new_events
        inner join {{ this }} as heads on new_events.row_key = heads._cdc_key
        where
            {{ debezium_spark.is_head('heads.') }}
            and (heads._cdc_last_tx = new_events.tx or heads._cdc_last_tx = '*')
    ) as resumed
    {%- endif %}
from {{ staging }}
where {{ is_new }}
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {%- set times = [] -%}
    {%- for time in [row[0], previous.get('newest')] if time is not none -%}
        {%- do times.append(time | int) -%}
    {%- endfor -%}
    {{- return({
        'newest': times | max if times else none,
        'reads': row[1] | int,
        'resumed': row[2] | int,
    }) -}}
{%- endmacro -%}


{#- Whether a truncate or a snapshot reaches back behind what was folded. -#}
{%- macro reaches_back(config, staging, plan, closes) -%}
    {%- if closes and (
        plan.new_reads or debezium_spark._count_closed_events(config, staging, plan) > 0
    ) -%}
        {{- return(true) -}}
    {%- endif -%}
    {{- return(
        plan.truncates and debezium_spark._count_reached_events(config, staging, plan) > 0
    ) -}}
{%- endmacro -%}


{#- New events before the begin of a complete snapshot. -#}
{%- macro _count_closed_events(config, staging, plan) -%}
    {%- set query -%}
select count(*)
from (
    {{ debezium_spark.fold_events(
        config,
        staging,
        [],
        debezium_spark.is_row_event() ~ ' and _cdc_batch_id > ' ~ plan.watermark,
        with_image=false,
        with_unavailable=false
    ) | indent(4) }}
) as e
cross join (
    {{ debezium_spark.fold_closings(config, staging) | indent(4) }}
) as closings
where {{ debezium_spark.is_closed('e') }}
    {%- endset -%}
    {{- return(run_query(query).rows[0][0] | int) -}}
{%- endmacro -%}


{#-
    New events before a truncate that was folded; events that were folded and do not lie before a
    new truncate; truncates that repeat a folded one and arrived before it; versions that the
    transaction of a new truncate made.
-#}
{%- macro _count_reached_events(config, staging, plan) -%}
    {%- set query -%}
with

row_events as (

    {{ debezium_spark.fold_events(
        config,
        staging,
        [],
        debezium_spark.is_row_event(),
        with_image=false,
        with_unavailable=false
    ) | indent(4) }}

),

folded as (

    select
        _cdc_scd_id as truncate_id,
        _cdc_fold_topic as topic,
        _cdc_fold_incarnation as incarnation,
        _cdc_fold_partition as `partition`,
        _cdc_fold_offset as `offset`,
        _cdc_fold_timestamp as `timestamp`,
        _cdc_fold_epoch_pos as epoch_pos,
        _cdc_fold_epoch_stream_pos as epoch_stream_pos
    from {{ this }}
    where startswith(_cdc_key, '!truncate:')

),

delivered as (

    select
        {{ debezium_spark._truncate_id('of_table', 'identity') }} as truncate_id,
        first_delivery.*
    from (
        {{ debezium_spark.first_truncates_of_history(
            config, staging, '_cdc_batch_id > ' ~ plan.watermark
        ) | indent(8) }}
    ) as new_truncates

),

new_truncates as (

    select delivered.*
    from delivered
    left anti join folded on delivered.truncate_id = folded.truncate_id

)

select
    (
        select count(*)
        from row_events as e
        cross join folded as t
        where
            e.batch_id > {{ plan.watermark }}
            and {{ debezium_spark._lies_before('e') | indent(12) }}
    )
    + (
        select count(*)
        from row_events as e
        cross join new_truncates as t
        where
            e.batch_id <= {{ plan.watermark }}
            and {{ debezium_spark.table_of('t.topic') }} = {{ debezium_spark.table_of('e.topic') }}
            and (
                not {{ debezium_spark._lies_before('e') | indent(16) }}
                or (e.kind = 'full' and e.`timestamp` > t.`timestamp`)
            )
    )
    + (
        select count(*)
        from delivered
        inner join folded on delivered.truncate_id = folded.truncate_id
        where
            {{ debezium_spark.arrival_struct('true', 'delivered.') | indent(12) }}
            < {{ debezium_spark.arrival_struct('true', 'folded.') | indent(12) }}
    )
    + (
        select count(*)
        from {{ this }} as heads
        inner join new_truncates on heads._cdc_last_tx = new_truncates.tx
        where {{ debezium_spark.is_head('heads.') }}
    ) as reached
    {%- endset -%}
    {{- return(run_query(query).rows[0][0] | int) -}}
{%- endmacro -%}


{%- macro _lies_before(event) -%}
coalesce(
    {{ debezium_spark.table_of('t.topic') }} = {{ debezium_spark.table_of(event ~ '.topic') }}
    and case
        {{ debezium_spark.lies_before_truncate(event, event ~ ".kind = 'stream'") | indent(8) }}
    end,
    false
)
{%- endmacro -%}
