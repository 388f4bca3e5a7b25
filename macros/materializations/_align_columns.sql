{#-
    Bring the table's columns in line with those the model selects now, by `on_schema_change`:

    * append_new_columns (default): add columns, null in rows held; widen types where values stay equal;
    * ignore: leave the table; columns it lacks are an error of the statement that follows;
    * fail: stop when the columns differ.

    A column the model no longer selects stays. A change of type that is no widening stops the run: the
    values held would have to be converted.
-#}
{%- macro _align_columns(source, relation) -%}
    {#- dbt sets `ignore` where nobody set anything, so only what was written down counts. -#}
    {%- set mode = config.get('on_schema_change')
        if 'on_schema_change' in model.unrendered_config else 'append_new_columns' -%}
    {%- if mode not in ['append_new_columns', 'ignore', 'fail'] -%}
        {%- do debezium_spark._fail(
            'materialization',
            'on_schema_change must be append_new_columns, ignore or fail, got: ' ~ mode ~ '.',
            'A log of changes cannot give up columns it holds.',
        ) -%}
    {%- endif -%}
    {%- if mode == 'ignore' -%}{{- return(none) -}}{%- endif -%}

    {%- set held = {} -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
        {%- do held.update({column.name | lower: column}) -%}
    {%- endfor -%}
    {%- set added = [] -%}
    {%- set changed = [] -%}
    {%- for column in adapter.get_columns_in_relation(source) -%}
        {%- set old = held.get(column.name | lower) -%}
        {%- if old is none -%}
            {%- do added.append(column) -%}
        {%- elif old.data_type != column.data_type -%}
            {%- do changed.append((old, column)) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if mode == 'fail' and (added or changed) -%}
        {%- do debezium_spark._fail(
            'materialization',
            'the columns of ' ~ relation ~ ' differ from the model: new '
                ~ (added | map(attribute='name') | list) ~ ', of another type '
                ~ (changed | map('first') | map(attribute='name') | list) ~ '.',
            'Run with --full-refresh, or set on_schema_change: append_new_columns.',
        ) -%}
    {%- endif -%}

    {%- for old, new in changed -%}
        {%- do debezium_spark._widen_column(relation, old, new) -%}
    {%- endfor -%}
    {%- do debezium_spark._add_columns(relation, added) -%}
{%- endmacro -%}


{#-
    Add columns, each with `name` and `data_type`. A Delta table that had no zoneless timestamp takes one only after its protocol was
    told to.
-#}
{%- macro _add_columns(relation, columns) -%}
    {%- if not columns -%}{{- return(none) -}}{%- endif -%}
    {%- set definitions = [] -%}
    {%- for column in columns -%}
        {%- do definitions.append(debezium_spark.quoted(column.name) ~ ' ' ~ column.data_type) -%}
    {%- endfor -%}
    {%- if debezium_spark.file_format() == 'delta' and 'timestamp_ntz' in definitions | join(' ') -%}
        {%- do run_query('alter table ' ~ relation ~ " set tblproperties ('delta.feature.timestampNtz' = 'supported')") -%}
    {%- endif -%}
    {%- do run_query('alter table ' ~ relation ~ ' add columns (' ~ definitions | join(', ') ~ ')') -%}
{%- endmacro -%}


{%- macro _widen_column(relation, old, new) -%}
    {%- set change = adapter.debezium_type_change(old.data_type, new.data_type) -%}
    {%- if change == 'widens' -%}
        {%- do run_query(
            'alter table ' ~ relation ~ ' alter column ' ~ debezium_spark.quoted(old.name)
            ~ ' type ' ~ new.data_type
        ) -%}
    {%- elif change == 'differs' -%}
        {%- do debezium_spark._fail(
            'materialization',
            'column ' ~ old.name ~ ' of ' ~ relation ~ ' is ' ~ old.data_type
                ~ ', the model now gives ' ~ new.data_type ~ '.',
            'Rebuild it and what follows: dbt run --full-refresh --select ' ~ model.name ~ '+',
        ) -%}
    {%- endif -%}
{%- endmacro -%}
