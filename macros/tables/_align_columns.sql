{#-
    Add and widen columns of a table by `on_schema_change`: append_new_columns (default), ignore, or
    fail. A column that the model dropped stays; a change of type that is no widening stops the run,
    because stored values would have to be converted.
-#}
{%- macro _align_columns(columns, relation) -%}
    {%- set mode = debezium_spark._schema_change_mode() -%}
    {%- if mode == 'ignore' -%}{{- return(none) -}}{%- endif -%}

    {%- set model_columns = [] -%}
    {%- for column in columns -%}
        {%- do model_columns.append({'name': column.name, 'data_type': column.data_type}) -%}
    {%- endfor -%}
    {%- set differences = debezium_spark._column_differences(relation, model_columns) -%}
    {%- set type_changes = differences.wider + differences.narrower + differences.incompatible -%}

    {%- if mode == 'fail' and (differences.new or type_changes) -%}
        {%- do debezium_spark._fail(
            'materialization',
            'the columns of ' ~ relation ~ ' differ from the model: new '
                ~ (differences.new | map(attribute='name') | list) ~ ', of another type '
                ~ (type_changes | map(attribute='name') | list) ~ '.',
            'Run with --full-refresh, or set on_schema_change: append_new_columns.',
        ) -%}
    {%- endif -%}
    {%- for column in differences.incompatible -%}
        {%- do debezium_spark._fail(
            'materialization',
            'column ' ~ column.name ~ ' of ' ~ relation ~ ' is ' ~ column.table_type
                ~ ', the model now gives ' ~ column.data_type ~ '.',
            'Rebuild it and what follows: dbt run --full-refresh --select ' ~ model.name ~ '+',
        ) -%}
    {%- endfor -%}

    {%- for column in differences.wider -%}
        {%- do debezium_spark._alter_type(relation, column.name, column.data_type) -%}
    {%- endfor -%}
    {%- do debezium_spark._add_columns(relation, differences.new) -%}
{%- endmacro -%}


{#- dbt sets `ignore` where nobody set anything, so only what was written down counts. -#}
{%- macro _schema_change_mode() -%}
    {%- set mode = model.config.get('on_schema_change')
        if 'on_schema_change' in model.unrendered_config else 'append_new_columns' -%}
    {%- if mode not in ['append_new_columns', 'ignore', 'fail'] -%}
        {%- do debezium_spark._fail(
            'materialization',
            'on_schema_change must be append_new_columns, ignore or fail, got: ' ~ mode ~ '.',
            'A log of changes cannot give up columns it holds.',
        ) -%}
    {%- endif -%}
    {{- return(mode) -}}
{%- endmacro -%}


{#- How columns, a list of {name, data_type}, differ from those of a table: see `type_change`. -#}
{%- macro _column_differences(relation, columns) -%}
    {{- return(adapter.debezium().catalog.column_differences(
        debezium_spark.column_types(relation), columns
    )) -}}
{%- endmacro -%}


{#- Types of a relation's columns by name in lower case. -#}
{%- macro column_types(relation) -%}
    {%- set types = {} -%}
    {#- with `--empty`, the text of a relation is a SELECT -#}
    {%- set rows = 'select * from ' ~ relation.incorporate(limit=none) -%}
    {%- for name, data_type in adapter.debezium().run.column_types(rows) -%}
        {%- do types.update({name | lower: data_type}) -%}
    {%- endfor -%}
    {{- return(types) -}}
{%- endmacro -%}


{%- macro _add_columns(relation, columns) -%}
    {%- if not columns -%}{{- return(none) -}}{%- endif -%}
    {%- set definitions = [] -%}
    {%- for column in columns -%}
        {%- do definitions.append(debezium_spark.quote(column.name) ~ ' ' ~ column.data_type) -%}
    {%- endfor -%}
    {%- do run_query(
        'alter table ' ~ relation ~ ' add columns (' ~ definitions | join(', ') ~ ')'
    ) -%}
{%- endmacro -%}


{%- macro _alter_type(relation, name, data_type) -%}
    {%- do run_query(
        'alter table ' ~ relation ~ ' alter column ' ~ debezium_spark.quote(name) ~ ' type '
        ~ data_type
    ) -%}
{%- endmacro -%}
