{#- How a table differs from the models that it has. -#}
{%- macro _model_changes(config, table, staging) -%}
    {#- that of a table whose name another one has now, too, gets another name -#}
    {%- set model = (
        staging.relation.identifier
        if table.problems or not table.columns
        else 'stg_' ~ config.name ~ '__' ~ table.model
    ) -%}
    {%- set changes = [] -%}
    {%- if table.ended_by and staging.ended_by != table.ended_by -%}
        {%- do changes.append(
            debezium_spark._change(
                'table_renamed' if table.ended_by.startswith('renamed') else 'table_dropped',
                modelled=staging.ended_by or debezium_spark._table_text(table),
                recorded=table.ended_by,
                remedy='its models stay'
                    ~ ('' if table.ended_by == 'dropped' else ' and show the rows it held') ~ '; '
                    ~ debezium_spark._rebuild_command(model) ~ ' notes it in them',
            )
        ) -%}
    {%- elif staging.ended_by and not table.ended_by -%}
        {%- do changes.append(debezium_spark._change(
            'table_added', modelled=staging.ended_by, recorded=debezium_spark._table_text(table),
            remedy=debezium_spark._rebuild_command(model),
        )) -%}
    {%- endif -%}

    {%- if staging.call -%}
        {%- do changes.extend(
            debezium_spark._declaration_changes(config, table, staging.call, model)
        ) -%}
    {%- else -%}
        {%- do log(
            'debezium_obs__drift: the text of ' ~ model
            ~ ' does not tell its columns (no call of debezium_spark.staging that can be read); '
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
    {%- if table.topics | sort != call.topics | sort
        or (table.is_shared_topic and not call.shared_topic) -%}
        {%- do changes.append(debezium_spark._change(
            'topics_changed',
            modelled=debezium_spark._topics_text(call.topics, call.shared_topic),
            recorded=debezium_spark._topics_text(table.topics, table.is_shared_topic),
            remedy=debezium_spark._rebuild_command(model),
        )) -%}
    {%- endif -%}

    {%- if not debezium_spark._origins_agree(call.origins, table.origins) -%}
        {%- do changes.append(debezium_spark._change(
            'origin_changed',
            modelled=debezium_spark._origins_text(call.origins),
            recorded=debezium_spark._origins_text(table.origins),
            remedy=debezium_spark._rebuild_command(model),
        )) -%}
    {%- endif -%}

    {%- set model_key = debezium_spark._key_description(
        call.key, call.columns, call.former_keys
    ) -%}
    {%- set source_key = debezium_spark._key_description(
        table.key, table.columns, table.former_keys
    ) -%}
    {%- if model_key != source_key -%}
        {#- another former key, or a declared rename of a key column, is no other key -#}
        {%- set is_compatible = (
            debezium_spark._key_fingerprint(config, call.key)
            == debezium_spark._key_fingerprint(config, table.key)
        ) -%}
        {%- do changes.append(
            debezium_spark._change(
                'key_changed',
                modelled=model_key,
                recorded=source_key,
                is_compatible=is_compatible,
                remedy=debezium_spark._rebuild_command(model, is_compatible),
            )
        ) -%}
    {%- endif -%}

    {%- do changes.extend(debezium_spark._column_changes(config, table, call, model)) -%}
    {{- return(changes) -}}
{%- endmacro -%}


{#-
    Key columns in order, with the types of those that are no columns of the table, and former keys.
-#}
{%- macro _key_description(key, columns, former_keys) -%}
    {%- set names = columns | map(attribute='name') | list -%}
    {%- set parts = [] -%}
    {%- for column in key -%}
        {%- do parts.append(
            column.name
            ~ ('' if column.name in names else ' ' ~ debezium_spark.column_type_text(column))
        ) -%}
    {%- endfor -%}
    {%- set former = [] -%}
    {%- for names in former_keys %}{% do former.append(names | join(', ')) %}{% endfor -%}
    {{- return(
        (parts | join(', ') or 'no key')
        ~ (' (formerly ' ~ former | join('; ') ~ ')' if former else '')
    ) -}}
{%- endmacro -%}


{%- macro _topics_text(topics, is_shared) -%}
    {{- return(
        topics | sort | join(', ') ~ (' (shared with other tables)' if is_shared else '')
    ) -}}
{%- endmacro -%}


{#-
    A model without an origin reads by the table's name; a member it does not name may be anything.
-#}
{%- macro _origins_agree(model_origins, source_origins) -%}
    {%- if not model_origins -%}{{- return(source_origins | length <= 1) -}}{%- endif -%}
    {%- if model_origins | length != source_origins | length -%}{{- return(false) -}}{%- endif -%}
    {%- set differences = [] -%}
    {%- for origin in model_origins -%}
        {%- set index = loop.index0 -%}
        {%- for member, text in origin.items() if source_origins[index].get(member) != text -%}
            {%- do differences.append(member) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(not differences) -}}
{%- endmacro -%}


{%- macro _origins_text(origins) -%}
    {%- set texts = [] -%}
    {%- for origin in origins %}{% do texts.append(origin.values() | join('.')) %}{% endfor -%}
    {{- return(texts | join(', ')) -}}
{%- endmacro -%}
