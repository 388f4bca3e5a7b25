{#-
    How a history is brought up to date. The keys of the batch are walked again from the log, and
    with them keys of which the other half of a key change is new, and, when a truncate lands, the
    keys that have a row. All keys are, when a truncate or a snapshot lands among what was folded.

    Members of a state's plan (`profile`), and `newest`: the highest time at the source in
    microseconds; `keep`: of the option, in microseconds; `touches_current`: a truncate ends rows.
-#}
{%- macro profile_versions(config, table, staging, columns, options) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set plan = debezium_spark.whole_versions_plan(config, table, columns) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() or {} -%}
    {%- set fingerprint = debezium_spark.fold_fingerprint(
        config,
        columns + (['close_unseen'] if plan.closes else [])
            + debezium_spark.stored_history_options(options),
        staging
    ) -%}
    {%- set goes_on = checkpoint.get('configuration') == fingerprint -%}
    {%- set previous = checkpoint if goes_on else {} -%}
    {%- set watermark = previous.get('batch_id') -%}
    {%- set batch = debezium_spark._profile_batch_of_history(staging, watermark) -%}
    {%- set staging = debezium_spark.as_found(staging, batch.highest) -%}
    {%- do plan.update({'staging': staging}) -%}
    {%- if batch.highest is none -%}
        {%- do plan.update({
            'nothing_new': goes_on or (not checkpoint and debezium_spark.loads_incrementally()),
            'watermark': watermark,
            'highest_batch': watermark,
            'lookup_columns': [],
            'follows_origins': false,
        }) -%}
        {{- return(plan) -}}
    {%- endif -%}
    {%- set unavailable = (batch.unavailable + previous.get('unavailable', [])) | unique | sort -%}
    {%- set newest = [batch.newest, previous.get('newest')] | reject('none') | max -%}
    {%- set newest = newest if newest is defined else none -%}
    {%- set has_origins = batch.partial_creates > 0 or previous.get('origins', false) -%}
    {%- do plan.update({
        'watermark': watermark,
        'highest_batch': batch.highest,
        'lookup_columns': unavailable,
        'follows_origins': has_origins,
        'truncates': batch.truncates > 0 or previous.get('truncates', false),
        'touches_current': goes_on and batch.truncates > 0,
        'newest': newest,
        'keep': options.get('keep'),
        'checkpoint': tojson({
            'configuration': fingerprint,
            'origins': has_origins,
            'unavailable': unavailable,
            'truncates': batch.truncates > 0 or previous.get('truncates', false),
            'newest': newest,
        }),
    }) -%}
    {%- if goes_on and (
        (plan.closes and batch.full_reads > 0)
        or (
            batch.truncates > 0
            and debezium_spark._truncates_reach_back(config, staging, watermark)
        )
    ) -%}
        {%- do plan.update({'watermark': none}) -%}
    {%- endif -%}
    {%- if plan.watermark is not none -%}
        {%- do debezium_spark._find_touched_keys(staging, plan, batch) -%}
    {%- endif -%}
    {%- do debezium.run.work_on_few_rows(debezium_spark.reads_few_rows(staging, times=5)) -%}
    {{- return(plan) -}}
{%- endmacro -%}


{#- Which keys a run walks through besides those of its batch; the hashes of all, if few. -#}
{%- macro _find_touched_keys(staging, plan, batch) -%}
    {%- set more_keys = [] -%}
    {%- if batch.first_place is not none -%}
        {%- do more_keys.append(
            debezium_spark.partner_keys(staging, plan.watermark, batch.first_place)
        ) -%}
    {%- endif -%}
    {%- if plan.touches_current -%}
        {%- do more_keys.append(
            'select _cdc_key as row_key\nfrom ' ~ this ~ '\nwhere _cdc_is_current'
        ) -%}
    {%- endif -%}
    {%- do plan.update({
        'more_keys': more_keys | join('\n\nunion\n\n'),
        'few_keys': batch.events <= 500000 and not plan.touches_current,
    }) -%}
    {%- if plan.few_keys and debezium_spark.reads_few_rows(
        staging, '_cdc_batch_id > ' ~ plan.watermark
    ) -%}
        {%- do plan.update({'key_hashes': debezium_spark.touched_key_hashes(staging, plan)}) -%}
    {%- endif -%}
{%- endmacro -%}


{#- The plan that computes all versions from the log. -#}
{%- macro whole_versions_plan(config, table, columns) -%}
    {{- return(dict(
        debezium_spark.whole_plan(config, table, columns),
        touches_current=false,
        newest=none,
        keep=none
    )) -}}
{%- endmacro -%}


{%- macro _profile_batch_of_history(staging, watermark) -%}
    {%- set query -%}
select
    max(_cdc_batch_id) as highest,
    count_if(_cdc_op = 't') as truncates,
    count_if(_cdc_op = 'r' and _cdc_snapshot != 'incremental') as full_reads,
    count_if(_cdc_op = 'c' and _cdc_unavailable is not null) as partial_creates,
    to_json(array_sort(array_distinct(flatten(collect_set(_cdc_unavailable))))) as unavailable,
    max(unix_micros(_cdc_source_at)) as newest,
    count(*) as events,
    min(
        case
            when _cdc_op in ('c', 'd') and _cdc_pos is not null
                then coalesce(_cdc_stream_pos, _cdc_pos)
        end
    ) as first_place
from {{ staging }}
{%- if watermark is not none %}
where _cdc_batch_id > {{ watermark }}
{%- endif %}
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{- return({
        'highest': row[0] | int if row[0] is not none else none,
        'truncates': (row[1] or 0) | int,
        'full_reads': (row[2] or 0) | int,
        'partial_creates': (row[3] or 0) | int,
        'unavailable': fromjson(row[4]) if row[4] else [],
        'newest': row[5] | int if row[5] is not none else none,
        'events': row[6] | int,
        'first_place': row[7],
    }) -}}
{%- endmacro -%}


{#-
    Whether a truncate of the batch lies among what was folded: some event does not lie before it,
    or was read behind it, or another delivery of it arrived first until now.
-#}
{%- macro _truncates_reach_back(config, staging, watermark) -%}
    {%- set query -%}
with

truncates as (

    select
        {{ debezium_spark.truncate_identity() }} as identity,
        min(struct(
            incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos
        )) as t,
        min(case when batch_id <= {{ watermark }} then struct(
            incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos
        ) end) as known
    from (
        {{ debezium_spark.staged_truncates(config, staging) | indent(8) }}
    ) as staged_truncates
    group by identity

),

row_events as (

    select
        {{ debezium_spark.event_kind() | indent(8) }} as kind,
        {{ debezium_spark.event_place(config) | indent(8) }}
    from {{ staging }}
    where {{ debezium_spark.is_row_event() }} and _cdc_batch_id <= {{ watermark }}

)

select 1
from truncates
where known is not null and t < known

union all

select 1
from row_events as e
cross join truncates
where
    known is null
    and (
        not {{ debezium_spark.lies_before_truncate('e', "e.kind = 'stream'") | indent(8) }}
        or (e.kind = 'full' and e.`timestamp` > t.`timestamp`)
    )
limit 1
    {%- endset -%}
    {{- return(run_query(query).rows | length > 0) -}}
{%- endmacro -%}
