{#- SQL: why a record is no event of the table, NULL for an event. -#}
{%- macro record_error(plan) -%}
{%- set config = plan.config -%}
{%- set routed_table = adapter.debezium().staging.routed_table(config) -%}
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
    when {{ debezium_spark.text_literal(signals) }} in ({{ routed_table }},
        concat(source.db, '.', {{ routed_table }}))
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
{%- set staging = adapter.debezium().staging -%}
{%- set connector = adapter.debezium().config.connector_of(config) -%}
{%- if origins and (not is_shared or connector.has_documents) %}
when not {{ staging.is_of_table(config, table, origins) }}
        then concat('record: of another table: ',
            left({{ staging.origin_text(config) }}, 1000))
{%- endif %}
{%- if is_shared %}
    when not is_tombstone and {{ staging.has_no_origin(config, table, origins) }}
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
    each value, and what is wrong with a time. A record error hides the others. `columns`: of
    `staging.staged_columns`.
-#}
{%- macro decoding_errors(columns) -%}
{%- set problems = (
    adapter.debezium().staging.value_problems(columns) + debezium_spark.unreadable_members()
) -%}
{%- set missing -%}
transform(_missing_columns, name -> concat(name,
            ': not in the row, but in the schema of its record'))
{%- endset -%}
case
    when _record_error is not null then array(_record_error)
    when {{ problems | map('first') | join(' or ') }}
        then concat(array_compact(array(
            {%- for condition, text in problems %}
            case when {{ condition }} then {{ text }} end
            {{- ',' if not loop.last }}
            {%- endfor %})),
            coalesce({{ missing }}, array()))
    else {{ missing }}
end
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
{%- macro unmapped_columns(config, names) -%}
{%- set known_names = 'array(' ~ debezium_spark.text_literals(names) ~ ')' -%}
{%- set skips_nulls = adapter.debezium().staging.nulls_are_absent(config) -%}
{%- set image = (
    'map_filter(after, (name, text) -> text is not null)' if skips_nulls else 'after'
) -%}
case
    when op in ('c', 'r', 'u') and after_has_other_names
        and size(array_except(map_keys({{ image }}), {{ known_names }})) > 0
        then map_filter(after, (name, text) -> not array_contains({{ known_names }}, name)
            {{- ' and text is not null' if skips_nulls }})
end
{%- endmacro -%}


{#- SQL: columns whose value the event lacks, NULL without any, which file statistics show. -#}
{%- macro unavailable_columns(columns) -%}
{%- set columns = columns | selectattr('unavailable') | list -%}
{%- if not columns -%}
cast(null as array<string>)
{%- else -%}
case
    when op in ('c', 'r', 'u') and ({{ columns | map(attribute='unavailable') | join(' or ') }})
        then array_compact(array(
            {%- for column in columns %}
            case when {{ column.unavailable }} then {{ debezium_spark.text_literal(column.name) }}
            end{{ ',' if not loop.last }}
            {%- endfor %}))
end
{%- endif -%}
{%- endmacro -%}
