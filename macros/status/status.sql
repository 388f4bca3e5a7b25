{#-
    Whether everything is well (docs/status.md). It reads what `debezium_obs__*` shows and judges
    nothing: what the tests of these views do not allow is wrong. `status_facts()` logs, shortened:

    {"tables": [{"source_name": "shop", "table_name": "public.orders", "lag_seconds": 3,
                 "is_late": false, "fails": ["unexplained"]}],
     "findings": {"quarantine": [{"source_name": "shop", "found": 3}], "drift": []},
     "sizes": [{"layer": "raw", "source_name": "shop", "bytes": 7969177}],
     "batches": [{"source_name": "shop", "batch_id": 1, "events": 40, "lag_seconds": 3}],
     "models": {"model.shop.raw_shop": ["shop", null]}, "target_dir": "/srv/shop/target"}
-#}


{#- Log the facts as JSON. `batches`: whether to read the landings of the staged events. -#}
{%- macro status_facts(batches=false) -%}
    {%- if execute -%}
        {%- do log('debezium_spark.status ' ~ tojson(debezium_spark._status_facts(batches))) -%}
    {%- endif -%}
{%- endmacro -%}


{%- macro _status_facts(batches) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set tables = debezium_spark._model_relation('debezium_obs__tables') -%}
    {%- if tables is none -%}
        {{- return({
            'problem': 'the project has no view debezium_obs__tables.',
            'remedy': 'Run `debezium-spark generate`, then `dbt build`.',
        }) -}}
    {%- endif -%}
    {%- set findings, counts, models, layers = {}, [], {}, [] -%}
    {%- for subject in debezium.generate.SUBJECTS if subject.name != 'tables' -%}
        {%- set view = debezium_spark._model_relation('debezium_obs__' ~ subject.name) -%}
        {%- if view is not none -%}
            {%- do findings.update({subject.name: []}) -%}
            {%- do counts.append(debezium_spark._count_of_findings(subject, view)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for found in debezium_spark._json_rows_of(counts) -%}
        {%- do findings[found.view].append(found) -%}
    {%- endfor -%}
    {%- for node in graph.nodes.values() -%}
        {%- set model = graph.nodes.get(node.get('attached_node'), node) -%}
        {%- set meta = (model.config.get('meta') or {}).get('debezium_spark') or {} -%}
        {%- if meta.get('source') -%}
            {%- set table = meta.get('table') and debezium.text.read_argument(meta.table) -%}
            {%- do models.update({node.unique_id: [meta.source, table]}) -%}
            {%- set layer = {'raw': 'raw', 'stg': 'staging', 'state': 'state'}.get(
                node.name.split('_')[0]
            ) if node.resource_type == 'model' -%}
            {%- set relation = load_relation(debezium_spark._relation_of(node)) if layer -%}
            {%- if relation and not relation.is_view -%}
                {%- do layers.append({
                    'of': {'layer': layer, 'source_name': meta.source, 'table_name': table},
                    'relation': relation,
                    'format': node.config.file_format or debezium.run.format_of_target(),
                }) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return({
        'tables': debezium_spark._json_rows(debezium_spark._status_of_tables(tables)),
        'findings': findings,
        'sizes': debezium_spark._sizes(layers),
        'batches': debezium_spark._json_rows(
            debezium_spark._landings(layers | selectattr('of.layer', 'equalto', 'staging') | list)
        ) if batches else [],
        'models': models,
        'target_dir': debezium.run.target_dir(),
    }) -}}
{%- endmacro -%}


{#- SELECT: the view's rows with the tests that each fails; a table in its place has old times. -#}
{%- macro _status_of_tables(relation) -%}
    {%- set as_of, fails = debezium_spark._as_of(), [] -%}
    {%- for condition in adapter.debezium().generate.observability_subject('tables').fails -%}
        {%- set name = debezium_spark.text_literal(condition.split(' ')[0]) -%}
        {%- do fails.append('if(' ~ condition ~ ', ' ~ name ~ ', null)') -%}
    {%- endfor -%}
select to_json(struct(observed.*)) as observed
from (
    select
        * except (as_of, is_late),
        {{ as_of }} as as_of,
        coalesce(late_at <= {{ as_of }}, false) as is_late,
        array_compact(array({{ fails | join(', ') }})) as fails
    from {{ relation }}
) as observed
{%- endmacro -%}


{#- SELECT: how many rows of a view its test does not allow, by source and table. -#}
{%- macro _count_of_findings(subject, view) -%}
select to_json(struct(
    {{ debezium_spark.text_literal(subject.name) }} as view, source_name, table_name,
    count(*) as found
)) as counted
from {{ view }}
where {{ subject.fails | join(' or ') }}
group by source_name, table_name
{%- endmacro -%}


{#- The bytes of the current snapshot of each table, beside what it is `of`. -#}
{%- macro _sizes(layers) -%}
    {%- set sizes, queries = [], [] -%}
    {%- for table in layers -%}
        {%- if table.format == 'iceberg' -%}
            {%- do queries.append(
                'select to_json(struct(' ~ loop.index0 ~ ' as number, sum(file_size_in_bytes) as '
                ~ 'bytes)) as size from ' ~ table.relation ~ '.files'
            ) -%}
        {%- else -%}
            {%- set detail = run_query('describe detail ' ~ table.relation).rows[0] -%}
            {%- do sizes.append(dict(table.of, bytes=detail['sizeInBytes'] | int)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for size in debezium_spark._json_rows_of(queries) -%}
        {%- do sizes.append(dict(layers[size.number].of, bytes=size.get('bytes', 0))) -%}
    {%- endfor -%}
    {{- return(sizes) -}}
{%- endmacro -%}


{#- Rows of all of some queries, one statement. -#}
{%- macro _json_rows_of(queries) -%}
    {{- return(debezium_spark._json_rows(queries | join('\nunion all\n')) if queries else []) -}}
{%- endmacro -%}


{#- SELECT: the last 100 landings of each source, with the events that they brought. -#}
{%- macro _landings(stagings) -%}
select to_json(struct(landings.*)) as landing
from (
    select
        source_name,
        _cdc_batch_id as batch_id,
        count(*) as events,
        max(_cdc_landed_at) as landed_at,
        unix_seconds(max(_cdc_landed_at))
        - unix_seconds(max(least(_cdc_source_at, _cdc_landed_at))) as lag_seconds,
        row_number() over (partition by source_name order by _cdc_batch_id desc) as place
    from (
        {%- for staging in stagings %}
        select
            {{ debezium_spark.text_literal(staging.of.source_name) }} as source_name,
            _cdc_batch_id, _cdc_landed_at, _cdc_source_at
        from {{ staging.relation }}
        {{- '\n        union all' if not loop.last }}
        {%- endfor %}
    ) as events
    group by source_name, _cdc_batch_id
) as landings
where place <= 100
order by source_name, batch_id
{%- endmacro -%}
