{#-
    Everything that could not be read, with where it came from and why: lines that did not land,
    records that are no events, values that did not decode. Nothing is lost: the content is here or
    in raw.
-#}
{%- macro obs_quarantine(raws, stagings) -%}
    {{- return(adapter.dispatch('obs_quarantine', 'debezium_spark')(raws, stagings)) -}}
{%- endmacro -%}


{%- macro default__obs_quarantine(raws, stagings) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- set sides = [] -%}
    {%- for source, raw in raws -%}
        {%- do sides.append({'source': source, 'relation': api.Relation.create(
            database=raw.database, schema=raw.schema, identifier=raw.identifier ~ '__rejected'
        )}) -%}
    {%- endfor -%}
    {%- set inputs = debezium_spark.view_inputs(
        stagings | map(attribute='relation') | list,
        sides=sides | map(attribute='relation') | list,
    ) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- for side in debezium_spark.existing_entries(sides) -%}
        {%- do parts.append(debezium_spark._quarantined_landings(side)) -%}
    {%- endfor -%}
    {%- set existing = debezium_spark.existing_entries(stagings) -%}
    {%- if existing -%}
        {%- do parts.append(debezium_spark._quarantined_events(existing)) -%}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {{- return(debezium_spark.union_of_parts('quarantine', parts)) -}}
{%- endmacro -%}


{#- SELECT: what the landing of a source kept aside, from the side table of its raw table. -#}
{%- macro _quarantined_landings(side) -%}
select
    {{ debezium_spark.text_literal(side.source) }} as source_name,
    cast(null as string) as table_name,
    'landing' as stage,
    file,
    line,
    topic,
    `partition`,
    `offset`,
    reason,
    coalesce(content, value) as content,
    _cdc_batch_id,
    _cdc_landed_at
from {{ side.relation }}
{%- endmacro -%}


{#- SELECT: the staged records with errors, one row an error. -#}
{%- macro _quarantined_events(stagings) -%}
select
    source_name,
    table_name,
    'staging' as stage,
    cast(null as string) as file,
    cast(null as bigint) as line,
    topic,
    `partition`,
    `offset`,
    error as reason,
    cast(null as string) as content,
    _cdc_batch_id,
    _cdc_landed_at
from (
    {{ debezium_spark.rows_of_tables(stagings, [
        ('topic', 'string', '_cdc_topic'),
        ('`partition`', 'int', '_cdc_partition'),
        ('`offset`', 'bigint', '_cdc_offset'),
        ('errors', 'array<string>', '_cdc_errors'),
        ('_cdc_batch_id', 'bigint', '_cdc_batch_id'),
        ('_cdc_landed_at', 'timestamp', '_cdc_landed_at'),
    ], where='_cdc_errors is not null') | indent(4) }}
) as staged_events
lateral view explode(errors) as error
{%- endmacro -%}
