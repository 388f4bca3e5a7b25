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


{#- CTE `waiting`: what waits of each table, and for which step the oldest of it, by its number. -#}
{%- macro _waiting_of_tables(tables, raws) -%}
{%- set parts = [] -%}
{%- for table in tables if table.limit -%}
    {%- do parts.extend(debezium_spark._waiting_places(table, raws[table.source])) -%}
{%- endfor -%}
waiting as (

    select
        number,
        cast(sum(records) as bigint) as waiting_records,
        min_by(waits_for, since) as waits_for,
        min(since) as waiting_since
    from (
        {{ parts | join('\n        union all\n        ') if parts else
            "select 0 as number, '' as waits_for, 0 as records, timestamp_seconds(0) as since" }}
    ) as waiting_places
    where records > 0
    group by number

)
{%- endmacro -%}


{#- SELECTs: what waits of a table at each step. -#}
{%- macro _waiting_places(table, raw) -%}
    {%- set config = debezium_spark.source_config(table.source) -%}
    {%- set call = debezium_spark._records_read(table.relation) -%}
    {%- set exists = {} -%}
    {%- for relation in [raw, debezium_spark._ledger_of(raw), table.relation, table.state] -%}
        {%- do exists.update({
            relation | string:
                debezium_spark.existing_entries([{'relation': relation}]) | length > 0
        }) -%}
    {%- endfor -%}
    {%- set is_staged, parts = exists[table.relation | string], [] -%}
    {%- if exists[raw | string] and call -%}
        {%- if config.input.get('max_records_per_run')
            and exists[debezium_spark._ledger_of(raw) | string] -%}
            {%- do parts.append(
                debezium_spark._waiting_in_kafka(table.number, call.topics, raw)
            ) -%}
        {%- endif -%}
        {%- do parts.append(
            debezium_spark._waiting_in_raw(config, dict(table, call=call), raw, is_staged)
        ) -%}
    {%- endif -%}
    {%- if is_staged -%}
        {%- do parts.append(
            debezium_spark._waiting_in_staging(table, exists[table.state | string])
        ) -%}
    {%- endif -%}
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
{%- macro _waiting_in_kafka(number, topics, raw) -%}
    {%- set paths = [] -%}
    {%- for topic in topics -%}
        {%- do paths.append('kafka:' ~ topic) -%}
    {%- endfor -%}
select
        {{ number }} as number,
        'landing' as waits_for,
        coalesce(sum(remaining), 0) as records,
        coalesce(
            (
                select max({{ debezium_spark._no_later_than_landed('timestamp') }}) from {{ raw }}
                where {{ adapter.debezium().staging.topic_condition(topics) }}
            ),
            min(seen_at)
        ) as since
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
{%- endmacro -%}


{#- SELECT: landed records of the table's topics above the highest staged batch. -#}
{%- macro _waiting_in_raw(config, staging, raw, is_staged) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set conditions = [debezium.staging.topic_condition(staging.call.topics)] -%}
    {%- if is_staged -%}
        {%- do conditions.append(
            '_cdc_batch_id > coalesce((select max(_cdc_batch_id) from ' ~ staging.relation
            ~ '), -1)'
        ) -%}
    {%- endif -%}
    {#- records of other tables that turn up in the topic are no sign of this one -#}
    {%- set reads_origin = staging.call.shared_topic or staging.call.origins -%}
    {%- if reads_origin -%}
        {%- do conditions.append(
            debezium.staging.is_of_table(config, staging.table, staging.call.origins)
        ) -%}
    {%- endif -%}
    {%- if staging.call.shared_topic -%}
        {%- do conditions.append(
            'not ' ~ debezium.staging.has_no_origin(config, staging.table, staging.call.origins)
        ) -%}
    {%- endif -%}
select
        {{ staging.number }} as number,
        'staging' as waits_for,
        count(*) as records,
        min({{ debezium_spark._no_later_than_landed('timestamp') }}) as since
    from {{ raw }}
    {%- if reads_origin %}
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
    {%- endif %}
    where {{ conditions | join(' and ') }}
{%- endmacro -%}


{#- SELECT: staged events above the batch up to which the state has folded. -#}
{%- macro _waiting_in_staging(staging, is_folded) -%}
select
        {{ staging.number }} as number,
        'state' as waits_for,
        count(*) as records,
        min({{ debezium_spark._no_later_than_landed('_cdc_timestamp') }}) as since
    from {{ staging.relation }}
    {%- if is_folded %}
    where
        _cdc_batch_id > coalesce(
            (select max(_cdc_batch_id) from {{ staging.state }} where _cdc_key = '!watermark'), -1
        )
    {%- endif %}
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
