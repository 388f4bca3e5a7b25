{#-
    Let staged records go that no row needs any more: `dbt run-operation debezium_retain`
    (docs/retention.md). No row and no count changes. Of each table with `retention.staging`:

    1. Find up to which record timestamp its records are settled.
    2. Write the horizon into a property of the staged table: what lands from now on and arrived
       before is refused.
    3. Delete what is not needed, and clear the values of what only shows order, in one MERGE.

    Then raw records go whose topics have `retention.raw` (`retain_raw.sql`). An interrupted run
    leaves a horizon and all records; the next one goes on.
-#}
{%- macro debezium_retain(source=none, dry_run=false) -%}
    {{- return(adapter.dispatch('debezium_retain', 'debezium_spark')(source, dry_run)) -}}
{%- endmacro -%}


{%- macro default__debezium_retain(source=none, dry_run=false) -%}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- do debezium_spark._check_source_name(source) -%}
    {%- set configs = {} -%}
    {%- for name in (var('debezium_sources', {}) or {}) if source in (none, name) -%}
        {%- do configs.update({name: debezium_spark.source_config(name)}) -%}
    {%- endfor -%}
    {%- set subjects = adapter.debezium().retention.subjects(graph.nodes, var, configs) -%}
    {%- set logs = adapter.debezium().retention.raw_logs(graph.nodes, var, configs) -%}
    {%- if not subjects and not logs -%}
        {%- do debezium_spark._tell_retention('no table has a `retention`') -%}
    {%- endif -%}
    {%- for subject in subjects -%}
        {%- do debezium_spark._tell_retention(
            subject.staging ~ ': ' ~ debezium_spark.retain_table(
                configs[subject.source], subject, dry_run
            )
        ) -%}
    {%- endfor -%}
    {%- for raw_log in logs -%}
        {%- do debezium_spark._tell_retention(
            raw_log.raw ~ ': ' ~ debezium_spark.retain_raw(
                configs[raw_log.source], raw_log, dry_run
            )
        ) -%}
    {%- endfor -%}
{%- endmacro -%}


{%- macro _tell_retention(text) -%}
    {%- do log('debezium_spark: ' ~ text, info=true) -%}
{%- endmacro -%}


