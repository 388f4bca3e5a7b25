{#-
    Where a table at its source differs from its models, with the commands that bring these up to
    date.

    `source_changes` compares the catalog with the models when this view is built; only differences
    reach its text. `_cdc_unmapped` of the newest event is all that shows a new column without
    schemas; a column that only older events carry was dropped at the source.

    `catalogs`: {source, columns, schemas} of each source, the last two its catalog models.
-#}
{%- macro obs_drift(stagings, catalogs=[]) -%}
    {{- return(adapter.dispatch('obs_drift', 'debezium_spark')(stagings, catalogs)) -}}
{%- endmacro -%}


{%- macro default__obs_drift(stagings, catalogs=[]) -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton('range(1)')) -}}
    {%- endif -%}
    {%- set rows_of = [] -%}
    {%- for catalog in catalogs -%}
        {%- do rows_of.extend([catalog.columns, catalog.schemas]) -%}
    {%- endfor -%}
    {%- set inputs = debezium_spark.view_inputs(
        stagings | map(attribute='relation') | list, rows_of
    ) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set declarations = debezium_spark._declarations(stagings) -%}
    {%- set changes = [] -%}
    {#- a catalog without rows, as `--empty` shows it, is no change of any table -#}
    {%- if debezium_spark.is_running() and not flags.EMPTY -%}
        {%- for catalog in debezium_spark.existing_entries(catalogs, ['columns', 'schemas']) -%}
            {%- do changes.extend(debezium_spark.source_changes(catalog, declarations)) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set observed, remedies = [], [] -%}
    {%- for staging in debezium_spark.existing_entries(declarations)
        if not debezium_spark.holds_documents(staging.source) -%}
        {%- do observed.append(staging) -%}
        {%- do remedies.append({
            'source_name': staging.source,
            'table_name': staging.table,
            'remedy': 'unless a schema or a definition tells its type: declare it in'
                ~ ' debezium_sources.' ~ staging.source ~ '.tables.' ~ staging.table ~ '.columns; '
                ~ adapter.debezium().models.rebuild_command(staging.relation.identifier),
        }) -%}
    {%- endfor -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
with

changes as (

    select inline(
        from_json(
            {{ debezium_spark.text_literal(tojson(changes)) }},
            '{{ debezium_spark._changes_type() }}'
        )
    )

),

newest_events as (

    select
        source_name,
        table_name,
        max(batch_id) as newest_batch_id,
        max_by(
            struct(unmapped, event_id, batch_id),
            struct(batch_id, stream_pos, `timestamp`, `offset`)
        ) filter (where op in ('c', 'r', 'u')) as newest_event
    from (
        {{ debezium_spark.rows_of_tables(observed, [
            ('op', 'string', '_cdc_op'),
            ('batch_id', 'bigint', '_cdc_batch_id'),
            ('stream_pos', 'string', 'coalesce(_cdc_stream_pos, _cdc_pos)'),
            ('`timestamp`', 'timestamp', '_cdc_timestamp'),
            ('`offset`', 'bigint', '_cdc_offset'),
            ('event_id', 'string', '_cdc_event_id'),
            ('unmapped', 'array<string>', 'map_keys(_cdc_unmapped)'),
        ]) | indent(8) }}
    ) as staged_events
    group by source_name, table_name

),

{#- the columns whose values the newest event of a table keeps in `_cdc_unmapped` -#}
unmapped_columns as (

    select
        source_name,
        table_name,
        column_name,
        newest_event.event_id,
        newest_event.batch_id,
        remedy
    from newest_events
    inner join (
        select inline(
            from_json(
                {{ debezium_spark.text_literal(tojson(remedies)) }},
                'array<struct<source_name: string, table_name: string, remedy: string>>'
            )
        )
    ) as remedies using (source_name, table_name)
    lateral view explode(newest_event.unmapped) as column_name
    where newest_event.batch_id = newest_batch_id

)

select
    source_name,
    table_name,
    change,
    column_name,
    modelled,
    recorded,
    is_compatible,
    evidence,
    event_id,
    cast(null as bigint) as batch_id,
    remedy
from changes

union all

select
    unmapped_columns.source_name,
    unmapped_columns.table_name,
    'column_added' as change,
    unmapped_columns.column_name,
    cast(null as string) as modelled,
    'of unknown type' as recorded,
    true as is_compatible,
    'values' as evidence,
    unmapped_columns.event_id,
    unmapped_columns.batch_id,
    unmapped_columns.remedy
from unmapped_columns
left anti join changes
    on
        unmapped_columns.source_name = changes.source_name
        and unmapped_columns.table_name = changes.table_name
        and unmapped_columns.column_name = changes.column_name
{%- endmacro -%}


{%- macro _changes_type() -%}
    {{- return(
        'array<struct<source_name: string, table_name: string, change: string, '
        ~ 'column_name: string, modelled: string, recorded: string, is_compatible: boolean, '
        ~ 'evidence: string, event_id: string, remedy: string>>'
    ) -}}
{%- endmacro -%}


{#-
    Staging models with the arguments of their call of `staging` (`call`, none if it cannot be read)
    and `ended_by`.
-#}
{%- macro _declarations(stagings) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set nodes = {} -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
            {%- do nodes.update({node.alias: node}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set declarations = [] -%}
    {%- for staging in stagings -%}
        {%- set node = nodes.get(staging.relation.identifier) -%}
        {%- set meta = (
            (node.config.get('meta') or {}).get('debezium_spark') or {} if node else {}
        ) -%}
        {%- do declarations.append(
            dict(
                staging,
                call=debezium.models.staging_call(node.raw_code, var) if node else none,
                ended_by=debezium.text.read_argument(meta['ended_by'])
                    if meta.get('ended_by')
                    else none,
            )
        ) -%}
    {%- endfor -%}
    {{- return(declarations) -}}
{%- endmacro -%}
