{#- Lateness: how long there has been no sign of a source, and how long records have waited:
    in Kafka, in raw, in staging. Both only of sources with `max_lag`. -#}

{#- SQL: the time by which lateness is shown: that of the query, or the var `debezium_as_of`. -#}
{%- macro _as_of() -%}
    {%- set moment = var('debezium_as_of', none) -%}
    {{- return(debezium_spark.moment_literal(moment) if moment else 'current_timestamp()') -}}
{%- endmacro -%}


{%- macro moment_literal(moment) -%}
    {%- set debezium = adapter.debezium() -%}
    {{- return(
        'cast(' ~ debezium_spark.text_literal(debezium.config.utc_text(moment)) ~ ' as timestamp)'
    ) -}}
{%- endmacro -%}


{#-
    What the text of the view depends on besides the tables that it reads; none if they do not
    record what they are up to date with. In place of a view, a table also depends on raw records
    and on what is left in Kafka, because both change without a word of a staging model.
-#}
{%- macro _observed_inputs(raws, stagings, limits) -%}
    {%- set sides = [] -%}
    {%- for source, raw in raws if source in limits -%}
        {%- do sides.extend([raw, debezium_spark._ledger_of(raw)]) -%}
    {%- endfor -%}
    {%- set relations = stagings | map(attribute='relation') | list -%}
    {%- set inputs = debezium_spark.view_inputs(
        relations + stagings | map(attribute='state') | list, sides=sides
    ) -%}
    {%- if inputs is not none -%}
        {%- do inputs.update({'limits': limits, 'as_of': var('debezium_as_of', none) | string}) -%}
    {%- endif -%}
    {{- return(inputs) -}}
{%- endmacro -%}


{#- {source: seconds} of the sources with `max_lag`; other sources are never late. -#}
{%- macro _lag_limits(names) -%}
    {%- set limits = {} -%}
    {%- for name in names | unique -%}
        {%- set limit = debezium_spark.source_config(name).get('max_lag') -%}
        {%- if limit -%}{%- do limits.update({name: limit}) -%}{%- endif -%}
    {%- endfor -%}
    {{- return(limits) -}}
{%- endmacro -%}


{#- SQL: a time of the source's clock, which a damaged record may set to any, on our clock. -#}
{%- macro _no_later_than_landed(time) -%}
    {{- return('least(' ~ time ~ ', _cdc_landed_at)') -}}
{%- endmacro -%}


{#- The table beside a raw table that has what landing found and left. -#}
{%- macro _ledger_of(raw) -%}
    {{- return(api.Relation.create(
        database=raw.database, schema=raw.schema, identifier=raw.identifier ~ '__files'
    )) -}}
{%- endmacro -%}


{#- CTE `heartbeats`: the time in the newest heartbeat of each source, else that of its record. -#}
{%- macro _heartbeats_of_sources(raws, limits) -%}
{%- set raw_tables = [] -%}
{%- for source, raw in raws if source in limits -%}
    {%- do raw_tables.append({'source': source, 'relation': raw}) -%}
{%- endfor -%}
{%- set text = (
    "coalesce(get_json_object(value, '$.payload.ts_ms'), get_json_object(value, '$.ts_ms'))"
) -%}
heartbeats as (

    {%- for raw in debezium_spark.existing_entries(raw_tables) %}
    {%- set topic = adapter.debezium().config.heartbeat_topic(
        debezium_spark.source_config(raw.source)
    ) %}
    select
        {{ debezium_spark.text_literal(raw.source) }} as source_name,
        max({{ debezium_spark._no_later_than_landed(
            'coalesce(timestamp_millis(if(' ~ text ~ " rlike '^[0-9]{1,14}$', cast(" ~ text
            ~ ' as bigint), null)), timestamp)'
        ) }}) as newest_heartbeat_at
    from {{ raw.relation }}
    where topic = {{ debezium_spark.text_literal(topic) }}
    {{- '\n    union all' if not loop.last }}
    {%- else %}
    select
        cast(null as string) as source_name,
        cast(null as timestamp) as newest_heartbeat_at
    from range(0)
    {%- endfor %}

)
{%- endmacro -%}


{#- SELECTs for the CTE `batches` (obs_tables): what landed, and what is left in Kafka. -#}
{%- macro _landed_batches(stagings, raws, limits) -%}
    {%- set parts, raw_tables = [], [] -%}
    {%- for source, raw in raws if source in limits -%}
        {%- do raw_tables.append({'source': source, 'relation': raw}) -%}
    {%- endfor -%}
    {%- for raw in debezium_spark.existing_entries(raw_tables) -%}
        {%- set config, read_topics = debezium_spark.source_config(raw.source), [] -%}
        {%- set is_limited = config.input.get('max_records_per_run') and
            debezium_spark.existing_entries([{'relation': debezium_spark._ledger_of(raw.relation)}])
        -%}
        {%- for staging in stagings if staging.source == raw.source -%}
            {%- set call = debezium_spark._records_read(staging.relation) -%}
            {%- if call and (call.shared_topic or call.origins) -%}
                {%- do parts.append(
                    debezium_spark._landed_of_table(config, staging, call, raw.relation)
                ) -%}
            {%- elif call -%}
                {%- for topic in call.topics -%}
                    {%- do read_topics.append({'topic': topic, 'table_name': staging.table}) -%}
                {%- endfor -%}
            {%- endif -%}
            {%- if call and is_limited -%}
                {%- do parts.append(
                    debezium_spark._left_in_kafka(staging, call.topics, raw.relation)
                ) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if read_topics -%}
            {%- do parts.append(debezium_spark._landed_of_topics(raw, read_topics)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(parts) -}}
{%- endmacro -%}


{#- Topics and origins in the call of a staging model; none if its text does not show them. -#}
{%- macro _records_read(relation) -%}
    {%- set calls = [] -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values()
            if node.resource_type == 'model' and node.alias == relation.identifier -%}
            {%- do calls.append(adapter.debezium().models.records_read(node.raw_code, var)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(calls | first if calls else none) -}}
{%- endmacro -%}


{#-
    SELECT: what the limit of the last run left in the table's topics. It is not older than the
    newest record of the topic that has landed.
-#}
{%- macro _left_in_kafka(staging, topics, raw) -%}
    {%- set paths = [] -%}
    {%- for topic in topics -%}
        {%- do paths.append('kafka:' ~ topic) -%}
    {%- endfor -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    'landing' as waits_for,
    null as batch_id,
    sum(remaining) as records,
    coalesce(
        (
            select max({{ debezium_spark._no_later_than_landed('timestamp') }}) from {{ raw }}
            where {{ adapter.debezium().staging.topic_condition(topics) }}
        ),
        min(seen_at)
    ) as since,
    null as newest,
    null as folded
from (
    select
        path,
        max_by(coalesce(remaining, 0), _cdc_landed_at) as remaining,
        max(_cdc_landed_at) as seen_at
    from {{ debezium_spark._ledger_of(raw) }}
    where regexp_replace(path, '/[0-9]+$', '') in ({{ debezium_spark.text_literals(paths) }})
    group by path
) as partitions
where remaining > 0
having count(*) > 0
{%- endmacro -%}


{#- SELECT: what landed of the topics of a source that tables read whole, in one scan. -#}
{%- macro _landed_of_topics(raw, read_topics) -%}
select
    {{ debezium_spark.text_literal(raw.source) }} as source_name,
    table_name,
    'staging' as waits_for,
    batch_id,
    records,
    since,
    null as newest,
    null as folded
from (
    select
        topic,
        _cdc_batch_id as batch_id,
        count(*) as records,
        min({{ debezium_spark._no_later_than_landed('timestamp') }}) as since
    from {{ raw.relation }}
    group by topic, _cdc_batch_id
) as landed
inner join (
    select inline(
        from_json(
            {{ debezium_spark.text_literal(tojson(read_topics)) }},
            'array<struct<topic: string, table_name: string>>'
        )
    )
) as read_topics using (topic)
{%- endmacro -%}


{#-
    SELECT: the same of one table in topics with others: records of other tables that turn up there
    are no sign of this one.
-#}
{%- macro _landed_of_table(config, staging, call, raw) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set conditions = [
        debezium.staging.topic_condition(call.topics),
        debezium.staging.is_of_table(config, staging.table, call.origins),
    ] -%}
    {%- if debezium_spark.existing_entries([staging]) -%}
        {#- so that what is staged is not parsed again -#}
        {%- do conditions.append(
            '_cdc_batch_id > coalesce((select max(_cdc_batch_id) from ' ~ staging.relation
            ~ '), -1)'
        ) -%}
    {%- endif -%}
    {%- if call.shared_topic -%}
        {%- do conditions.append(
            'not ' ~ debezium.staging.has_no_origin(config, staging.table, call.origins)
        ) -%}
    {%- endif -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    'staging' as waits_for,
    _cdc_batch_id as batch_id,
    count(*) as records,
    min({{ debezium_spark._no_later_than_landed('timestamp') }}) as since,
    null as newest,
    null as folded
from {{ raw }}
lateral view inline(
    array(
        from_json(
            coalesce(
                get_json_object(value, '$.payload.source'), get_json_object(value, '$.source')
            ),
            'struct<{{ debezium.staging.origin_members(config) | join(': string, ') }}: string>'
        )
    )
) source
where {{ conditions | join(' and ') }}
group by _cdc_batch_id
{%- endmacro -%}


{#-
    SELECT: the time for `loaded_at_query` of a dbt source; the source is older than `max_lag` when
    one of its tables is late.
-#}
{%- macro source_freshness(source) -%}
    {%- set view = debezium_spark._model_relation('debezium_obs__tables') -%}
    {%- if not debezium_spark.source_config(source).get('max_lag') or view is none -%}
        {%- do debezium_spark._fail(
            'source_freshness',
            'source ' ~ source ~ ' has no max_lag, or the project no view debezium_obs__tables.',
            'Set the one in debezium_sources, or run `dbt build` for the other.',
        ) -%}
    {%- endif -%}
select timestampadd(second, -max(max_lag_seconds), min(late_at)) as loaded_at
from {{ view }}
where source_name = {{ debezium_spark.text_literal(source) }}
{%- endmacro -%}
