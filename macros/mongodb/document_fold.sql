{#-
    The queries of a document fold, which `src/dbt_debezium_spark/mongodb/documents.py` runs.
    `staging` is a view of the session; `state` and `watermark` are none when everything is folded
    again. A walk goes on from the document in the state; keys with late, moved or repeated events
    are walked from the log, and for a history (`versions`) all keys of the batch.

    * `profile`: the highest new batch, and the latest time at the source;
    * `refolded_keys`: keys that are walked from the log;
    * `events`: what is walked, in the order of arrival; `events_with_refolds`: with such keys.
-#}
{%- macro document_fold(config, staging, state=none, watermark=none, versions=false) -%}
    {%- set is_event = debezium_spark.is_row_event() -%}
    {%- set log = debezium_spark.document_events(config, staging, is_event) -%}
    {%- set texts = {'profile': debezium_spark._document_profile(
        staging, watermark if state else none
    )} -%}
    {%- if not state -%}
        {%- do texts.update({'events': debezium_spark._documents_to_walk([log])}) -%}
        {{- return(texts) -}}
    {%- endif -%}
    {%- set new = debezium_spark.document_events(
        config, staging, is_event ~ ' and _cdc_batch_id > ' ~ watermark
    ) -%}
    {%- set refolds = debezium_spark._with_keys(log, 'semi', 'refolded_keys') -%}
    {%- if versions -%}
        {%- set events = debezium_spark._documents_to_walk([refolds]) -%}
        {%- do texts.update({
            'refolded_keys': 'select distinct row_key from (' ~ new ~ ') as new_events',
            'events': events ~ ' limit 0',
            'events_with_refolds': events,
        }) -%}
        {{- return(texts) -}}
    {%- endif -%}
    {%- set held = debezium_spark._with_keys(
        debezium_spark._documents_of_state(state), 'semi',
        '(select distinct row_key from (' ~ new ~ ') as new_events)'
    ) -%}
    {%- do texts.update({
        'refolded_keys': debezium_spark._refolded_documents(config, staging, state, watermark, new),
        'events': debezium_spark._documents_to_walk([new, held]),
        'events_with_refolds': debezium_spark._documents_to_walk([
            debezium_spark._with_keys(new, 'anti', 'refolded_keys'),
            debezium_spark._with_keys(held, 'anti', 'refolded_keys'),
            refolds,
        ]),
    }) -%}
    {{- return(texts) -}}
{%- endmacro -%}


{#-
    Hash of the walk's version, its configuration and the fingerprints of staging. Its members stay.
-#}
{%- macro document_fingerprint(config, fields, staging_fingerprints, history=none) -%}
    {%- set members = {
        'walk': 5,
        'epochs': config.get('epochs'),
        'incarnations': config.get('incarnations'),
        'fields': fields,
        'staged': staging_fingerprints,
    } -%}
    {%- if history is not none -%}{%- do members.update({'history': history}) -%}{%- endif -%}
    {{- return(local_md5(tojson(members))) -}}
{%- endmacro -%}


{%- macro _document_profile(staging, watermark) -%}
select
    max(_cdc_batch_id) as highest,
    max(unix_micros(_cdc_source_at)) as newest
from {{ staging }}
{%- if watermark is not none %}
where _cdc_batch_id > {{ watermark }}
{%- endif %}
{%- endmacro -%}


{%- macro _with_keys(events, join, keys) -%}
select events.*
from (
    {{ events | indent(4) }}
) as events
left {{ join }} join {{ keys }} as walked_keys on events.row_key = walked_keys.row_key
{%- endmacro -%}


{#- SELECT: events to walk, in the order of arrival; the document of a state comes first.
    `may_repeat`: another event has the identity; the walk remembers only these. -#}
{%- macro _documents_to_walk(parts) -%}
with

events as (

    {{ parts | join('\n\nunion all\n\n') | indent(4) }}

),

repeats as (

    select
        row_key,
        identity
    from events
    where identity is not null
    group by row_key, identity
    having count(*) > 1

)

select
    arrivals.*,
    repeats.identity is not null as may_repeat
from (
    {{ debezium_spark.events_with_arrival('events', 'row_key') | indent(4) }}
) as arrivals
left join repeats
    on arrivals.row_key = repeats.row_key and arrivals.identity = repeats.identity
distribute by arrivals.row_key
sort by arrivals.row_key, is_staged, {{ debezium_spark.arrival_columns() }}
{%- endmacro -%}


{#- SELECT: the events that a document's walk takes. -#}
{%- macro document_events(config, staging, condition) -%}
{%- set epoch = "lpad(cast(" ~ debezium_spark.event_epoch(config) ~ " as string), 6, '0')" -%}
select
    _cdc_key as row_key,
    true as is_staged,
    _cdc_op as op,
    {{ debezium_spark.event_kind() | indent(4) }} as kind,
    _cdc_topic as topic,
    {{ debezium_spark.event_incarnation(config) }} as incarnation,
    _cdc_partition as `partition`,
    _cdc_offset as `offset`,
    _cdc_timestamp as `timestamp`,
    _cdc_pos as pos,
    concat({{ epoch }}, '/', _cdc_pos) as position,
    case
        when _cdc_op = 'r' then _cdc_identity
        else concat({{ epoch }}, '/', _cdc_identity)
    end as identity,
    _cdc_run_id as run_id,
    _cdc_event_id as event_id,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at,
    cast(null as timestamp) as deleted_at,
    _cdc_tx_id as tx_id,
    {{ debezium_spark.event_transaction(config) | indent(4) }} as tx,
    after,
    before,
    patch,
    update_description,
    cast(null as string) as last_op,
    cast(null as timestamp) as tombstone_at,
    cast(null as boolean) as is_incomplete,
    cast(null as bigint) as replays,
    cast(null as bigint) as unexplained,
    cast(null as string) as first_unexplained
from {{ staging }}
where {{ condition }}
{%- endmacro -%}


{%- macro _documents_of_state(state) -%}
select
    _cdc_key as row_key,
    false as is_staged,
    _cdc_op as op,
    'state' as kind,
    _cdc_fold_last_topic as topic,
    _cdc_fold_last_incarnation as incarnation,
    _cdc_fold_last_partition as `partition`,
    _cdc_fold_last_offset as `offset`,
    _cdc_fold_last_timestamp as `timestamp`,
    _cdc_pos as pos,
    _cdc_fold_mark as position,
    cast(null as string) as identity,
    cast(null as string) as run_id,
    cast(null as string) as event_id,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id,
    _cdc_landed_at as landed_at,
    _cdc_deleted_at as deleted_at,
    cast(null as string) as tx_id,
    cast(null as string) as tx,
    document as after,
    cast(null as string) as before,
    cast(null as string) as patch,
    cast(null as string) as update_description,
    _cdc_fold_last_op as last_op,
    _cdc_fold_tombstone_at as tombstone_at,
    coalesce(array_contains(_cdc_unavailable, 'document'), false) as is_incomplete,
    _cdc_fold_replays as replays,
    _cdc_fold_unexplained as unexplained,
    _cdc_fold_first_unexplained as first_unexplained
from {{ state }}
{%- endmacro -%}


{#-
    SELECT: keys that do not go on from their documents. Identities begin with a time, so file
    statistics exclude most of the log from the search for repeats.
-#}
{%- macro _refolded_documents(config, staging, state, watermark, new) -%}
{%- set batch = 'from ' ~ staging ~ ' where _cdc_batch_id > ' ~ watermark -%}
{%- set earlier = debezium_spark.document_events(
    config,
    staging,
    '_cdc_batch_id <= ' ~ watermark ~ ' and _cdc_identity between (select min(_cdc_identity) '
    ~ batch ~ ') and (select max(_cdc_identity) ' ~ batch ~ ')'
) -%}
with

new_events as (

    {{ new | indent(4) }}

)

select state._cdc_key as row_key
from (
    {{ debezium_spark.last_arrivals(state) | indent(4) }}
) as state
inner join (
    select
        row_key,
        {{ debezium_spark.first_arrivals() | indent(8) }}
    from new_events
    group by row_key
) as new_keys on state._cdc_key = new_keys.row_key
where
    _cdc_fold_is_moved
    or {{ debezium_spark.is_late_arrival() | indent(4) }}

union

select new_events.row_key
from new_events
left semi join (
    {{ earlier | indent(4) }}
) as log_events
    on new_events.row_key = log_events.row_key and new_events.identity = log_events.identity
{%- endmacro -%}
