{#-
    The SQL by which a state of documents is folded, as texts: the materialization `debezium_documents` hands them to Python, which looks at
    what the batch needs and walks the documents (`src/dbt_debezium_spark/mongodb/documents.py`).

    `staging` is the name under which Python finds the staged events; `held` the state's table, none when everything is folded anew;
    `watermark` the highest batch that is in it.

    * `profile`: highest new batch, and in which partitions its events lie;
    * `refolded`: keys whose new events change what was folded already: they arrived earlier than the last one folded or in another
      partition, or something of their identity was delivered before. They are folded again from the whole log;
    * `events`: what is walked; `events_with_refolds`: the same where there are such keys.
-#}
{%- macro document_fold(config, staging, held=none, watermark=none) -%}
    {%- set is_event = debezium_spark.is_row_event() -%}
    {%- set is_new = is_event ~ (' and _cdc_batch_id > ' ~ watermark if held else '') -%}
    {%- set narrow = debezium_spark.document_events(config, staging, is_new, with_texts=false) -%}
    {%- set texts = {
        'profile': debezium_spark._document_profile(staging, watermark if held else none),
        'events': debezium_spark._document_events_to_walk(config, staging, held, is_new, narrow, none),
    } -%}
    {%- if held -%}
        {%- set refolded = debezium_spark._refolded_documents(config, staging, held, watermark, narrow) -%}
        {%- do texts.update({
            'refolded': refolded,
            'events_with_refolds': debezium_spark._document_events_to_walk(
                config, staging, held, is_new, narrow, debezium_spark.document_events(config, staging, is_event)
            ),
        }) -%}
    {%- endif -%}
    {{- return(texts) -}}
{%- endmacro -%}


{#-
    Text that changes when held documents no longer fit: the walk's own version, the configuration it depends on, or what the staged
    events were read by.
-#}
{%- macro document_fingerprint(config, fields, staged) -%}
    {{- return(local_md5(tojson({
        'walk': 3, 'epochs': config.get('epochs'), 'incarnations': config.get('incarnations'), 'fields': fields, 'staged': staged,
    }))) -}}
{%- endmacro -%}


{#- SELECT: staged events in the form that is walked. -#}
{%- macro document_events(config, staging, condition, with_texts=true) -%}
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
    case when _cdc_op = 'r' then _cdc_identity else concat({{ epoch }}, '/', _cdc_identity) end as identity,
    _cdc_run_id as run_id,
    _cdc_event_id as event_id,
    _cdc_source_at as source_at,
    _cdc_batch_id as batch_id
    {%- if with_texts %},
    after,
    before,
    patch,
    update_description,
    cast(null as string) as last_op,
    cast(null as timestamp) as tombstone_at,
    cast(null as boolean) as is_incomplete,
    cast(null as bigint) as replays,
    cast(null as bigint) as unexplained,
    cast(null as string) as first_unexplained,
    false as was_moved
    {%- endif %}
from {{ staging }}
where {{ condition }}
{%- endmacro -%}


{#- SELECT: the rows of touched documents as the first events of their walks. -#}
{%- macro _held_documents(held, except_refolded) -%}
select
    _cdc_key as row_key,
    false as is_staged,
    _cdc_op as op,
    'state' as kind,
    _cdc_fold_topic as topic,
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
    document as after,
    cast(null as string) as before,
    cast(null as string) as patch,
    cast(null as string) as update_description,
    _cdc_fold_last_op as last_op,
    _cdc_fold_tombstone_at as tombstone_at,
    coalesce(array_contains(_cdc_unavailable, 'document'), false) as is_incomplete,
    _cdc_fold_replays as replays,
    _cdc_fold_unexplained as unexplained,
    _cdc_fold_first_unexplained as first_unexplained,
    _cdc_fold_is_moved as was_moved
from {{ held }}
left semi join new_keys on {{ held }}._cdc_key = new_keys.row_key
{%- if except_refolded %}
left anti join refolded_keys on {{ held }}._cdc_key = refolded_keys.row_key
{%- endif %}
{%- endmacro -%}


{%- macro _document_profile(staging, watermark) -%}
select
    max(_cdc_batch_id) as highest,
    min(case when _cdc_key is not null then _cdc_partition end) as lowest_partition,
    max(case when _cdc_key is not null then _cdc_partition end) as highest_partition
from {{ staging }}
{%- if watermark is not none %}
where _cdc_batch_id > {{ watermark }}
{%- endif %}
{%- endmacro -%}


{#-
    SELECT: keys to be folded again from the log. Identities begin with the time of the change, so file statistics leave out most of
    the log where it is asked whether one was delivered before.
-#}
{%- macro _refolded_documents(config, staging, held, watermark, narrow) -%}
with

new_events as (

    {{ narrow | indent(4) }}

),

new_keys as (

    select
        row_key,
        min(struct(incarnation, `offset`)) as first_offset,
        min(struct(incarnation, `timestamp`, `partition`, `offset`)) as first_moved,
        min(`partition`) as lowest_partition,
        max(`partition`) as highest_partition
    from new_events
    group by row_key

),

late_keys as (

    select {{ held }}._cdc_key as row_key
    from {{ held }}
    inner join new_keys on {{ held }}._cdc_key = new_keys.row_key
    where
        case
            when _cdc_fold_is_moved
                then new_keys.first_moved <= struct(
                    _cdc_fold_last_incarnation, _cdc_fold_last_timestamp, _cdc_fold_last_partition, _cdc_fold_last_offset
                )
            else
                new_keys.lowest_partition != _cdc_fold_last_partition
                or new_keys.highest_partition != _cdc_fold_last_partition
                or new_keys.first_offset <= struct(_cdc_fold_last_incarnation, _cdc_fold_last_offset)
        end

),

repeated_keys as (

    select new_events.row_key
    from new_events
    left semi join (
        {{ debezium_spark.document_events(
            config, staging,
            "_cdc_batch_id <= " ~ watermark ~ " and _cdc_identity between (select min(_cdc_identity) from " ~ staging
                ~ ' where _cdc_batch_id > ' ~ watermark ~ ') and (select max(_cdc_identity) from ' ~ staging ~ ' where _cdc_batch_id > '
                ~ watermark ~ ')',
            with_texts=false,
        ) | indent(8) }}
    ) as logged
        on new_events.row_key = logged.row_key and new_events.identity = logged.identity

)

select row_key from late_keys
union
select row_key from repeated_keys
{%- endmacro -%}


{#-
    SELECT: the events to walk. `log`: SELECT of all events, where some keys (`refolded_keys`, a view) are folded again from it. `may_repeat`:
    another event of the document has its identity; few have, and the walk remembers only theirs.
-#}
{%- macro _document_events_to_walk(config, staging, held, is_new, narrow, log) -%}
with
{%- if held %}

new_keys as (

    select distinct row_key
    from (
        {{ narrow | indent(8) }}
    ) as new_events

),
{%- endif %}

events as (

    select *
    from (
        {{ debezium_spark.document_events(config, staging, is_new) | indent(8) }}
    ) as new_events
    {%- if log %}
    left anti join refolded_keys on new_events.row_key = refolded_keys.row_key

    union all

    select *
    from (
        {{ log | indent(8) }}
    ) as logged
    left semi join refolded_keys on logged.row_key = refolded_keys.row_key
    {%- endif %}
    {%- if held %}

    union all

    {{ debezium_spark._held_documents(held, log is not none) | indent(4) }}
    {%- endif %}

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
    events.*,
    repeats.identity is not null as may_repeat
from events
left join repeats
    on events.row_key = repeats.row_key and events.identity = repeats.identity
{%- endmacro -%}
