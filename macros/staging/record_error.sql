{#-
    SQL: why a record is no event of the table, NULL for an event. `schemas`: {problem: {value,
    key}} with hashes of schemas that no converter writes; `invented_key_table`: the table's name if
    its keys may be made up; `reads_value_before`: whether `_value_before` is there.
-#}
{%- macro record_error(
    config,
    key,
    columns,
    reads_before=false,
    schemas={},
    ignored_records=[],
    table=none,
    origins=[],
    is_shared=false,
    invented_key_table=none,
    reads_value_before=true
) -%}
{%- set signals = config.get('signal_data_collection') -%}
case
    {%- if ignored_records %}
    when _ignored is not null then concat('record: ignored: ', _ignored)
    {%- endif %}
    when not is_tombstone and op is null then 'record: not a Debezium change event'
    when op not in ('c', 'u', 'd', 'r', 't', 'm')
        then concat('record: unknown op ', left(op, 100))
    when op in ('c', 'r', 'u') and after is null
        then concat('record: op ', op, ' without a row image')
    {%- for problem, hashes in schemas.items() %}
    when {{ debezium_spark._has_schema(hashes) }}
        then {{ debezium_spark.text_literal(
            'record: no converter writes its schema: ' ~ problem
        ) }}
    {%- endfor %}
    {%- for image in ['after'] + (['before'] if reads_before else []) %}
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
    {{ debezium_spark.origin_errors(config, table, origins, is_shared) }}
    {{ debezium_spark.flattened_errors(config) }}
    {%- if key %}
    {{ debezium_spark.key_errors(config, key | map(attribute='name') | join(', ')) }}
    {%- endif %}
    {%- if invented_key_table is not none %}
    when {{ debezium_spark.is_invented_key(config, invented_key_table, reads_value_before) }}
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
