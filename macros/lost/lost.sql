{#-
    Evidence of lost events (docs/lost.md), of sources with the option `offset_gaps`. One row each:

    | kind           | row_key  | offset | expected              | found                        |
    |----------------|----------|--------|-----------------------|------------------------------|
    | broken_chain   | {"id":1} | 7      | image of t:0:5        | before differs in: total     |
    | unknown_row    | {"id":2} | 9      | an event of the row   | u                            |
    | offset_gap     |          | 12     | offsets 12 to 13      | offset 14                    |

    `sources`: {source, relation, transactions}, the raw table and, of sources with transaction
    metadata, `debezium_obs__transactions`; `stagings`: {source, table, relation}.
-#}
{%- macro obs_lost(sources, stagings) -%}
    {{- return(adapter.dispatch('obs_lost', 'debezium_spark')(sources, stagings)) -}}
{%- endmacro -%}


{%- macro default__obs_lost(sources, stagings) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.view_inputs(
        stagings | map(attribute='relation') | list,
        sides=sources | map(attribute='relation') | list,
    ) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set parts, raws = [], {} -%}
    {%- for entry in debezium_spark.existing_entries(sources) -%}
        {%- do raws.update({entry.source: entry.relation}) -%}
        {%- if entry.transactions -%}
            {%- do parts.append(debezium_spark._lost_of_transactions(entry)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for staging in debezium_spark.existing_entries(stagings) if staging.source in raws -%}
        {%- set config = debezium_spark.source_config(staging.source) -%}
        {%- if not debezium_spark.holds_documents(staging.source) -%}
            {%- do parts.append(
                debezium_spark._lost_of_keys(config, staging, raws[staging.source])
            ) -%}
        {%- endif -%}
        {%- if config.offset_gaps == 'lost' -%}
            {%- do parts.append(
                debezium_spark._lost_offsets(config, staging, raws[staging.source])
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {{- return(debezium_spark.union_of_parts('lost', parts)) -}}
{%- endmacro -%}


{#- SELECT: overdue transactions; the view of transactions has all about them. -#}
{%- macro _lost_of_transactions(entry) -%}
select
    source_name,
    table_name,
    'missing_in_transaction' as kind,
    cast(null as string) as row_key,
    transaction_id,
    cast(null as string) as topic,
    cast(null as int) as `partition`,
    cast(null as bigint) as `offset`,
    concat(expected, ' events') as expected,
    concat(landed, ' events') as found,
    'docs/lost.md#kinds' as rule,
    _cdc_batch_id
from {{ entry.transactions }}
where
    source_name = {{ debezium_spark.text_literal(entry.source) }}
    and is_overdue
    and status = 'incomplete'
{%- endmacro -%}


{#- SELECT: events that do not follow the one applied before them, or that know an unknown row. -#}
{%- macro _lost_of_keys(config, staging, raw) -%}
{%- set plan = dict(
    debezium_spark.whole_plan(config, staging.table, []), lookup_columns=['_lost']
) -%}
{%- set log = debezium_spark._log_with_images(config, staging, raw) -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    if(step_before is null, 'unknown_row', 'broken_chain') as kind,
    row_key,
    cast(null as string) as transaction_id,
    topic,
    `partition`,
    `offset`,
    case
        when step_before is null then 'an event of the row'
        when step_before.op = 'd' then 'no row'
        else concat('the image of ', topic, ':', `partition`, ':', step_before.`offset`)
    end as expected,
    case
        when step_before is null then op
        when step_before.op = 'd' then 'a row in before'
        else concat('before differs in: ', array_join(array_sort(differing), ', '))
    end as found,
    'docs/lost.md#kinds' as rule,
    batch_id as _cdc_batch_id
from (
    with

    {{ debezium_spark.walk(config, log, plan) | indent(4) }},

    steps as (

        select
            *,
            last_value(case when is_applied then struct(
                op, topic, incarnation, `partition`, `offset`, epoch_pos, value_1 as own,
                repeats
            ) end) ignore nulls over (
                partition by {{ debezium_spark.walk_key() }} order by arrival
                rows between unbounded preceding and 1 preceding
            ) as step_before,
            count_if(op in ('d', 'tombstone')) over (partition by {{ debezium_spark.walk_key() }})
                = 0 as stays
        from (
            select
                *,
                count_if(verdict = 'repeat') over (
                    partition by {{ debezium_spark.walk_key() }} order by arrival
                    rows between unbounded preceding and current row
                ) as repeats
            from walk
        ) as counted_steps

    ),

    snapshots as (

        {{ debezium_spark._initial_snapshots(config, staging.relation) | indent(8) }}

    )

    select
        *,
        filter(
            map_keys(value_1.before),
            name -> map_contains_key(step_before.own.stands, name)
                and step_before.own.stands[name] != value_1.before[name]
        ) as differing
    from steps
    cross join snapshots
) as compared_steps
where
    verdict = 'change'
    and op in ('u', 'd')
    and case
        when step_before is null then arrival = 1 and op = 'u' and stays
            and value_1.holes = 0 and exists(list,
            s -> s.topic = compared_steps.topic
                and s.incarnation = compared_steps.incarnation
                and s.ended_at < compared_steps.`timestamp`
                and left(s.epoch_stream_pos, 6) = left(compared_steps.epoch_pos, 6)
                and s.epoch_stream_pos < compared_steps.epoch_stream_pos
        )
        when struct(step_before.topic, step_before.incarnation, step_before.`partition`)
            = struct(topic, incarnation, `partition`)
            then step_before.own.holes = value_1.holes
                and step_before.op in ('c', 'u', 'd')
                and left(step_before.epoch_pos, 6) = left(epoch_pos, 6)
                and step_before.epoch_pos <= epoch_pos
                {%- if config.offset_gaps == 'compacted' %}
                and step_before.epoch_pos != epoch_pos
                and step_before.repeats = repeats
                and not is_moved
                {%- endif %}
                and value_1.before is not null
                and (step_before.op = 'd' or size(differing) > 0)
    end
{%- endmacro -%}


{#-
    SQL: the staged log with `_lost`: hashes of the values that `before` tells and of the row that
    stands behind the event, by column, and how many offsets without an event explain a break. Raw
    is read again: staging has `before` of tables without a key alone, and its NULL does not say
    whether the image told the column.
-#}
{%- macro _log_with_images(config, staging, raw) -%}
{%- set debezium = adapter.debezium() -%}
{%- set place = '_cdc_topic, ' ~ debezium_spark.event_incarnation(config) ~ ', _cdc_partition' -%}
{%- set forms = config.unavailable_value_forms.values() | list -%}
{%- set is_complete = debezium.staging.before_is_complete(config, staging.table)
    if debezium.staging.has_complete_before(config, staging.table) else 'false' -%}
{%- set before = 'case when ' ~ is_complete ~ ' then '
    ~ debezium_spark.envelope_member('before') ~ ' end' -%}
{%- set call = debezium_spark._records_read(staging.relation) -%}
{%- set missing = '`offset` + 1 - row_number() over (partition by topic, '
    ~ debezium_spark.event_incarnation(config, '`timestamp`')
    ~ ', `partition` order by `offset`)' -%}
(
    select
        staged.*,
        struct(
            images.before,
            map_concat(
                map_filter(
                    coalesce(images.before, cast(map() as map<string, bigint>)),
                    (name, hash) -> not coalesce(map_contains_key(images.after, name), false)
                ),
                coalesce(images.after, cast(map() as map<string, bigint>))
            ) as stands,
            unread + missing as holes
        ) as _lost
    from (
        select
            *,
            count_if(_cdc_op is null) over (
                partition by {{ place }} order by _cdc_offset
            ) as unread
        from {{ staging.relation }}
    ) as staged
    inner join (
        select
            topic,
            `partition`,
            `offset`,
            `timestamp`,
            missing,
            {{ debezium_spark._known_hashes(before, forms) | indent(12) }} as before,
            {{ debezium_spark._known_hashes(
                debezium_spark.envelope_member('after'), forms
            ) | indent(12) }} as after
        from (
            select
                topic,
                `partition`,
                `offset`,
                `timestamp`,
                {{ missing if config.offset_gaps == 'compacted' else '0' }} as missing,
                from_json(
                    {{ debezium.decode.exact_numbers(config, 'value') }},
                    '{{ debezium_spark.envelope_schema(config.connector, true) }}'
                ) as message
            from {{ raw }}
            where {{ debezium.staging.topic_condition(call.topics) if call else 'true' }}
        ) as messages
    ) as images
        on
            staged._cdc_topic = images.topic
            and staged._cdc_partition = images.`partition`
            and staged._cdc_offset = images.`offset`
            and staged._cdc_timestamp = images.`timestamp`
)
{%- endmacro -%}


{#- SQL: a map of the columns of an image to hashes of their texts, without unavailable values. -#}
{%- macro _known_hashes(image, forms) -%}
transform_values(
    map_filter({{ image }}, (name, text) ->
        not coalesce(text in ({{ debezium_spark.text_literals(forms) }}), false)),
    (name, text) -> xxhash64(text)
)
{%- endmacro -%}


{#-
    SELECT: one row, a list of the complete snapshots with no change before their end. Only of
    connectors that read all rows as of one position: others read while rows change.
-#}
{%- macro _initial_snapshots(config, staging) -%}
select
    collect_list(struct(topic, incarnation, epoch_stream_pos, ended_at)) as list
from (
    select
        topic,
        incarnation,
        epoch_stream_pos,
        max(ended_at) as ended_at,
        bool_or(has_last) as is_complete
    from (
        {{ debezium_spark.staged_snapshots(config, staging) | indent(8) }}
    ) as parts
    where {{ adapter.debezium().config.connector_of(config).reads_at_once | string | lower }}
    group by topic, incarnation, epoch_stream_pos, run_id
) as reads
where
    is_complete
    and not exists (select 1 from {{ staging }} where _cdc_op = 't')
    and ended_at < (
        select min(_cdc_timestamp) from {{ staging }} where _cdc_op in ('c', 'u', 'd', 't')
    )
{%- endmacro -%}


{#- SELECT: offsets that did not land, of the partitions in which a table has records. -#}
{%- macro _lost_offsets(config, staging, raw) -%}
{%- set place = 'topic, incarnation, `partition`' -%}
{%- set incarnation = debezium_spark.event_incarnation(config, '`timestamp`') -%}
{%- set rejected = debezium_spark.existing_entries([{'relation': api.Relation.create(
    database=raw.database, schema=raw.schema, identifier=raw.identifier ~ '__rejected'
)}]) if raw is not string else [] -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    if(previous is null, 'late_beginning', 'offset_gap') as kind,
    cast(null as string) as row_key,
    cast(null as string) as transaction_id,
    topic,
    `partition`,
    coalesce(previous + 1, 0) as `offset`,
    concat('offsets ', coalesce(previous + 1, 0), ' to ', `offset` - 1) as expected,
    concat('offset ', `offset`) as found,
    'docs/lost.md#kinds' as rule,
    _cdc_batch_id
from (
    select
        *,
        lag(`offset`) over (partition by {{ place }} order by `offset`) as previous
    from (
        select
            topic,
            {{ incarnation }} as incarnation,
            `partition`,
            `offset`,
            _cdc_batch_id
        from {{ raw }}
        where topic in (select _cdc_topic from {{ staging.relation }})
    ) as landed
) as neighbours
where
    `offset` > coalesce(previous + 1, 0)
    and (
        previous is not null
        or not exists (
            select 1 from {{ staging.relation }}
            where
                _cdc_op = 'r'
                and _cdc_stream_pos is not null
                and _cdc_snapshot in ('last', 'last_in_data_collection')
        )
    )
    {%- for side in rejected %}
    {# what could not land is in quarantine #}
    and not exists (
        select 1 from {{ side.relation }} as r
        where
            r.topic = neighbours.topic
            and r.`partition` = neighbours.`partition`
            and r.`offset` between coalesce(previous + 1, 0) and neighbours.`offset` - 1
    )
    {%- endfor %}
{%- endmacro -%}
