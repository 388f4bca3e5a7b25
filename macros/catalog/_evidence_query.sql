{#-
    SELECT: the evidence of a catalog as JSON texts, for
    `src/dbt_debezium_spark/catalog/evidence.py`.

    A row stands for a pair of embedded schemas, or a schema change, in one topic and of one table:
    rows are as many as distinct schemas, however many records there were. Its points are the
    furthest record in the source's log and the last one, for each incarnation, epoch and full
    snapshot.
-#}
{%- macro _evidence_query(config, schemas) -%}
with

{{ debezium_spark._evidence_points(config, schemas) }},

evidence as (

    select
        topic,
        max(kind) as kind,
        max(key_schema) as key_schema,
        max(value_schema) as value_schema,
        max(key_fields) as key_fields,
        max(value_fields) as value_fields,
        max(source_block) as source_block,
        get_json_object(max(definition), '$.tableChanges') as table_changes,
        min(first_seen) as first_seen,
        min(lowest_position) as lowest_position,
        -- a full snapshot shows columns that the stream leaves out: only changes show when one
        -- was there
        min(lowest_position) filter (where not is_snapshot) as lowest_streamed,
        max(highest.position) filter (where not is_snapshot) as highest_streamed,
        flatten(
            collect_list(
                array(
                    {%- for point in ['highest', 'last'] %}
                    named_struct(
                        'incarnation', incarnation,
                        'epoch', epoch,
                        'position', {{ point }}.position,
                        'seen', {{ point }}.seen,
                        'restarted', if(is_snapshot, first_seen, null)
                    ){{ ',' if not loop.last }}
                    {%- endfor %}
                )
            )
        ) as points
    from points
    group by topic, key_hash, value_hash, origin_hash

)

select to_json(struct(*)) as evidence_row
from evidence
where kind in ('data', 'schema_change')
{%- endmacro -%}


{#- CTEs, `points` last: where each schema was seen, in the last record and in the highest one. -#}
{%- macro _evidence_points(config, schemas) -%}
    {%- set seen = "named_struct(
                'at', unix_micros(_cdc_timestamp),
                'topic', topic,
                'partition', partition,
                'offset', _cdc_offset
            )" -%}
-- the last record of each sighting, and the one with the highest position
sightings as (

    select
        topic,
        partition,
        key_hash,
        value_hash,
        origin_hash,
        {{ debezium_spark._kind_in_source(config) }} as kind,
        key_schema,
        value_schema,
        key_fields,
        value_fields,
        source_block,
        definition,
        lowest_position,
        coalesce(is_snapshot, false) as is_snapshot,
        named_struct(
            'at', unix_micros(first_timestamp),
            'topic', topic,
            'partition', partition,
            'offset', first_offset
        ) as first_seen,
        point.position,
        topic as _cdc_topic,
        partition as _cdc_partition,
        point.offset as _cdc_offset,
        point.at as _cdc_timestamp
    from {{ schemas }}
    lateral view explode(
        array(
            named_struct('at', last_timestamp, 'offset', last_offset, 'position', last_position),
            named_struct(
                'at', coalesce(highest_timestamp, last_timestamp),
                'offset', coalesce(highest_offset, last_offset),
                'position', highest_position
            )
        )
    ) exploded as point

),

placed_sightings as (

    select
        *,
        {{ debezium_spark.event_incarnation(config) }} as incarnation,
        {{ debezium_spark.event_epoch(config) }} as epoch,
        {{ seen }} as seen
    from sightings

),

-- snapshots one by one, because each may begin a new life of its database
points as (

    select
        topic,
        key_hash,
        value_hash,
        origin_hash,
        is_snapshot,
        incarnation,
        epoch,
        max(kind) as kind,
        max(key_schema) as key_schema,
        max(value_schema) as value_schema,
        max(key_fields) as key_fields,
        max(value_fields) as value_fields,
        max(source_block) as source_block,
        max(definition) as definition,
        min(lowest_position) as lowest_position,
        min(first_seen) as first_seen,
        max(named_struct('position', position, 'seen', seen)) as highest,
        max(named_struct('seen', seen, 'position', position)) as last
    from placed_sightings
    group by
        topic,
        key_hash,
        value_hash,
        origin_hash,
        is_snapshot,
        incarnation,
        epoch,
        if(is_snapshot, position, null)

)
{%- endmacro -%}


{#- None unless dbt runs a model: only a run may look at data. -#}
{%- macro _evidence_rows(config, schemas) -%}
    {%- if not debezium_spark.is_running() -%}{{- return([]) -}}{%- endif -%}
    {{- return(adapter.debezium().run.evidence(debezium_spark._evidence_query(config, schemas))) -}}
{%- endmacro -%}
