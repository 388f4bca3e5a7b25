{#-
    Bring the table's columns in line with those the model selects now, by `on_schema_change`:

    * append_new_columns (default): add columns, null in rows held; widen types where values stay
      equal;
    * ignore: leave the table; columns it lacks are an error of the statement that follows;
    * fail: stop when the columns differ.

    A column the model no longer selects stays. A change of type that is no widening stops the run:
    the values held would have to be converted.
-#}
{%- macro _align_columns(columns, relation) -%}
    {%- set mode = debezium_spark._schema_change_mode() -%}
    {%- if mode == 'ignore' -%}{{- return(none) -}}{%- endif -%}

    {%- set selected = [] -%}
    {%- for column in columns -%}
        {%- do selected.append({'name': column.name, 'data_type': column.data_type}) -%}
    {%- endfor -%}
    {%- set changed = debezium_spark._changed_columns(relation, selected) -%}
    {%- set of_another_type = changed.widened + changed.fitting + changed.differing -%}

    {%- if mode == 'fail' and (changed.added or of_another_type) -%}
        {%- do debezium_spark._fail(
            'materialization',
            'the columns of ' ~ relation ~ ' differ from the model: new '
                ~ (changed.added | map(attribute='name') | list) ~ ', of another type '
                ~ (of_another_type | map(attribute='name') | list) ~ '.',
            'Run with --full-refresh, or set on_schema_change: append_new_columns.',
        ) -%}
    {%- endif -%}
    {%- for column in changed.differing -%}
        {%- do debezium_spark._fail(
            'materialization',
            'column ' ~ column.name ~ ' of ' ~ relation ~ ' is ' ~ column.held
                ~ ', the model now gives ' ~ column.data_type ~ '.',
            'Rebuild it and what follows: dbt run --full-refresh --select ' ~ model.name ~ '+',
        ) -%}
    {%- endfor -%}

    {%- for column in changed.widened -%}
        {%- do debezium_spark._alter_type(relation, column.name, column.data_type) -%}
    {%- endfor -%}
    {%- do debezium_spark._add_columns(relation, changed.added) -%}
{%- endmacro -%}


{#-
    `on_schema_change` of the model. dbt sets `ignore` where nobody set anything, so only what was
    written down counts.
-#}
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


{#-
    How columns, given as {name, data_type}, differ from those a table holds: lists `added`,
    `widened` (the table can be altered in place), `fitting` (values go into the wider type that is
    held) and `differing`; of those the table has, with `held`, its type.
-#}
{%- macro _changed_columns(relation, columns) -%}
    {%- set held = {} -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
        {%- do held.update({column.name | lower: column.data_type}) -%}
    {%- endfor -%}
    {%- set changed = {'added': [], 'widens': [], 'fits': [], 'differs': [], 'same': []} -%}
    {%- for column in columns -%}
        {%- set data_type = held.get(column.name | lower) -%}
        {%- if data_type is none -%}
            {%- do changed.added.append(column) -%}
        {%- else -%}
            {%- do changed[
                adapter.debezium_type_change(data_type, column.data_type)
            ].append(dict(column, held=data_type)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(
        {
            'added': changed.added,
            'widened': changed.widens,
            'fitting': changed.fits,
            'differing': changed.differs,
        }
    ) -}}
{%- endmacro -%}


{#- Add columns, each with `name` and `data_type`. -#}
{%- macro _add_columns(relation, columns) -%}
    {%- if not columns -%}{{- return(none) -}}{%- endif -%}
    {%- set definitions = [] -%}
    {%- for column in columns -%}
        {%- do definitions.append(debezium_spark.quoted(column.name) ~ ' ' ~ column.data_type) -%}
    {%- endfor -%}
    {%- do run_query(
        'alter table ' ~ relation ~ ' add columns (' ~ definitions | join(', ') ~ ')'
    ) -%}
{%- endmacro -%}


{%- macro _alter_type(relation, name, data_type) -%}
    {%- do run_query(
        'alter table ' ~ relation ~ ' alter column ' ~ debezium_spark.quoted(name) ~ ' type '
        ~ data_type
    ) -%}
{%- endmacro -%}
