{#- SQL: why a record is no event of the table, NULL for an event. -#}
{%- macro record_error(plan) -%}
{%- set config = plan.config -%}
{%- set signals = config.get('signal_data_collection') -%}
case
    {%- if plan.ignored_records %}
    when _ignored is not null then concat('record: ignored: ', _ignored)
    {%- endif %}
    when not is_tombstone and op is null then 'record: not a Debezium change event'
    when op not in ('c', 'u', 'd', 'r', 't', 'm')
        then concat('record: unknown op ', left(op, 100))
    when op in ('c', 'r', 'u') and after is null
        then concat('record: op ', op, ' without a row image')
    {%- for problem, hashes in plan.layouts.unwritten.items() %}
    when {{ debezium_spark._has_schema(hashes) }}
        then {{ debezium_spark.text_literal(
            'record: no converter writes its schema: ' ~ problem
        ) }}
    {%- endfor %}
    {%- for image in ['after'] + (['before'] if plan.reads_before else []) %}
    when {{ image }}_has_other_names
        and size(array_distinct(map_keys({{ image }}))) < size({{ image }})
        then 'record: a column stands twice in `{{ image }}`'
    {%- endfor %}
    {%- if signals %}
    {#-
        SQL Server and Oracle put the database in front. Transforms may route signals into a table's
        topic.
    #}
    when {{ debezium_spark.text_literal(signals) }} in ({{ debezium_spark.routed_table(config) }},
        concat(source.db, '.', {{ debezium_spark.routed_table(config) }}))
        then 'record: row of the signal table'
    {%- endif %}
    {{ debezium_spark.origin_errors(config, plan.table, plan.origins, plan.is_shared) }}
    {{ debezium_spark.flattened_errors(config) }}
    {%- if plan.key %}
    {{ debezium_spark.key_errors(config, plan.key | map(attribute='name') | join(', ')) }}
    {%- endif %}
    {%- if plan.doubts_keys %}
    when {{ debezium_spark.is_invented_key(config, plan.table, plan.checks_keys) }}
        then concat('record: the replica identity may lack the key, which then is made up: ',
            left(coalesce(_record_key, to_json(_row_key)), 1000))
    {%- endif %}
end
{%- endmacro -%}


{#-
    SQL branches for records of another table. The first is a guard for staging that runs before the
    catalog has seen them; for MongoDB, which has no drift, it shows collections without models.
-#}
{%- macro origin_errors(config, table, origins, is_shared) -%}
{%- if origins and (not is_shared or config.connector == 'mongodb') %}
when not {{ debezium_spark.is_of_table(config, table, origins) }}
        then concat('record: of another table: ',
            left({{ debezium_spark.origin_text(config) }}, 1000))
{%- endif %}
{%- if is_shared %}
    when not is_tombstone and {{ debezium_spark.has_no_origin(config, table, origins) }}
        then 'record: its source block does not say which of the tables in its topic it is of'
{%- endif %}
{%- endmacro -%}


{#-
    SQL branches for a key that names no row; a truncate has none, a tombstone without one does
    nothing.
-#}
{%- macro key_errors(config, names) -%}
when has_key and _cdc_key is null and (is_tombstone or op in ('c', 'u', 'd', 'r'))
        then concat({{ debezium_spark.text_literal('record: the key is not (' ~ names ~ '): ') }},
            left(_record_key, 1000))
    when op in ('c', 'u', 'd', 'r') and _cdc_key is null
        then {{ debezium_spark.no_key_error(config, names) }}
{%- endmacro -%}


{#- SQL condition: a record's value or key has one of these schemas, given by their hashes. -#}
{%- macro _has_schema(hashes) -%}
    {%- set sides = [] -%}
    {%- for side, column in [('value', '_layout'), ('key', '_key_layout')] if hashes[side] -%}
        {%- do sides.append(column ~ ' in (' ~ hashes[side] | join(', ') ~ ')') -%}
    {%- endfor -%}
    {{- return(sides | join(' or ')) -}}
{%- endmacro -%}


{#-
    SQL: `_cdc_errors`, NULL without any: `record: <reason>`, or `<column>: <reason>: <text>` for
    each value, and what is wrong with a time. A record error hides the others.
-#}
{%- macro decoding_errors(config, columns) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set conditions = [] -%}
    {%- set texts = [] -%}
    {%- for column in columns if debezium.decode.encoding_of(config, column).kind != 'string' -%}
        {%- set index = columns.index(column) + 1 -%}
        {%- set unavailable = debezium_spark.unavailable_condition(
            config, column, '_text_' ~ index
        ) -%}
        {%- set condition = debezium_spark.undecodable_condition(
            config, column, '_text_' ~ index, '_value_' ~ index, '_prepared_' ~ index
        ) -%}
        {%- if unavailable is not none -%}
            {%- set condition = (
                '(' ~ condition ~ ' and (' ~ unavailable ~ ') is distinct from true)'
            ) -%}
        {%- endif -%}
        {%- do conditions.append(condition) -%}
        {%- do texts.append(
            'case when ' ~ condition ~ ' then concat('
            ~ debezium_spark.text_literal(
                column.name ~ ': not a ' ~ (column.get('semantic') or column.type) ~ ': '
            )
            ~ ', left(_text_' ~ index ~ ', 1000)) end'
        ) -%}
    {%- endfor -%}
    {%- for condition, text in debezium_spark.unreadable_members() -%}
        {%- do conditions.append(condition) -%}
        {%- do texts.append('case when ' ~ condition ~ ' then ' ~ text ~ ' end') -%}
    {%- endfor -%}
    {%- set missing -%}
transform(_missing_columns, name -> concat(name,
            ': not in the row, but in the schema of its record'))
    {%- endset -%}
case
    when _record_error is not null then array(_record_error)
    when {{ conditions | join(' or ') }}
        then concat(array_compact(array({{ texts | join(', ') }})),
            coalesce({{ missing }}, array()))
    else {{ missing }}
end
{%- endmacro -%}


{#-
    SQL condition: a value came and did not decode. A companion column keeps what the Spark type
    cannot hold: only a text that is not even that counts.
-#}
{%- macro undecodable_condition(config, column, text, value, prepared) -%}
    {%- set condition = text ~ ' is not null and ' ~ value ~ ' is null' -%}
    {%- set encoding = adapter.debezium().decode.encoding_of(config, column) -%}
    {%- if encoding.get('exact_text') == 'beyond' and encoding.kind == 'days' -%}
        {%- set condition = condition ~ ' and ' ~ prepared ~ ' is null' -%}
    {%- elif encoding.get('exact_text') == 'beyond' and encoding.kind == 'iso_date' -%}
        {%- set condition = (
            condition ~ ' and not ' ~ prepared ~ " rlike '^[-+]?[0-9]{4,}-[0-9]{2}-[0-9]{2}Z?$'"
        ) -%}
    {%- endif -%}
    {{- return('(' ~ condition ~ ')') -}}
{%- endmacro -%}


{#-
    SQL: columns that a record's schema has and its row lacks: converters print nulls too, so these
    got lost. `layout_names`: {names, hashes} of `record_layouts`. Only an image with other names
    than the model's has its schema hashed.
-#}
{%- macro missing_columns(layout_names) -%}
{%- if not layout_names -%}{{- return('cast(null as array<string>)') -}}{%- endif -%}
{%- set missing -%}
array_except(case
            {%- for layout in layout_names %}
            when s in ({{ layout.hashes | join(', ') }})
                then array({{ debezium_spark.text_literals(layout.names) }})
            {%- endfor %}
        end, map_keys(after))
{%- endset -%}
{%- set schema_hash = debezium_spark.embedded_schema_hash('_record_value') -%}
case
    when op in ('c', 'r', 'u') and after_has_other_names
        then nullif({{ adapter.debezium().decode.let('s', schema_hash, missing) }}, array())
end
{%- endmacro -%}


{#-
    SQL: `_cdc_unmapped`: nothing is lost before models are regenerated (design §8). Connectors keep
    the order of the schema, so comparing two name lists is enough for the usual record.
-#}
{%- macro unmapped_columns(config, columns) -%}
    {%- set known_names = (
        'array(' ~ debezium_spark.text_literals(debezium_spark.all_names(columns)) ~ ')'
    ) -%}
    {%- set is_told = (
        ' and text is not null' if debezium_spark.nulls_are_absent(config) else ''
    ) -%}
    {%- set image = (
        'map_filter(after, (name, text) -> text is not null)' if is_told else 'after'
    ) -%}
    {{- return(
        "case when op in ('c', 'r', 'u') and after_has_other_names"
        ~ ' and size(array_except(map_keys(' ~ image ~ '), ' ~ known_names
        ~ ')) > 0 then map_filter(after, (name, text) -> not array_contains(' ~ known_names
        ~ ', name)' ~ is_told ~ ') end'
    ) -}}
{%- endmacro -%}


{#- SQL: columns whose value the event lacks, NULL without any, which file statistics show. -#}
{%- macro unavailable_columns(config, columns) -%}
    {%- set conditions = [] -%}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- set condition = debezium_spark.unavailable_condition(
            config, column, '_text_' ~ loop.index
        ) -%}
        {%- if condition is not none -%}
            {%- do conditions.append(condition) -%}
            {%- do names.append(
                'case when ' ~ condition ~ ' then ' ~ debezium_spark.text_literal(column.name)
                ~ ' end'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not conditions -%}{{- return('cast(null as array<string>)') -}}{%- endif -%}
    {{- return(
        "case when op in ('c', 'r', 'u') and (" ~ conditions | join(' or ')
        ~ ') then array_compact(array(' ~ names | join(', ') ~ ')) end'
    ) -}}
{%- endmacro -%}
