{#-
    How the tables of a source, as its catalog knows them now, differ from what their models say: a list of the rows that
    `debezium_obs__drift` shows.

    Compared are the two sides that `debezium-spark generate` would bring together: the tables made from the catalog by the macros it
    renders models with, and the arguments of each staging model's call of `staging`, read from its text, so that a file taken over by
    hand counts as it stands. Where both agree nothing is reported. `stagings` are those of `_declarations`.

    Not reported: models of tables that the catalog does not know (nothing has landed that says anything of them), tables that `generate`
    refuses with a message or does not know the columns of, unless their records lie in a topic of a table that has models (they go to no
    model, and who reads that topic may miss them), tables that ended before they had models, and a column that no longer allows null, as
    no model goes by it.
-#}
{%- macro source_changes(catalog, stagings) -%}
    {%- set source = catalog.source -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- set models = {} -%}
    {%- for staging in stagings if staging.source == source -%}
        {%- do models.update({staging.table: staging}) -%}
    {%- endfor -%}
    {%- set read_topics = [] -%}
    {%- for staging in models.values() if staging.call %}{% do read_topics.extend(staging.call.topics) %}{% endfor -%}
    {%- set changes = [] -%}
    {%- set rows = debezium_spark._current_catalog(catalog['columns']) -%}
    {%- set topics = debezium_spark._topics_seen(config, catalog['schemas']) -%}
    {%- for table in debezium_spark._recorded_tables(config, rows, topics) -%}
        {%- set found = [] -%}
        {%- set shares = table.topics | select('in', read_topics) | list | length > 0 -%}
        {%- if table.name in models -%}
            {%- do found.extend(debezium_spark._model_changes(config, table, models[table.name])) -%}
        {%- elif table.problems and shares and not table.ended_by -%}
            {%- do found.append(debezium_spark._change(
                'table_added', recorded=debezium_spark._table_text(table), is_compatible=false, remedy=table.problems | join(' '),
            )) -%}
        {%- elif not table.problems and table.columns and not table.ended_by -%}
            {%- do found.append(debezium_spark._change(
                'table_added', recorded=debezium_spark._table_text(table) ~ (', in a topic of other tables' if shares else ''),
                remedy=debezium_spark._generate_and_build('stg_' ~ source ~ '__' ~ table.model)
                    ~ (debezium_spark._one_table_after_all(config) if shares else ''),
            )) -%}
        {%- endif -%}
        {%- for change in found -%}
            {%- do changes.append(dict(
                change,
                source_name=source,
                table_name=table.name,
                evidence=table.evidence,
                event_id=table.since_position,
            )) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for other in debezium_spark.undescribed_tables(config, rows, topics) if other.topic in read_topics -%}
        {%- do changes.append(dict(
            debezium_spark._change(
                'table_added',
                recorded='of unknown types, fields ' ~ other.fields | join(', ') ~ ', in a topic of other tables',
                remedy='declare its columns, as no record tells their types: debezium_sources.' ~ config.name ~ '.tables.' ~ other.name
                    ~ '.columns; debezium-spark generate, then dbt build' ~ debezium_spark._one_table_after_all(config),
            ),
            source_name=source,
            table_name=other.name,
            evidence='values',
            event_id=other.event_id,
        )) -%}
    {%- endfor -%}
    {{- return(changes) -}}
{%- endmacro -%}


{#- What else to do about a table that turns up in the topic of another. -#}
{%- macro _one_table_after_all(config) -%}
    {{- return(
        '; if it is part of a table that has models (a shard, a partition, a database renamed), before that: debezium_sources.' ~ config.name
        ~ '.tables.<that table>.includes'
    ) -}}
{%- endmacro -%}


{#- The tables as `generate` would write them; also those it refuses, with its reasons. -#}
{%- macro _recorded_tables(config, rows, topics) -%}
    {%- set tables = [] -%}
    {%- set usable = [] -%}
    {%- for table in debezium_spark._tables_of_rows(config, rows, topics) -%}
        {%- set described = debezium_spark._described_table(config, table) -%}
        {%- do described.update({'problems': table.problems}) -%}
        {%- do tables.append(described) -%}
        {%- if described.columns and not table.problems %}{% do usable.append(described) %}{% endif -%}
    {%- endfor -%}
    {%- do debezium_spark._mark_shared_topics(usable) -%}
    {{- return(tables | sort(attribute='name')) -}}
{%- endmacro -%}


{#- Changes of a table that has models. -#}
{%- macro _model_changes(config, table, staging) -%}
    {#- that of a table whose name another one has now, too, gets another name -#}
    {%- set model = staging.relation.identifier if table.problems or not table.columns else 'stg_' ~ config.name ~ '__' ~ table.model -%}
    {%- set changes = [] -%}
    {%- if table.ended_by and staging.ended_by != table.ended_by -%}
        {%- do changes.append(debezium_spark._change(
            'table_renamed' if table.ended_by.startswith('renamed') else 'table_dropped',
            modelled=staging.ended_by or debezium_spark._table_text(table), recorded=table.ended_by,
            remedy='its models stay' ~ ('' if table.ended_by == 'dropped' else ' and show the rows it held') ~ '; ' ~ debezium_spark._generate_and_build(model) ~ ' notes it in them',
        )) -%}
    {%- elif staging.ended_by and not table.ended_by -%}
        {%- do changes.append(debezium_spark._change(
            'table_added', modelled=staging.ended_by, recorded=debezium_spark._table_text(table),
            remedy=debezium_spark._generate_and_build(model),
        )) -%}
    {%- endif -%}

    {%- if staging.call -%}
        {%- do changes.extend(debezium_spark._declaration_changes(config, table, staging.call, model)) -%}
    {%- else -%}
        {%- do log(
            'debezium_obs__drift: the text of ' ~ model ~ ' does not tell its columns (no call of debezium_spark.staging that can be read); '
            ~ 'of table ' ~ table.name ~ ' only columns kept in _cdc_unmapped are reported.',
            info=true,
        ) -%}
    {%- endif -%}
    {%- if table.problems -%}
        {%- for change in changes -%}
            {%- do change.update({'is_compatible': false, 'remedy': table.problems | join(' ')}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(changes) -}}
{%- endmacro -%}


{#- Where the arguments of a `staging` call differ from the table. -#}
{%- macro _declaration_changes(config, table, call, model) -%}
    {%- set changes = [] -%}
    {%- if table.topics | sort != call.topics | sort or (table.is_shared_topic and not call.shared_topic) -%}
        {%- do changes.append(debezium_spark._change(
            'topics_changed',
            modelled=debezium_spark._topics_text(call.topics, call.shared_topic),
            recorded=debezium_spark._topics_text(table.topics, table.is_shared_topic),
            remedy=debezium_spark._generate_and_build(model),
        )) -%}
    {%- endif -%}

    {%- if not debezium_spark._origins_agree(call.origins, table.origins) -%}
        {%- do changes.append(debezium_spark._change(
            'origin_changed',
            modelled=debezium_spark._origins_text(call.origins),
            recorded=debezium_spark._origins_text(table.origins),
            remedy=debezium_spark._generate_and_build(model),
        )) -%}
    {%- endif -%}

    {%- set modelled_key = debezium_spark._key_description(call.key, call.columns, call.former_keys) -%}
    {%- set recorded_key = debezium_spark._key_description(table.key, table.columns, table.former_keys) -%}
    {%- if modelled_key != recorded_key -%}
        {#- another former key, or another name of a key column that is a declared rename, is no other key -#}
        {%- set is_compatible = debezium_spark._key_reading(config, call.key) == debezium_spark._key_reading(config, table.key) -%}
        {%- do changes.append(debezium_spark._change(
            'key_changed', modelled=modelled_key, recorded=recorded_key, is_compatible=is_compatible,
            remedy=debezium_spark._generate_and_build(model, is_compatible),
        )) -%}
    {%- endif -%}

    {%- do changes.extend(debezium_spark._column_changes(config, table, call, model)) -%}
    {{- return(changes) -}}
{%- endmacro -%}


{%- macro _column_changes(config, table, call, model) -%}
    {%- set changes = [] -%}
    {%- set modelled = {} -%}
    {%- set recorded = {} -%}
    {%- for column in call.columns %}{% do modelled.update({column.name: column}) %}{% endfor -%}
    {%- for column in table.columns %}{% do recorded.update({column.name: column}) %}{% endfor -%}
    {%- set renamed = debezium_spark._renamed_columns(modelled, recorded) -%}

    {%- for name, column in recorded.items() if name not in modelled -%}
        {%- set remedy = debezium_spark._generate_and_build(model) -%}
        {%- if name in renamed and renamed[name] not in (column.get('formerly') or []) -%}
            {%- set remedy = (
                'if ' ~ name ~ ' is ' ~ renamed[name] ~ ' renamed, first declare renames: {' ~ debezium_spark._yaml_name(name) ~ ': '
                ~ debezium_spark._yaml_name(renamed[name]) ~ '} in debezium_sources.' ~ config.name ~ '.tables.' ~ table.name ~ '; ' ~ remedy
            ) -%}
        {%- endif -%}
        {%- do changes.append(debezium_spark._change(
            'column_added', name, recorded=debezium_spark._recorded_type(table, column), remedy=remedy,
        )) -%}
    {%- endfor -%}

    {%- for name, column in modelled.items() if column != recorded.get(name) -%}
        {%- if name not in recorded -%}
            {%- do changes.append(debezium_spark._change(
                'column_dropped', name, modelled=debezium_spark.column_type_text(column),
                remedy=debezium_spark._generate_and_build(model),
            )) -%}
        {%- else -%}
            {%- set other = recorded[name] -%}
            {%- if debezium_spark.column_type_text(column) != debezium_spark.column_type_text(other) -%}
                {%- do changes.append(debezium_spark._type_change(
                    config, column, other, debezium_spark._recorded_type(table, other), call, model
                )) -%}
            {%- endif -%}
            {%- if other.get('gone_until') != column.get('gone_until') -%}
                {%- do changes.append(debezium_spark._change(
                    'column_added_again', name, modelled=debezium_spark._gone_text(column), recorded=debezium_spark._gone_text(other),
                    remedy=debezium_spark._generate_and_build(model),
                )) -%}
            {%- endif -%}
            {#- where null was allowed and no longer is, no model goes by it -#}
            {%- if column.get('optional') is false and other.get('optional') is not false -%}
                {%- do changes.append(debezium_spark._change(
                    'column_nullability_changed', name, modelled='not null', recorded='null allowed',
                    remedy=debezium_spark._generate_and_build(model),
                )) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(changes) -}}
{%- endmacro -%}


{#- Since when a column is there, of one that was gone for a while. -#}
{%- macro _gone_text(column) -%}
    {{- return('gone until ' ~ column.gone_until if column.get('gone_until') else none) -}}
{%- endmacro -%}


{#- A column of another type. The table takes it in when the types go together and, in the key, are printed alike. -#}
{%- macro _type_change(config, column, other, recorded, call, model) -%}
    {%- set is_compatible = adapter.debezium_type_change(
        debezium_spark.spark_type(config, column), debezium_spark.spark_type(config, other)
    ) != 'differs' -%}
    {%- if column.name in call.key | map(attribute='name')
        and debezium_spark._key_text_of(config, column) != debezium_spark._key_text_of(config, other) -%}
        {%- set is_compatible = false -%}
    {%- endif -%}
    {{- return(debezium_spark._change(
        'column_type_changed', column.name, modelled=debezium_spark.column_type_text(column), recorded=recorded,
        is_compatible=is_compatible, remedy=debezium_spark._generate_and_build(model, is_compatible),
    )) -}}
{%- endmacro -%}


{%- macro _change(change, column_name=none, modelled=none, recorded=none, is_compatible=true, remedy=none) -%}
    {{- return({
        'change': change, 'column_name': column_name, 'modelled': modelled, 'recorded': recorded,
        'is_compatible': is_compatible, 'remedy': remedy,
    }) -}}
{%- endmacro -%}


{#-
    Columns that may be others renamed, {new: old}: of the same type, and at the same place in the table or behind the same column.
    Nothing in the records tells a rename from a drop and an addition.
-#}
{%- macro _renamed_columns(modelled, recorded) -%}
    {%- set added = debezium_spark._places(recorded, modelled) -%}
    {%- set dropped = debezium_spark._places(modelled, recorded) -%}
    {%- set renamed = {} -%}
    {%- for new, place in added.items() -%}
        {%- for old, former in dropped.items() if new not in renamed and old not in renamed.values() -%}
            {%- if (place.number == former.number or place.gap == former.gap)
                and debezium_spark.column_type_text(recorded[new]) == debezium_spark.column_type_text(modelled[old]) -%}
                {%- do renamed.update({new: old}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(renamed) -}}
{%- endmacro -%}


{#- Where the columns that `others` lacks stand: their number, and the column before them that both have with the distance to it. -#}
{%- macro _places(columns, others) -%}
    {%- set places = {} -%}
    {%- set before = {'name': none, 'number': -1} -%}
    {%- for name in columns -%}
        {%- if name in others -%}
            {%- do before.update({'name': name, 'number': loop.index0}) -%}
        {%- else -%}
            {%- do places.update({
                name: {'number': loop.index0, 'gap': [before.name, loop.index0 - before.number]},
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(places) -}}
{%- endmacro -%}


{#- Key columns in their order, with the types of those that are no columns of the table, and what was the key before. -#}
{%- macro _key_description(key, columns, former_keys) -%}
    {%- set names = columns | map(attribute='name') | list -%}
    {%- set parts = [] -%}
    {%- for column in key -%}
        {%- do parts.append(
            column.name ~ ('' if column.name in names else ' ' ~ debezium_spark.column_type_text(column))
        ) -%}
    {%- endfor -%}
    {%- set former = [] -%}
    {%- for names in former_keys %}{% do former.append(names | join(', ')) %}{% endfor -%}
    {{- return((parts | join(', ') or 'no key') ~ (' (formerly ' ~ former | join('; ') ~ ')' if former else '')) -}}
{%- endmacro -%}


{%- macro _topics_text(topics, is_shared) -%}
    {{- return(topics | sort | join(', ') ~ (' (shared with other tables)' if is_shared else '')) -}}
{%- endmacro -%}


{#- Whether a model reads what is a table's. One that tells no origin reads by the table's name; a member that it does not tell may be any. -#}
{%- macro _origins_agree(modelled, recorded) -%}
    {%- if not modelled -%}{{- return(recorded | length <= 1) -}}{%- endif -%}
    {%- if modelled | length != recorded | length -%}{{- return(false) -}}{%- endif -%}
    {%- set differing = [] -%}
    {%- for origin in modelled -%}
        {%- set place = loop.index0 -%}
        {%- for member, text in origin.items() if recorded[place].get(member) != text %}{% do differing.append(member) %}{% endfor -%}
    {%- endfor -%}
    {{- return(not differing) -}}
{%- endmacro -%}


{%- macro _origins_text(origins) -%}
    {%- set texts = [] -%}
    {%- for origin in origins %}{% do texts.append(origin.values() | join('.')) %}{% endfor -%}
    {{- return(texts | join(', ')) -}}
{%- endmacro -%}


{%- macro _table_text(table) -%}
    {%- set count = table.columns | length -%}
    {%- set key = table.key | map(attribute='name') | join(', ') -%}
    {{- return(count ~ (' column, ' if count == 1 else ' columns, ') ~ ('key ' ~ key if key else 'no key')) -}}
{%- endmacro -%}


{%- macro _recorded_type(table, column) -%}
    {%- set database_type = table.described[column.name].get('database_type') -%}
    {{- return(
        debezium_spark.column_type_text(column) ~ (', database type ' ~ database_type if database_type else '')
    ) -}}
{%- endmacro -%}
