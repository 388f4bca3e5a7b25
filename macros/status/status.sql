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
    {%- set asked, models, layers = {}, {}, [] -%}
    {%- for subject in debezium.generate.SUBJECTS -%}
        {%- set view = debezium_spark._model_relation('debezium_obs__' ~ subject.name) -%}
        {%- if subject.name == 'tables' -%}
            {%- do asked.update({'tables': debezium_spark._status_of_tables(view)}) -%}
        {%- elif view is not none -%}
            {%- do asked.update({
                subject.name: debezium_spark._count_of_findings(subject, view)
            }) -%}
        {%- endif -%}
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
                    'place': layers | length | string,
                    'of': {'layer': layer, 'source_name': meta.source, 'table_name': table},
                    'relation': relation,
                    'format': node.config.file_format or debezium.run.format_of_target(),
                }) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do asked.update({'sizes': debezium_spark._sizes_of_snapshots(layers)}) -%}
    {%- if batches -%}
        {%- do asked.update({'batches': debezium_spark._landings(layers)}) -%}
    {%- endif -%}
    {%- set answers = debezium.run.rows_of_all(asked) -%}
    {{- return({
        'tables': answers.pop('tables'),
        'sizes': debezium_spark._sizes(layers, answers.pop('sizes')),
        'batches': answers.pop('batches', []),
        'findings': answers,
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
select to_json(struct(source_name, table_name, count(*) as found))
from {{ view }}
where {{ subject.fails | join(' or ') }}
group by source_name, table_name
{%- endmacro -%}


{#- SELECT: the bytes of the newest snapshot of each of Iceberg's tables, by place in `layers`. -#}
{%- macro _sizes_of_snapshots(layers) -%}
    {%- set snapshots = [] -%}
    {%- for table in layers if table.format == 'iceberg' -%}
        {%- do snapshots.append({
            'source': '', 'table': table.place, 'relation': table.relation ~ '.snapshots'
        }) -%}
    {%- endfor -%}
select to_json(struct(table_name as place, max_by(bytes, committed_at) as bytes))
from (
    {{ debezium_spark.rows_of_tables(snapshots, [
        ('bytes', 'bigint', "cast(summary['total-files-size'] as bigint)"),
        ('committed_at', 'timestamp', 'committed_at'),
    ]) | indent(4) }}
) as snapshots
group by table_name
{%- endmacro -%}


{#- The bytes of the newest snapshot of each table, beside what it is `of`. -#}
{%- macro _sizes(layers, sizes_of_snapshots) -%}
    {%- set sizes, places = [], {} -%}
    {%- for size in sizes_of_snapshots -%}
        {%- do places.update({size.place: size.get('bytes', 0)}) -%}
    {%- endfor -%}
    {%- for table in layers -%}
        {%- set bytes = places.get(table.place, 0) if table.format == 'iceberg'
            else run_query('describe detail ' ~ table.relation).rows[0]['sizeInBytes'] | int -%}
        {%- do sizes.append(dict(table.of, bytes=bytes)) -%}
    {%- endfor -%}
    {{- return(sizes) -}}
{%- endmacro -%}


{#- SELECT: the last 100 landings of each source, with the events that they brought. -#}
{%- macro _landings(layers) -%}
    {%- set stagings = [] -%}
    {%- for table in layers if table.of.layer == 'staging' -%}
        {%- do stagings.append({
            'source': table.of.source_name, 'table': '', 'relation': table.relation
        }) -%}
    {%- endfor -%}
select to_json(struct(landings.*)) as landing
from (
    select
        source_name,
        batch_id,
        count(*) as events,
        max(landed_at) as landed_at,
        unix_seconds(max(landed_at)) - unix_seconds(max(least(source_at, landed_at)))
            as lag_seconds,
        row_number() over (partition by source_name order by batch_id desc) as place
    from (
        {{ debezium_spark.rows_of_tables(stagings, [
            ('batch_id', 'bigint', '_cdc_batch_id'),
            ('landed_at', 'timestamp', '_cdc_landed_at'),
            ('source_at', 'timestamp', '_cdc_source_at'),
        ]) | indent(8) }}
    ) as events
    group by source_name, batch_id
) as landings
where place <= 100
order by source_name, batch_id
{%- endmacro -%}
