{#-
    Column lists that cannot become a table: Spark compares names without case, a prefix is
    reserved, and SQL cannot hold some names (`names.py`).
-#}
{%- macro check_columns(macro_name, table, columns) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- do debezium_spark._require_distribution() -%}
    {%- if columns is string or columns is mapping or (execute and not columns) -%}
        {%- do debezium_spark._fail(
            macro_name,
            "`columns` of table '" ~ table ~ "' must be a non-empty list, got: " ~ columns ~ '.',
            'Run `debezium-spark generate`.',
        ) -%}
    {%- endif -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append(column if column is string else column.name) -%}
    {%- endfor -%}
    {%- set collision = debezium.text.collision(names) -%}
    {%- if collision -%}
        {%- do debezium_spark._fail(
            macro_name,
            "table '" ~ table ~ "' has the columns '" ~ collision[0] ~ "' and '" ~ collision[1]
            ~ "', which Spark takes for one.",
            'Exclude one of them in Debezium (column.exclude.list) or rename it there.',
        ) -%}
    {%- endif -%}
    {%- for column in columns -%}
        {%- set name = column if column is string else column.name -%}
        {%- set problem = debezium.text.unwritable(name) if execute else none -%}
        {%- if problem -%}
            {%- do debezium_spark._fail(
                macro_name,
                "table '" ~ table ~ "' has the column '" ~ name ~ "' " ~ problem ~ '.',
                'Run `debezium-spark generate`.',
            ) -%}
        {%- endif -%}
        {%- if column is not string and name | lower | truncate(5, true, '', 0) == '_cdc_' -%}
            {%- do debezium_spark._fail(
                macro_name,
                "column '" ~ name ~ "' of table '" ~ table
                ~ "' begins with the reserved prefix _cdc_.",
                'Rename or exclude it in Debezium.',
            ) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro -%}


{#- An added default that is no value of its type would be a silent NULL in every earlier row. -#}
{%- macro check_added_defaults(config, table, columns) -%}
    {%- for column in columns if column.get('added_default') is not none -%}
        {%- set spark_type = adapter.debezium().decode.encoding_of(config, column).spark_type -%}
        {%- set query = (
            'select try_cast(' ~ debezium_spark.text_literal(column.added_default) ~ ' as '
            ~ spark_type ~ ') is null'
        ) -%}
        {%- if run_query(query).rows[0][0] -%}
            {%- do debezium_spark._fail(
                'staging',
                "added_defaults of table '" ~ table ~ "' gives column '" ~ column.name
                ~ "' the value '" ~ column.added_default ~ "', which is no " ~ spark_type ~ '.',
                'Write it as Spark reads it (7, 2.50, 2026-01-31, true) '
                ~ 'and run `debezium-spark generate`.',
            ) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro -%}


{#-
    Whether `before` holds the whole old row. For PostgreSQL only REPLICA IDENTITY FULL does, which
    no record states; otherwise it is null, partial or invented (spec §6.4). With `always`, for all
    records, and not from some time on.
-#}
{%- macro has_complete_before(config, table, always=false) -%}
    {#- of a flattened record, only a delete shows the old row -#}
    {%- if config.get('flattened') -%}{{- return(false) -}}{%- endif -%}
    {%- if config.connector == 'postgresql' -%}
        {%- set condition = debezium_spark.before_is_complete(config, table) -%}
        {{- return(condition == 'true' if always else condition != 'false') -}}
    {%- endif -%}
    {{- return(config.connector in ('sqlserver', 'oracle', 'mysql', 'mariadb')) -}}
{%- endmacro -%}


{#- SQL condition over a record's `timestamp`; `true` or `false` if it holds for all or none. -#}
{%- macro before_is_complete(config, table) -%}
    {%- if config.connector == 'postgresql' -%}
        {{- return(debezium_spark.replica_identity_is(config, table, ['full'])) -}}
    {%- endif -%}
    {{- return('true') -}}
{%- endmacro -%}


{#-
    SQL: the JSON text of a column. An update leaves a column with the placeholder as it was, so the
    value in a complete `before` counts (docs/semantics.md, unavailable values). A member of the key
    that the image lacks is in the record's key. `names`: see `aligned_texts`.
-#}
{%- macro column_text(config, column, reads_before, key, names) -%}
{%- set text = debezium_spark.image_text(config, column, reads_before, names) -%}
{%- if not debezium_spark.is_in_key(column, key) -%}{{- return(text) -}}{%- endif -%}
{%- set of_key = debezium_spark.column_member('key_members', column) -%}
if({{ debezium_spark.is_outside_image(column) }}, {{ of_key }}, {{ text }})
{%- endmacro -%}


{%- macro image_text(config, column, reads_before, names) -%}
{%- set text = debezium_spark.aligned_text('image_texts', column, names) -%}
{%- set is_unavailable = debezium_spark.unavailable_condition(config, column, text) -%}
{%- if not reads_before or is_unavailable is none -%}
    {{- return(text) -}}
{%- endif -%}
{%- set before = debezium_spark.aligned_text('before_texts', column, names) -%}
{%- set was_unavailable = debezium_spark.unavailable_condition(config, column, before) -%}
case
    when op = 'u'
        and ({{ is_unavailable }})
        and ({{ debezium_spark.has_column('before', column) }})
        and ({{ was_unavailable }}) is distinct from true then {{ before }}
    else {{ text }}
end
{%- endmacro -%}


{%- macro is_in_key(column, key) -%}
    {{- return(column.name in key | map(attribute='name')) -}}
{%- endmacro -%}


{#- SQL condition: a record has a row image, and that lacks the column. -#}
{%- macro is_outside_image(column) -%}
    {{- return('not (' ~ debezium_spark.has_column('image', column) ~ ')') -}}
{%- endmacro -%}


{#- SQL: the hash of the schema of a column's text; None without other layouts. -#}
{%- macro layout_of_text(column, key) -%}
    {%- if not column.get('layouts') or not debezium_spark.is_in_key(column, key) -%}
        {{- return('_layout') -}}
    {%- endif -%}
    {{- return('if(' ~ debezium_spark.is_outside_image(column) ~ ', _key_layout, _layout)') -}}
{%- endmacro -%}


{#- SQL condition: the text is the placeholder; none for types that cannot carry one. -#}
{%- macro unavailable_condition(config, column, text) -%}
    {%- set literals = [] -%}
    {%- for form in adapter.debezium().decode.unavailable_forms(config, column) -%}
        {%- do literals.append(debezium_spark.text_literal(form)) -%}
    {%- endfor -%}
    {%- if not literals -%}{{- return(none) -}}{%- endif -%}
    {%- if literals | length == 1 -%}{{- return(text ~ ' = ' ~ literals[0]) -}}{%- endif -%}
    {{- return(text ~ ' in (' ~ literals | join(', ') ~ ')') -}}
{%- endmacro -%}


{#- SQL: the prepared value of a column, NULL where the text is a placeholder. -#}
{%- macro prepare_known(config, column, text, record=none) -%}
    {%- set condition = debezium_spark.unavailable_condition(config, column, text) -%}
    {%- set prepared = adapter.debezium().decode.prepare(config, column, text, record) -%}
    {%- if condition is none -%}{{- return(prepared) -}}{%- endif -%}
    {{- return('case when (' ~ condition ~ ') is distinct from true then ' ~ prepared ~ ' end') -}}
{%- endmacro -%}


{#-
    A column that was dropped and added again under its name is another column: earlier records
    contain nothing of it. `gone_until`: the `layout_position` of the last change without it.
-#}


{#- SQL condition: the record is older than the column that was added again. -#}
{%- macro is_of_dropped_column(config, column) -%}
    {%- if not column.get('gone_until') -%}{{- return('false') -}}{%- endif -%}
    {{- return(
        'coalesce(' ~ debezium_spark.layout_position(config.connector) ~ ' <= '
        ~ debezium_spark.text_literal(column.gone_until) ~ ', false)'
    ) -}}
{%- endmacro -%}


{#- SQL: a column's text, NULL where it is the dropped column's. -#}
{%- macro without_dropped_column(config, column, text) -%}
    {%- if not column.get('gone_until') -%}{{- return(text) -}}{%- endif -%}
    {{- return(
        'case when not ' ~ debezium_spark.is_of_dropped_column(config, column) ~ ' then ' ~ text
        ~ ' end'
    ) -}}
{%- endmacro -%}


{#-
    Whether a NULL in a row image says no more than a member that is not there. A table has one set
    of columns for all records, so a record that is older than a column has a NULL there if it is
    read after the column was added, and nothing if it was read before. Without a schema of its own
    it must mean the same, or the rows would depend on when a record was read.
-#}
{%- macro nulls_are_absent(config) -%}
    {%- set input = config.get('input') or {} -%}
    {%- set nested = input.get('nested') or {} -%}
    {{- return(input.get('type') == 'table' and nested.get('types') == 'none') -}}
{%- endmacro -%}


{#-
    SQL: a value, or `added_default` for rows older than the column. A row image has all columns of
    its layout (spec §6.5): one that lacks the column, or has a dropped one, is older.
-#}
{%- macro value_or_added_default(config, column, image, value, spark_type) -%}
{%- if column.get('added_default') is none -%}{{- return(value) -}}{%- endif -%}
case
    when op in ('c', 'r', 'u')
        and (not ({{ debezium_spark.has_column(image, column) }})
        {%- if debezium_spark.nulls_are_absent(config) %}
            or {{ debezium_spark.column_member(image, column) }} is null
        {%- endif -%}
        {%- if column.get('gone_until') %}
            or {{ debezium_spark.is_of_dropped_column(config, column) }}
        {%- endif -%}
        ) then cast({{ debezium_spark.text_literal(column.added_default) }} as {{ spark_type }})
    else {{ value }}
end
{%- endmacro -%}