{#- Shorten one staged table; returns what was done, or why nothing was. -#}
{%- macro retain_table(config, subject, dry_run=false) -%}
    {%- if subject.kept_because -%}
        {{- return('keeps its records: ' ~ subject.kept_because) -}}
    {%- endif -%}
    {%- set staging = debezium_spark._model_relation(subject.staging) -%}
    {%- set state = debezium_spark._model_relation(subject.state) -%}
    {%- if staging is none or state is none -%}
        {{- return('has no table yet') -}}
    {%- endif -%}
    {%- set retention = adapter.debezium().retention -%}
    {%- set facts = debezium_spark._retention_facts(staging, state) -%}
    {%- if facts.highest_batch is none -%}{{- return('has no records') -}}{%- endif -%}
    {%- if facts.folded_batch is none or facts.folded_batch < facts.highest_batch -%}
        {{- return(
            'keeps its records: batch ' ~ facts.highest_batch ~ ' waits for ' ~ subject.state
            ~ '; run `dbt build` first'
        ) -}}
    {%- endif -%}
    {%- set late_us = [facts.newest_us, facts.now_us] | min - subject.staging_us -%}
    {%- set until_us = late_us - retention.OPEN_SECONDS * 1000000 -%}
    {%- set earlier = debezium_spark.horizon_of_table(staging) -%}
    {%- set lowered = run_query(
        debezium_spark.settled_until(config, staging, [late_us, until_us])
    ).rows[0] -%}
    {%- if facts.oldest_us > lowered[1] | int -%}
        {{- return('has no record that is old enough') -}}
    {%- endif -%}
    {%- set horizon = retention.horizon(
        run_query(
            debezium_spark.horizon_of(config, staging, lowered[0] | int, lowered[1] | int)
        ).rows[0][0],
        late_us,
        lowered[1] | int,
        earlier
    ) -%}
    {%- set plan = debezium_spark._retention_plan(config, subject, facts) -%}
    {%- set chains = none -%}
    {%- if plan.follows_origins and plan.lookup_columns -%}
        {%- set chains = adapter.debezium().run.work_table(staging) -%}
        {%- do plan.update({
            'chains': debezium_spark.write_chains(config, staging, plan, chains)
        }) -%}
    {%- endif -%}
    {%- set drops = debezium_spark.events_to_drop(config, staging, plan, horizon) -%}
    {%- if dry_run -%}
        {%- set told = debezium_spark._count_of_drops(drops, facts, horizon) -%}
    {%- else -%}
        {%- do debezium_spark._set_property(
            staging, debezium_spark.horizon_property(), debezium_spark.pack(horizon.to_json())
        ) -%}
        {%- do run_query(debezium_spark.merge_of_drops(staging, drops, plan)) -%}
        {%- set told = debezium_spark._count_of_rows(staging, facts, horizon) -%}
    {%- endif -%}
    {%- if chains is not none -%}
        {%- do run_query('drop table if exists ' ~ chains) -%}
    {%- endif -%}
    {{- return(told) -}}
{%- endmacro -%}


{#- What a retention must know of a table, in one query of narrow columns. -#}
{%- macro _retention_facts(staging, state) -%}
    {%- set row = run_query(
        'select max(_cdc_batch_id), unix_micros(min(_cdc_timestamp)),'
        ~ ' unix_micros(max(_cdc_timestamp)), unix_micros(current_timestamp()), count(*),'
        ~ " count_if(_cdc_op = 't'), count_if(_cdc_op = 'c' and _cdc_unavailable is not null),"
        ~ ' to_json(array_sort(array_distinct(flatten(collect_set(_cdc_unavailable))))),'
        ~ ' (select max(_cdc_batch_id) from ' ~ state ~ " where _cdc_key = '!watermark')"
        ~ ' from ' ~ staging ~ ' where _cdc_op is not null'
    ).rows[0] -%}
    {{- return({
        'highest_batch': row[0] | int if row[0] is not none else none,
        'oldest_us': (row[1] or 0) | int,
        'newest_us': (row[2] or 0) | int,
        'now_us': row[3] | int,
        'records': row[4] | int,
        'truncates': row[5] | int,
        'partial_creates': row[6] | int,
        'unavailable': fromjson(row[7]) if row[7] else [],
        'folded_batch': row[8] | int if row[8] is not none else none,
    }) -}}
{%- endmacro -%}


{#- The plan of a walk through the whole log (`profile.sql`). -#}
{%- macro _retention_plan(config, subject, facts) -%}
    {{- return(dict(
        debezium_spark.whole_plan(config, subject.table, subject.columns),
        lookup_columns=facts.unavailable,
        follows_origins=facts.partial_creates > 0,
        truncates=facts.truncates > 0,
        highest_batch=facts.highest_batch
    )) -}}
{%- endmacro -%}


{#- MERGE of `events_to_drop` into a staged table. -#}
{%- macro merge_of_drops(staging, drops, plan) -%}
{%- set settings = [] -%}
{%- set columns = adapter.get_columns_in_relation(staging) | map(attribute='name') -%}
{%- for column, value in debezium_spark.settled_values(columns, plan).items() -%}
    {%- do settings.append('debezium_target.' ~ debezium_spark.quote(column) ~ ' = ' ~ value) -%}
{%- endfor -%}
merge into {{ staging }} as debezium_target
using (
    {{ drops | indent(4) }}
) as debezium_source
on
    debezium_target._cdc_topic = debezium_source._cdc_topic
    and debezium_target._cdc_partition = debezium_source._cdc_partition
    and debezium_target._cdc_offset = debezium_source._cdc_offset
    and debezium_target._cdc_timestamp = debezium_source._cdc_timestamp
    and debezium_target._cdc_batch_id = debezium_source._cdc_batch_id
when matched and debezium_source.action = 'drop' then delete
when matched then update set
    {{ settings | join(',\n    ') }}
{%- endmacro -%}


{%- macro _count_of_drops(drops, facts, horizon) -%}
    {%- set counts = {} -%}
    {%- for row in run_query(
        'select action, count(*) from (' ~ drops ~ ') as drops group by action'
    ).rows -%}
        {%- do counts.update({row[0]: row[1] | int}) -%}
    {%- endfor -%}
    {{- return(
        'would let ' ~ counts.get('drop', 0) ~ ' of ' ~ facts.records ~ ' records go, and the'
        ~ ' values of ' ~ (counts.get('context', 0) + counts.get('place', 0)) ~ ', up to '
        ~ debezium_spark._moment_of_us(horizon.until_us)
    ) -}}
{%- endmacro -%}


{%- macro _count_of_rows(staging, facts, horizon) -%}
    {%- set records = run_query(
        'select count(*) from ' ~ staging ~ ' where _cdc_op is not null'
    ).rows[0][0] | int -%}
    {{- return(
        'let ' ~ (facts.records - records) ~ ' of ' ~ facts.records ~ ' records go, up to '
        ~ debezium_spark._moment_of_us(horizon.until_us)
    ) -}}
{%- endmacro -%}


{%- macro _moment_of_us(us) -%}
    {{- return(
        modules.datetime.datetime.fromtimestamp(us / 1000000, modules.pytz.utc)
        .strftime('%Y-%m-%d %H:%M:%S') ~ 'Z'
    ) -}}
{%- endmacro -%}
