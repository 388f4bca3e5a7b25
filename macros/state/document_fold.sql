{#-
    The SQL by which a state of documents is folded, as texts: the materialization
    `debezium_documents` hands them to Python, which looks at what the batch needs and walks the
    documents (`src/dbt_debezium_spark/mongodb/documents.py`).

    `staging` is the name under which Python finds the staged events; `state` the state's table,
    none when everything is folded again; `watermark` the highest batch that is in it.

    * `profile`: highest new batch, and in which partitions its events lie;
    * `refolded_keys`: keys whose new events change what was folded already: they arrived earlier
      than the last one folded or in another partition, or something of their identity was delivered
      before. They are folded again from the whole log;
    * `events`: what is walked; `events_with_refolds`: the same where there are such keys.
-#}
{%- macro document_fold(config, staging, state=none, watermark=none) -%}
    {%- set is_event = debezium_spark.is_row_event() -%}
    {%- set is_new = is_event ~ (' and _cdc_batch_id > ' ~ watermark if state else '') -%}
    {%- set narrow = debezium_spark.document_events(config, staging, is_new, with_texts=false) -%}
    {%- set texts = {
        'profile': debezium_spark._document_profile(staging, watermark if state else none),
        'events': debezium_spark._document_events_to_walk(
            config, staging, state, is_new, narrow, none
        ),
    } -%}
    {%- if state -%}
        {%- set refolded_keys = debezium_spark._refolded_documents(
            config, staging, state, watermark, narrow
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
                    debezium_spark.document_events(config, staging, is_event)
                ),
            }
        ) -%}
    {%- endif -%}
    {{- return(texts) -}}
{%- endmacro -%}


{#-
    Text that changes when held documents no longer fit: the walk's own version, the configuration
    it depends on, or what the staged events were read by.
-#}
{%- macro document_fingerprint(config, fields, staging_fingerprints) -%}
    {{- return(
        local_md5(
            tojson(
                {
                    'walk': 3,
                    'epochs': config.get('epochs'),
                    'incarnations': config.get('incarnations'),
                    'fields': fields,
                    'staged': staging_fingerprints,
                }
            )
        )
    ) -}}
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
    SELECT: the events to walk. `log`: SELECT of all events, where some keys (`refolded_keys`, a
    view) are folded again from it. `may_repeat`: another event of the document has its identity;
    few have, and the walk remembers only theirs.
-#}
{%- macro _document_events_to_walk(config, staging, state, is_new, narrow, log) -%}
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
        {{ debezium_spark.document_events(config, staging, is_new) | indent(8) }}
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

    {{ debezium_spark._state_documents(state, log is not none) | indent(4) }}
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
