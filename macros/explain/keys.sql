{#-
    The key that is asked for, and the keys whose records tell its row: its values may come from
    keys that the row had before (docs/semantics.md, unavailable values). Of a row whose key went
    from 1 to 2 while its column `w` was not sent, asked for 2:

    | round | keys | found                                             |
    |-------|------|---------------------------------------------------|
    | 1     | 2    | a `c` at place 20, which lacks `w`; at 20, key 1  |
    | 2     | 1    | no such `c`: the end                              |
-#}


{#-
    `list`: what `_cdc_key` is, the first that has records counts. `asked`: from `key_asked`:
    `values` by name of a column in the key's order, or `candidates`, texts of an `_id`.
-#}
{%- macro canonical_keys(config, model, asked) -%}
    {%- if asked.candidates is defined -%}{{- return({'list': asked.candidates}) -}}{%- endif -%}
    {%- set pairs, values = [], {} -%}
    {%- for column in model.call.key -%}
        {%- set encoding = adapter.debezium().decode.encoding_of(config, column) -%}
        {%- set text = asked['values'][column.name] -%}
        {%- set value = debezium_spark.typed_text(text, encoding.spark_type) -%}
        {%- set exact_text = debezium_spark.text_literal(text) -%}
        {%- if encoding.get('exact_text') == 'always' -%}
            {%- set value = exact_text -%}
        {%- elif encoding.get('exact_text') -%}
            {%- set value = 'coalesce(cast(' ~ value ~ ' as string), ' ~ exact_text ~ ')' -%}
        {%- endif -%}
        {%- do pairs.append(debezium_spark.text_literal(column.name) ~ ', ' ~ value) -%}
        {%- do values.update({column.name ~ ', of type ' ~ encoding.spark_type: value}) -%}
    {%- endfor -%}
    {%- set key = adapter.debezium().text.exact_json('named_struct(' ~ pairs | join(', ') ~ ')') -%}
    {%- set found = debezium_spark._checked_values(values, key) -%}
    {{- return(found if found.problem is defined else {'list': [found['key']]}) -}}
{%- endmacro -%}


{#- `key`, a text that SQL makes of values, or the problem that one of them is NULL. -#}
{%- macro _checked_values(values, key='null') -%}
    {%- set wrong = [] -%}
    {%- for what, value in values.items() -%}
        {%- do wrong.append(
            'if(' ~ value ~ ' is null, ' ~ debezium_spark.text_literal(what) ~ ', null)'
        ) -%}
    {%- endfor -%}
    {%- set found = debezium_spark._json_rows(
        'select to_json(struct(' ~ key ~ ' as `key`, array_compact(array('
        ~ wrong | join(', ') ~ ')) as wrong))'
    )[0] -%}
    {{- return({
        'problem': 'no value of column ' ~ found.wrong | join('; no value of column ') ~ '.',
        'remedy': 'Write values as Spark prints them.',
    } if found.wrong else found) -}}
{%- endmacro -%}


{#- SQL: a text as a value of a type, NULL if it is none. -#}
{%- macro typed_text(text, type) -%}
    {%- set literal = debezium_spark.text_literal(text) -%}
    {{- return(
        literal if type == 'string'
        else 'unbase64(' ~ literal ~ ')' if type == 'binary'
        else 'try_cast(' ~ literal ~ ' as ' ~ type ~ ')'
    ) -}}
{%- endmacro -%}


{#-
    SELECT: the staged records of some keys, and truncates with `truncates`. `offsets`: of
    these, none of many: of a log in its order, file statistics then exclude most.
-#}
{%- macro log_of_keys(staging, keys, offsets=none, truncates=false, selected='*') -%}
    {%- set by_offset = offsets and offsets | length <= 1000 -%}
    {{- return(
        'select ' ~ selected ~ ' from ' ~ staging ~ ' where (_cdc_key in ('
        ~ debezium_spark.text_literals(keys) ~ ')' ~ (" or _cdc_op = 't'" if truncates) ~ ')'
        ~ (' and _cdc_offset in (' ~ offsets | join(', ') ~ ')' if by_offset)
        ~ (' and false' if offsets is not none and not offsets)
    ) -}}
{%- endmacro -%}


{#- SELECT: of a table, without columns that nobody reads: files are read row by row. -#}
{%- macro _log_of_rows(staging, keys, offsets, plan) -%}
    {%- set unread = '_cdc_event_id, _cdc_captured_at, _cdc_tx_total_order,'
        ~ ' _cdc_tx_collection_order, _cdc_unmapped' -%}
    {{- return(debezium_spark.log_of_keys(
        staging, keys, offsets, plan.truncates, '* except (' ~ unread ~ ')'
    )) -}}
{%- endmacro -%}


{#- SELECT: where the records of some keys lie, and whether there are truncates: narrow columns. -#}
{%- macro _places_of_keys(staging, keys) -%}
select to_json(struct(
    count_if(_cdc_op = 't') as truncates,
    collect_set(_cdc_offset) as offsets
))
from {{ staging }}
where _cdc_key in ({{ debezium_spark.text_literals(keys) }}) or _cdc_op = 't'
{%- endmacro -%}


{#-
    The plan of the walk, with `keys`: all that it goes through, and `log`, their records
    and truncates; `has_partners`: keys that a key change may connect with the one asked for.
-#}
{%- macro key_plan(config, model, key) -%}
    {%- set run = adapter.debezium().run -%}
    {%- set plan = debezium_spark.whole_plan(config, model.table, model.columns) -%}
    {%- do plan.update({'log': ''}) -%}
    {%- set walked = namespace(
        known=[key], new=[key], lookup=[], creates=0, offsets=[]
    ) -%}
    {#- Spark follows a chain of keys no farther (`origin_chains`) -#}
    {%- for round in range(90) -%}
    {%- if walked.new -%}
        {#- one scan of the whole table: compiled, as dbt's own session does -#}
        {%- set found = fromjson(run_query(
            debezium_spark._places_of_keys(model.staging, walked.new)
        ).rows[0][0]) -%}
        {%- do plan.update({'truncates': found.truncates > 0}) -%}
        {%- set walked.offsets = walked.offsets + found.offsets -%}
        {%- do run.let_go(plan.log) -%}
        {%- set held = run.hold(
            debezium_spark._log_of_rows(model.staging, walked.new, found.offsets, plan)
        ) -%}
        {%- do plan.update({'log': held}) -%}
        {%- set found = debezium_spark._json_rows(
            debezium_spark._halves_of_keys(held, loop.first)
        )[0] -%}
        {%- set walked.lookup = walked.lookup + found.lookup -%}
        {%- set walked.creates = walked.creates + found.creates -%}
        {%- set others = found.old_keys -%}
        {%- if found.places -%}
            {%- set others = others + debezium_spark._json_rows(
                debezium_spark._keys_at_places(model.staging, found.places)
            ) | map(attribute='row_key') | list -%}
        {%- endif -%}
        {%- set walked.new = others | unique | reject('in', walked.known) | list -%}
        {%- set walked.known = walked.known + walked.new -%}
    {%- endif -%}
    {%- endfor -%}
    {#- of a key change, the records of all its keys -#}
    {%- if walked.known | length > 1 -%}
        {%- do run.let_go(plan.log) -%}
        {%- do plan.update({'log': run.hold(debezium_spark._log_of_rows(
            model.staging, walked.known, walked.offsets | unique | list, plan
        ))}) -%}
    {%- endif -%}
    {%- do plan.update({
        'keys': walked.known,
        'has_partners': walked.known | length > 1,
        'lookup_columns': model.columns | select('in', walked.lookup) | list,
        'follows_origins': walked.creates > 0,
    }) -%}
    {%- if plan.follows_origins and plan.lookup_columns -%}
        {%- do plan.update({'chains': debezium_spark._chains_of_keys(config, model, plan)}) -%}
    {%- endif -%}
    {{- return(plan) -}}
{%- endmacro -%}


{#- SELECT: what `write_chains` writes into a table; for some keys it is few rows. -#}
{%- macro _chains_of_keys(config, model, plan) -%}
    {%- set links -%}
with

{{ debezium_spark.walk(
    config, plan.log, dict(plan, lookup_columns=[])
) }},

{{ debezium_spark.origin_links() }}

select to_json(struct(row_key, life, origin_key, origin_life, origin_arrival)) as link
from links
    {%- endset -%}
    {%- set chains = adapter.debezium().explain.chains(debezium_spark.run_texts(links)) -%}
    {{- return(
        '(select inline(from_json(' ~ debezium_spark.text_literal(chains) ~ ', '
        ~ "'array<struct<row_key:string, life:bigint, origin_key:string, origin_life:bigint,"
        ~ " origin_arrival:int, depth:int>>')))"
    ) -}}
{%- endmacro -%}


{#- SELECT: what leads to other keys; `is_asked`: also key changes that lack nothing. -#}
{%- macro _halves_of_keys(log, is_asked) -%}
{%- set lacks = "_cdc_op = 'c' and _cdc_unavailable is not null" -%}
{%- set leads = "_cdc_op in ('c', 'd')" if is_asked else lacks -%}
select to_json(struct(
    count_if({{ lacks }}) as creates,
    array_distinct(flatten(collect_set(_cdc_unavailable))) as lookup,
    collect_set(case when {{ leads }} then coalesce(_cdc_stream_pos, _cdc_pos) end) as places,
    collect_set(case when {{ leads }} then _cdc_old_key end) as old_keys
))
from {{ log }}
where {{ debezium_spark.is_row_event() }}
{%- endmacro -%}


{#- SELECT: keys with a `c` or `d` at some places. File statistics exclude most of a log. -#}
{%- macro _keys_at_places(staging, places) -%}
{%- set list = debezium_spark.text_literals(places) -%}
select distinct to_json(struct(_cdc_key as row_key))
from {{ staging }}
where
    _cdc_op in ('c', 'd')
    and _cdc_key is not null
    and (_cdc_stream_pos in ({{ list }}) or (_cdc_stream_pos is null and _cdc_pos in ({{ list }})))
{%- endmacro -%}
