{#-
    Is a table what its source holds (docs/verify.md): both sides as texts, first sums by range of
    keys, then the rows of the ranges that differ. Of rows here (1, a), (2, b), (3, c), and there
    (1, a), (2, x), (4, d), while key 4 has a record newer than the reading:

    | row_key  | here | there | what          | differs        |
    |----------|------|-------|---------------|----------------|
    | {"id":2} | 1    | 1     | value         | v: b here, x   |
    | {"id":3} | 1    | 0     | missing there | …              |
    | {"id":4} | 0    | 1     | changed       | …              |
-#}


{#-
    Log what `debezium-spark verify` needs, as JSON. `request`: JSON with `step`, which is `read` or
    `compare`, and the arguments of Python's `verify`.
-#}
{%- macro verify_rows(request) -%}
    {%- if execute -%}
        {%- set found = debezium_spark.verified(fromjson(request)) -%}
        {%- do log('debezium_spark.verify ' ~ tojson(found)) -%}
    {%- endif -%}
{%- endmacro -%}


{#- What came of a step; `problem` and `remedy` where nothing can be compared. -#}
{%- macro verified(request) -%}
    {%- set model = debezium_spark.table_asked(request.table, request.get('source')) -%}
    {%- if model.problem is defined -%}{{- return(model) -}}{%- endif -%}
    {%- if model.kind == 'documents' -%}
        {{- return({
            'problem': model.table ~ ' is a collection, of which nothing is compared.',
            'remedy': 'Name a table of a relational source.',
        }) -}}
    {%- endif -%}
    {%- if request.step == 'read' -%}
        {%- set held = adapter.debezium().run.hold_there(
            request.against, request.get('there') or model.table, model.types
        ) -%}
        {%- set models = [model.models.get('cur', model.models.state)] -%}
        {%- if request.get('as_of') -%}
            {%- do models.append(model.models.get('hist', model.models.state)) -%}
            {%- do models.extend(['cut_' ~ model.source] if request.as_of == 'cut' else []) -%}
        {%- endif -%}
        {{- return(dict(held, models=models)) -}}
    {%- endif -%}
    {%- set asked = debezium_spark.rows_as_of(model, request.get('as_of')) -%}
    {%- if asked.problem is defined -%}{{- return(asked) -}}{%- endif -%}
    {%- set origin = adapter.debezium().verify.database(request.against) -%}
    {%- set began = request.held.began if origin else request.get('read_at') -%}
    {%- if began and not debezium_spark.moment_of(began) -%}
        {{- return(debezium_spark.no_instant(began)) -}}
    {%- endif -%}
    {%- set compared = adapter.debezium().verify.compared_columns(
        dict(model, columns=asked.columns), request.held.types, origin
    ) -%}
    {%- set key = model.call.key | map(attribute='name') | list -%}
    {%- set names = compared.columns | map(attribute='name') | list -%}
    {%- for lacking in (key | reject('in', names) | list) if key -%}
        {{- return({
            'problem': 'column ' ~ lacking ~ ' of the key cannot be compared.',
            'remedy': 'The rows there need it, with a type that can be read as ours: '
                ~ tojson(compared.not_compared),
        }) -}}
    {%- endfor -%}
    {{- return(debezium_spark.compared_rows(model, asked, compared, key, began, request)) -}}
{%- endmacro -%}


{#-
    The table at an instant, at a position, or as it stands: `rows` for FROM, `columns`, and
    `changed`, a SELECT of the keys whose history goes on behind; or a problem.
-#}
{%- macro rows_as_of(model, as_of) -%}
    {%- if as_of is none -%}
        {{- return({
            'rows': '(select * from ' ~ model.state ~ ' where not _cdc_is_deleted)',
            'columns': model.columns, 'changed': none, 'instant': none,
        }) -}}
    {%- endif -%}
    {%- set history = debezium_spark._model_relation(model.models.get('hist', '')) -%}
    {%- if history is none -%}
        {{- return({
            'problem': model.table ~ ' has no history, so it is only known as it stands.',
            'remedy': 'Leave out --as-of, or set `history: true` and run `debezium-spark generate`'
                ~ ' and `dbt build`.',
        }) -}}
    {%- endif -%}
    {%- set options = debezium_spark.history_options(
        debezium_spark.source_config(model.source), model.table
    ) or {} -%}
    {%- set tracked = debezium_spark.tracked_columns(options, model.columns) -%}
    {%- set position = as_of if '/' in as_of else none -%}
    {%- if as_of == 'cut' -%}
        {%- set cut = debezium_spark._model_relation('cut_' ~ model.source) -%}
        {%- if cut is not none -%}
            {%- set position = run_query(
                'select ' ~ debezium_spark.cut_position(cut)
            ).rows[0][0] -%}
        {%- endif -%}
    {%- elif position is none and not debezium_spark.moment_of(as_of) -%}
        {{- return(debezium_spark.no_instant(as_of)) -}}
    {%- endif -%}
    {%- if as_of == 'cut' and position is none -%}
        {{- return({
            'problem': 'source ' ~ model.source ~ ' has no cut.',
            'remedy': 'Look at `reason` in cut_' ~ model.source ~ ', or leave out --as-of.',
        }) -}}
    {%- endif -%}
    {%- if position is not none -%}
        {%- set at = debezium_spark.text_literal(position) -%}
        {%- set rows = debezium_spark.asof(history, at) -%}
        {%- set behind = '_cdc_from_pos > ' ~ at ~ ' or _cdc_to_pos > ' ~ at -%}
    {%- else -%}
        {%- set at = debezium_spark.instant(as_of) -%}
        {%- set rows = debezium_spark.as_of(history, at) -%}
        {%- set behind = debezium_spark._column_of_time(history, 'valid_from') ~ ' > ' ~ at
            ~ ' or _cdc_ended_by is not null and '
            ~ debezium_spark._column_of_time(history, 'valid_to') ~ ' > ' ~ at -%}
    {%- endif -%}
    {%- set key = model.call.key | map(attribute='name') | list -%}
    {{- return({
        'rows': rows,
        'columns': model.columns if tracked is none
            else model.columns | select('in', tracked + key) | list,
        'changed': 'select _cdc_key from ' ~ history ~ ' where ' ~ behind,
        'instant': as_of if position is none else none,
    }) -}}
{%- endmacro -%}


{#- The comparison as a mapping. `key`: names of its columns, none without one. -#}
{%- macro compared_rows(model, asked, compared, key, began, request) -%}
    {%- set run = adapter.debezium().run -%}
    {%- set config = debezium_spark.source_config(model.source) -%}
    {%- set since = debezium_spark.records_since(model, began) -%}
    {%- set here = debezium_spark.rows_here(asked.rows, compared.columns, key) -%}
    {%- set there = debezium_spark.rows_there(request.held.relation, compared.columns, key) -%}
    {%- set changed = run.hold(
        debezium_spark.changed_keys(config, model, compared.columns, since, asked)
    ) -%}
    {%- set number = debezium_spark.number_of_key(compared.columns, key) -%}
    {%- set span = fromjson(run_query(
        debezium_spark.span_of_rows(here, number)
    ).rows[0][0]) -%}
    {%- set most = [[1, (span['rows'] / 1000) | round(0, 'ceil') | int] | max, 1000] | min -%}
    {%- set ranges = request.get('ranges') or most -%}
    {%- set sides = debezium_spark.both_sides(here, there, changed, number, span, ranges) -%}
    {%- set sums, differing = {'here': 0, 'there': 0}, [] -%}
    {%- for row in run_query(debezium_spark.sums_of_ranges(sides, number)).rows -%}
        {%- set sum = fromjson(row[0]) -%}
        {%- do sums.update({
            'here': sums.here + sum.here, 'there': sums.there + sum.there
        }) -%}
        {%- do differing.append(sum) if sum.is_open -%}
    {%- endfor -%}
    {%- set names = compared.columns | map(attribute='name') | list -%}
    {%- set held = run.hold(debezium_spark.unequal_rows(
        sides, names, differing | map(attribute='number') | list
    )) -%}
    {%- set counts = debezium_spark._json_rows(debezium_spark.counts_of_rows(held)) -%}
    {%- set rows = debezium_spark._json_rows(
        debezium_spark.shown_rows(held, request.get('limit') or 10)
    ) -%}
    {%- for row in rows -%}
        {%- set asks = row.row_key if key else debezium_spark._values_of(compared.columns, row) -%}
        {%- do row.update({'explained': debezium_spark.explained_row(
            config, model, asks, asked.instant
        )}) -%}
    {%- endfor -%}
    {%- set newest = fromjson(run_query(
        debezium_spark.newest_record(model, began)
    ).rows[0][0]) -%}
    {%- do run.let_go(held) -%}
    {%- do run.let_go(changed) -%}
    {%- do run.let_go(request.held.relation) -%}
    {{- return(adapter.debezium().verify.comparison(
        model, request, began, compared.not_compared, sums, differing, ranges, counts, rows, newest
    )) -}}
{%- endmacro -%}


{#- Values by column, by which `explain` finds rows of a table without a key. -#}
{%- macro _values_of(columns, row) -%}
    {%- set values = {} -%}
    {%- set names = columns | map(attribute='name') | list -%}
    {%- for column in columns
        if column.ours.split('<')[0] not in ['array', 'map', 'struct', 'float', 'double']
        and not column.semantic -%}
        {%- do values.update({column.name: (row.here_texts or row.there_texts)[
            names.index(column.name)
        ]}) -%}
    {%- endfor -%}
    {{- return(values) -}}
{%- endmacro -%}
