{#-
    The queries of a document fold, which `src/dbt_debezium_spark/mongodb/documents.py` runs.
    `staging` is a view of the session; `state` and `watermark` are none when everything is folded
    again.

    * `profile`: the highest new batch, its partitions, and the latest time at the source;
    * `refolded_keys`: keys with late, moved or possibly repeated events, folded again from the log;
    * `events`: what is walked, in the order of arrival; `events_with_refolds`: with such keys. Each
      for events of `one_partition` and of `several_partitions`.

    `versions`: for a history, whose heads are its `state`.
-#}
{%- macro document_fold(
    config, staging, state=none, watermark=none, feed=false, versions=false
) -%}
    {%- set is_event = debezium_spark.is_row_event() -%}
    {%- set is_new = is_event ~ (' and _cdc_batch_id > ' ~ watermark if state else '') -%}
    {%- set narrow = debezium_spark.document_events(
        config, staging, is_new, with_texts=false, versions=versions
    ) -%}
    {%- set texts = {
        'profile': debezium_spark._document_profile(staging, watermark if state else none),
        'events': debezium_spark._document_events_to_walk(
            config, staging, state, is_new, narrow, none, feed, versions
        ),
    } -%}
    {%- if state -%}
        {%- set refolded_keys = debezium_spark._refolded_documents(
            config, staging, state, watermark, narrow, versions
        ) -%}
        {%- do texts.update(
            {
                'refolded_keys': refolded_keys,
                'events_with_refolds': debezium_spark._document_events_to_walk(
                    config,
                    staging,
                    state,
                    is_new,
                    narrow,
                    debezium_spark.document_events(
                        config, staging, is_event, feed=feed, versions=versions
                    ),
                    feed,
                    versions
                ),
            }
        ) -%}
    {%- endif -%}
    {{- return(texts) -}}
{%- endmacro -%}


{#-
    Hash of the walk's version, its configuration and the fingerprints of staging. Its members stay.
-#}
{%- macro document_fingerprint(
    config, fields, staging_fingerprints, feed=false, history=none
) -%}
    {%- set members = {
        'walk': 4,
        'epochs': config.get('epochs'),
        'incarnations': config.get('incarnations'),
        'fields': fields,
        'staged': staging_fingerprints,
    } -%}
    {%- if feed -%}{%- do members.update({'feed': true}) -%}{%- endif -%}
    {%- if history is not none -%}{%- do members.update({'history': history}) -%}{%- endif -%}
    {{- return(local_md5(tojson(members))) -}}
{%- endmacro -%}


{%- macro _document_profile(staging, watermark) -%}
select
    max(_cdc_batch_id) as highest,
    min(case
        when _cdc_key is not null then {{ debezium_spark.partition_text() }}
    end) as lowest_partition,
    max(case
        when _cdc_key is not null then {{ debezium_spark.partition_text() }}
    end) as highest_partition,
    max(unix_micros(_cdc_source_at)) as newest
from {{ staging }}
{%- if watermark is not none %}
where _cdc_batch_id > {{ watermark }}
{%- endif %}
{%- endmacro -%}


{#-
    SELECT: the events to walk; keys of the view `refolded_keys` come from `log`. `may_repeat`:
    another event has the identity; the walk remembers only these.
-#}
{%- macro _document_events_to_walk(
    config, staging, state, is_new, narrow, log, feed=false, versions=false
) -%}
    {%- set texts = {} -%}
    {%- for name, several_partitions in [('one_partition', false), ('several_partitions', true)] -%}
        {%- do texts.update({name: debezium_spark._document_walk(
            config, staging, state, is_new, narrow, log, feed, versions, several_partitions
        )}) -%}
    {%- endfor -%}
    {{- return(texts) -}}
{%- endmacro -%}


{%- macro _document_walk(
    config, staging, state, is_new, narrow, log, feed, versions, several_partitions
) -%}
with
{%- if state %}

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
        {{ debezium_spark.document_events(
            config, staging, is_new, feed=feed, versions=versions
        ) | indent(8) }}
    ) as new_events
    {%- if log %}
    left anti join refolded_keys on new_events.row_key = refolded_keys.row_key

    union all

    select *
    from (
        {{ log | indent(8) }}
    ) as log_events
    left semi join refolded_keys on log_events.row_key = refolded_keys.row_key
    {%- endif %}
    {%- if state %}

    union all

    {{ debezium_spark._state_documents(
        state, log is not none, feed, versions
    ) | indent(4) }}
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
    arrivals.*,
    repeats.identity is not null as may_repeat
from (
    {{ debezium_spark.events_with_arrival(
        'events', several_partitions, 'was_moved', 'row_key'
    ) | indent(4) }}
) as arrivals
left join repeats
    on arrivals.row_key = repeats.row_key and arrivals.identity = repeats.identity
distribute by arrivals.row_key
sort by arrivals.row_key, {{ debezium_spark.arrival_columns(several_partitions) }}
{%- endmacro -%}
