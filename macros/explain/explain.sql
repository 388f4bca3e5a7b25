{#-
    Why a row is as it is: every record of its key with the fold's verdict on it, and where the row
    went (docs/explain.md). The verdicts are those of the walk (`macros/state/walk.sql`) over the
    records of the key and of the keys that its values come from; nothing here decides. Of
    `explain('public.orders', {'id': 7})`:

    | number | event                   | op | verdict | changed             | ended |
    |--------|-------------------------|----|---------|---------------------|-------|
    | 1      | shop.public.orders:0:12 | c  | change  |                     |       |
    | 2      | shop.public.orders:0:40 | u  | change  | status: new -> paid |       |
    |        |                         |    | stands  |                     |       |
-#}


{#-
    SELECT of one row for each record of a key, and one for what came of it. For `dbt show --inline`
    and statements of your own; `table`, `key`: as of the command `debezium-spark explain`.
-#}
{%- macro explain(table, key, source=none, as_of=none) -%}
    {%- if not execute -%}{{- return('select 1 as number') -}}{%- endif -%}
    {%- set explained = debezium_spark.explanation(table, key, source, as_of) -%}
    {%- if explained.get('problem') -%}
        {%- do debezium_spark._fail('explain', explained.problem, explained.remedy) -%}
    {%- endif -%}
select explained.*
from (
    select inline(
        from_json({{ debezium_spark.text_literal(tojson(explained.lines)) }},
            'array<struct<number:int, event:string, recorded_at:string, source_at:string,
            landed_at:string, op:string, position:string, batch_id:bigint, verdict:string,
            rule:string, changed:string, ended:string>>')
    )
) as explained
{%- endmacro -%}


{#-
    Log what `debezium-spark explain` shows, as JSON. `request`: JSON of the arguments of
    `explanation`, one text, so that no reader of arguments touches a stranger's key.
-#}
{%- macro explain_row(request) -%}
    {%- if execute -%}
        {%- set request = fromjson(request) -%}
        {%- do log('debezium_spark.explain ' ~ tojson(debezium_spark.explanation(
            request.table, request.key, request.get('source'), request.get('as_of')
        ))) -%}
    {%- endif -%}
{%- endmacro -%}


{#- The explanation as a mapping; `problem` and `remedy` where there is none. -#}
{%- macro explanation(table, key, source=none, as_of=none) -%}
    {%- set found = debezium_spark.table_asked(table, source) -%}
    {%- if found.problem is defined -%}{{- return(found) -}}{%- endif -%}
    {{- return(debezium_spark.explained_row(
        debezium_spark.source_config(found.source), found, key, as_of
    )) -}}
{%- endmacro -%}


{#- `explained_row`'s `model` of a table that a person names, or a problem. -#}
{%- macro table_asked(table, source=none) -%}
    {%- set found = adapter.debezium().explain.find_table(graph.nodes, table, source, var) -%}
    {%- if found.problem is defined -%}{{- return(found) -}}{%- endif -%}
    {%- for layer in ['staging', 'state'] -%}
        {%- set relation = debezium_spark._model_relation(found[layer]) -%}
        {%- if relation is none -%}
            {{- return({
                'problem': 'model ' ~ found[layer] ~ ' has no table yet.',
                'remedy': 'Run `dbt build` first.',
            }) -}}
        {%- endif -%}
        {%- do found.update({layer: relation}) -%}
    {%- endfor -%}
    {%- do found.update({
        'raw': debezium_spark._model_relation('raw_' ~ found.source),
        'types': debezium_spark.column_types(found.staging),
    }) -%}
    {{- return(found) -}}
{%- endmacro -%}


{#-
    The same of a table that is known. `model`: `source`, `table`, `kind` (`rows`, `documents`,
    `keyless`), the relations `staging`, `state` and `raw`, `columns` and their `types`, and `call`,
    the arguments of its staging model.
-#}
{%- macro explained_row(config, model, key, as_of=none) -%}
    {%- set explain = adapter.debezium().explain -%}
    {%- set asked = explain.key_asked(model, key) -%}
    {%- if asked.problem is defined -%}{{- return(asked) -}}{%- endif -%}
    {%- if as_of is not none -%}
        {%- if model.kind == 'keyless' -%}
            {{- return({
                'problem': 'a table without a key has no history.',
                'remedy': 'Leave out --as-of: nothing shows which of its rows became which.',
            }) -}}
        {%- endif -%}
        {%- if not debezium_spark.moment_of(as_of) -%}
            {{- return(debezium_spark.no_instant(as_of)) -}}
        {%- endif -%}
    {%- endif -%}
    {%- if model.kind == 'keyless' -%}
        {{- return(debezium_spark.explained_values(config, model, asked)) -}}
    {%- endif -%}
    {%- set keys = debezium_spark.canonical_keys(config, model, asked) -%}
    {%- if keys.problem is defined -%}{{- return(keys) -}}{%- endif -%}
    {%- if model.kind == 'documents' -%}
        {{- return(debezium_spark.explained_document(config, model, keys.list, as_of)) -}}
    {%- endif -%}
    {%- set key = keys.list[0] -%}
    {%- set plan = debezium_spark.key_plan(config, model, key) -%}
    {%- set events = debezium_spark.run_texts(
        debezium_spark.explained_events(config, model, plan, key)
    ) -%}
    {%- set facts = debezium_spark.facts_of_key(config, model, plan.log, [key], events) -%}
    {%- if as_of is not none -%}
        {%- do facts.update({'versions': debezium_spark.versions_of_key(
            config, model, plan, key, as_of
        )}) -%}
    {%- endif -%}
    {%- do adapter.debezium().run.let_go(plan.log) -%}
    {{- return(explain.explained(model, key, events, facts, as_of)) -}}
{%- endmacro -%}


{#- Texts of a query, one JSON object a row. -#}
{%- macro run_texts(query) -%}
    {{- return(adapter.debezium().run.texts(query)) -}}
{%- endmacro -%}


{#- A text as an instant, as Spark prints it; none if it is none. -#}
{%- macro moment_of(text) -%}
    {{- return(debezium_spark._json_rows(
        'select to_json(struct(cast(try_cast(' ~ debezium_spark.text_literal(text)
        ~ ' as timestamp) as string) as moment))'
    )[0].get('moment')) -}}
{%- endmacro -%}


{#- SQL: the instant of a text that is one. -#}
{%- macro instant(text) -%}
    {{- return('cast(' ~ debezium_spark.text_literal(text) ~ ' as timestamp)') -}}
{%- endmacro -%}


{%- macro no_instant(text) -%}
    {{- return({
        'problem': 'no instant: ' ~ text ~ '.',
        'remedy': "Write it like '2026-03-01 12:00:00', in the session's time zone.",
    }) -}}
{%- endmacro -%}
