{#-
    The records of a key with the walk's verdicts, and what changed. Of key 7 in a table with a
    truncate at position 30:

    | arrival | op | pos | verdict     | is_applied | row          | changed  | removed_by |
    |---------|----|-----|-------------|------------|--------------|----------|------------|
    | 1       | c  | 10  | change      | true       | (7, a)       |          | {T}        |
    | 2       | u  | 20  | change      | true       | (7, b)       | [v]      | {T}        |
    | 3       | u  | 10  | unexplained | false      |              |          |            |
-#}


{#-
    SELECT: texts, one JSON object for each event of `key`; without one, of all keys of the log.
    `plan`: see `key_plan`.
-#}
{%- macro explained_events(config, model, plan, key=none) -%}
{%- set columns, types = model.columns, model.types -%}
{%- set order = 'partition by ' ~ debezium_spark.walk_key() ~ ' order by arrival' -%}
{%- set before = order ~ ' rows between unbounded preceding and 1 preceding' -%}
{%- set until = order ~ ' rows between unbounded preceding and current row' -%}
with

{{ debezium_spark.walk(config, plan.log, plan, images=columns) }},

{{ debezium_spark.known_values(plan) }},

{%- if plan.truncates %}

truncates as (

    {{ debezium_spark.explained_truncates(config, plan.log) | indent(4) }}

),
{%- endif %}
{%- if plan.closes %}

closings as (

    {{ debezium_spark.complete_snapshots(
        debezium_spark.staged_snapshots(config, model.staging)
    ) | indent(4) }}

),
{%- endif %}

applied_events as (

    select
        *,
        concat_ws(':', topic, `partition`, `offset`) as event_id,
        {{ debezium_spark.place() }} as place,
        is_applied and op in ('c', 'u', 'r') as is_upsert,
        {{ debezium_spark.still_unavailable(plan, none) }} as still_unknown,
        case when is_applied and op in ('c', 'u', 'r') then
            {{ debezium_spark.resolved_row(columns, plan) }} end as `row`,
        struct(
            topic, incarnation, `partition`, `offset`, `timestamp`, kind, epoch_pos,
            epoch_stream_pos
        ) as winner,
        last_value(case when is_applied and kind = 'full' then {{ debezium_spark.delivery() }} end)
            ignore nulls over ({{ until }}) as full_read
    from known

),

{%- if plan.has_partners %}

{{ debezium_spark.key_change_halves(config, plan.log) }},
{%- else %}

walk_halves as (

    select
        *,
        cast(null as string) as previous_key,
        cast(null as string) as next_key
    from applied_events

),
{%- endif %}

compared_events as (

    select
        walk_halves.*,
        {%- if plan.truncates %}
        filter(truncates.list, t -> is_applied and {{ debezium_spark.truncate_removes(
            'winner', 'full_read') | indent(12) }}) as removed_by,
        {%- endif %}
        {%- if plan.closes %}
        filter(closings.list, s -> is_applied and {{ debezium_spark.snapshot_closes(
            'winner') | indent(12) }}) as closed_by,
        {%- endif %}
        last_value(case when is_applied then struct(is_upsert, `row`) end) ignore nulls
            over ({{ before }}) as step_before
    from walk_halves
    {{- debezium_spark.join_ends(plan) }}

)

{% set event = debezium_spark._event_struct(columns, types, plan) -%}
select {{ adapter.debezium().text.exact_json(event) }} as event
from compared_events
{{ 'where row_key = ' ~ debezium_spark.text_literal(key) if key is not none }}
order by row_key, arrival
{%- endmacro -%}


{#- SQL: an event as `explain/events.py` reads it. -#}
{%- macro _event_struct(columns, types, plan) -%}
{%- set snapshot = "struct(s.event_id, s.source_at, s.`timestamp`, s.topic, s.incarnation,"
    ~ ' s.epoch_stream_pos, s.run_id)' -%}
named_struct(
    'row_key', row_key, 'arrival', arrival, 'event_id', event_id, 'topic', topic,
    'partition', `partition`, 'offset', `offset`, 'incarnation', incarnation,
    'recorded_at', `timestamp`, 'source_at', source_at, 'landed_at', landed_at,
    'batch_id', batch_id, 'op', op, 'kind', kind, 'position', epoch_pos,
    'stream_position', epoch_stream_pos, 'run_id', run_id, 'tx_id', tx_id, 'verdict', verdict,
    'is_applied', is_applied, 'is_upsert', is_upsert,
    'mark', case when is_below_mark then mark_before.epoch_pos end,
    'previous_key', previous_key, 'next_key', next_key,
    'lacks', unavailable, 'unknown', case when is_upsert then still_unknown end,
    'row', case when is_upsert then {{ adapter.debezium().text.exact_json('`row`') }} end,
    'changed', case
        when is_upsert and step_before.is_upsert
            then {{ debezium_spark.changed_columns(columns, types) | indent(12) }}
    end,
    'removed_by', {{ 'removed_by' if plan.truncates else 'cast(array() as array<string>)' }},
    'closed_by', {{ 'transform(closed_by, s -> ' ~ snapshot ~ ')' if plan.closes
        else 'cast(array() as array<string>)' }}
)
{%- endmacro -%}


{#- SQL: names of the columns in which `row` differs from `step_before.row`. -#}
{%- macro changed_columns(columns, types) -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- set name, type = debezium_spark.quote(column), types.get(column | lower) -%}
        {%- do names.append(
            'if(' ~ debezium_spark._comparable('`row`.' ~ name, type) ~ ' <=> '
            ~ debezium_spark._comparable('step_before.`row`.' ~ name, type) ~ ', null, '
            ~ debezium_spark.text_literal(column) ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return('array_compact(array(' ~ names | join(', ') ~ '))') -}}
{%- endmacro -%}


{#- SELECT: `known_truncates` with what says where and when each was. -#}
{%- macro explained_truncates(config, staging) -%}
select collect_list(first_delivery) as list
from (
    select
        min(struct(
            incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos, epoch_stream_pos,
            source_at, batch_id, is_drop
        )) as first_delivery
    from (
        {{ debezium_spark.staged_truncates(config, staging) | indent(8) }}
    ) as staged_truncates
    group by {{ debezium_spark.truncate_identity() }}
) as first_deliveries
{%- endmacro -%}


{#- Texts of the versions of a key up to an instant and behind it (docs/history.md, time). -#}
{%- macro versions_of_key(config, model, plan, key, as_of) -%}
    {#- every step is a version, so that each record has its instant -#}
    {%- set options = {'within_transaction': 'all'} -%}
    {%- set walk = debezium_spark._explain_view() -%}
    {#- the session in which texts are asked for -#}
    {%- do adapter.debezium().run.work_on_few_rows(true) -%}
    {%- do adapter.debezium().run.create_temporary_view(
        walk, debezium_spark.version_walk(config, plan.log, model.columns, plan)
    ) -%}
    {%- set log = plan.log -%}
    {%- if plan.closes -%}
        {%- set log = '(select * from ' ~ plan.log ~ ' union all select * from ' ~ model.staging
            ~ " where _cdc_op = 'r' and _cdc_key not in ("
            ~ debezium_spark.text_literals(plan['keys']) ~ '))' -%}
    {%- endif -%}
    {%- set plan = dict(
        debezium_spark.whole_versions_plan(config, model.table, model.columns), **plan
    ) -%}
    {%- set versions = debezium_spark.versions_sql(
        config, log, model.columns, plan, options, walk, model.types
    ) -%}
    {%- set instant = debezium_spark.instant(as_of) -%}
    {%- set sql -%}
select {{ adapter.debezium().text.exact_json("named_struct(
    'version', _cdc_version, 'from', _cdc_valid_from, 'to', _cdc_valid_to,
    'began_by', _cdc_began_by, 'ended_by', _cdc_ended_by,
    'from_event', _cdc_from_event_id, 'to_event', _cdc_to_event_id, 'next_key', _cdc_next_key,
    'begins_behind', _cdc_valid_from > " ~ instant ~ ", 'ends_behind',
    coalesce(_cdc_valid_to > " ~ instant ~ ", true),
    'row', " ~ adapter.debezium().text.exact_json(debezium_spark.image_struct(model.columns)) ~ ")")
}} as version
from (
    {{ versions | indent(4) }}
) as versions
where _cdc_key = {{ debezium_spark.text_literal(key) }} and _cdc_version > 0
order by _cdc_version
    {%- endset -%}
    {{- return(debezium_spark.run_texts(sql)) -}}
{%- endmacro -%}


{%- macro _explain_view() -%}
    {{- return(api.Relation.create(identifier='debezium_explained_walk', type='view')) -}}
{%- endmacro -%}
