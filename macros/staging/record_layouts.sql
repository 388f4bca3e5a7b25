{#-
    What the catalog of embedded schemas knows of this run's records: base64 read with the scale of
    another layout would be a wrong number that looks right, so each message is read by its own
    schema (spec §9.5). One query; without a catalog, the model's columns read all.

    Returns

    * `columns`, `key`: the model's, with the other encodings of records: `layouts`, a list of
      {column, hashes},
    * `names`: the columns of each schema, {names, hashes} (`missing_columns`),
    * `unwritten`: schemas that no converter writes, {problem: {value, key}}, lists of hashes,
    * `sharing`: topics with records of other tables, {topic: time of the first in microseconds},
    * `doubtful_keys`: a delete of this batch or the last may have a made-up key,
    * `ends`: {topic, partition, offset, event} of `table_ends`.
-#}
{%- macro record_layouts(config, arguments, watermark) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set schemas, topics = arguments.schemas, arguments.topics -%}
    {%- set columns, key = arguments.columns, arguments.key -%}
    {%- set layouts = debezium_spark.no_layouts(columns, key) -%}
    {%- do layouts.update({'doubtful_keys': true}) -%}
    {%- if schemas is none -%}{{- return(layouts) -}}{%- endif -%}
    {#- as JSON text, so that a hash arrives with all its digits -#}
    {%- set query -%}
    {%- for side in ['value', 'key'] %}
    {{- 'union all' if not loop.first }}
select
    to_json(
        named_struct(
            'side', '{{ side }}',
            'hash', cast({{ side }}_hash as string),
            'schema', max({{ side }}_schema)
        )
    ) as layout
from {{ schemas }}
where {{ debezium_spark.topic_condition(topics) }}
group by {{ side }}_hash
having max({{ side }}_schema) is not null
    {%- if watermark is not none and watermark is defined %}
        and max(_cdc_batch_id) > {{ watermark }}
    {%- endif %}
    {% endfor %}
    {{- 'union all
' ~ debezium_spark.shared_topics_sql(config, schemas, topics, arguments.table, arguments.origins) }}
    {%- if config.connector == 'postgresql' and key %}
union all
select to_json(named_struct('side', 'doubtful keys', 'hash', '', 'schema', '')) as layout
from {{ schemas }}
where
    {{ debezium_spark.topic_condition(topics) }}
    {%- if watermark is not none and watermark is defined %}
    and _cdc_batch_id >= {{ watermark }}
    {%- endif %}
having bool_or(has_doubtful_key)
    {%- endif %}
    {%- if debezium_spark.reports_table_ends(config) %}
union all
        {{- debezium_spark.table_ends_query(config, schemas, watermark) }}
    {%- endif %}
    {%- endset -%}
    {%- do layouts.update({'doubtful_keys': false}) -%}
    {%- set by_side = {'value': {}, 'key': {}} -%}
    {%- for row in run_query(query).rows -%}
        {%- set layout = fromjson(row[0]) -%}
        {%- set is_schema = layout.side in by_side -%}
        {%- set problem = debezium.catalog.schema_problem(
            layout.side, layout.schema
        ) if is_schema -%}
        {%- if layout.side == 'topic' -%}
            {%- do layouts.sharing.update({layout.topic: layout.since}) -%}
        {%- elif layout.side == 'end' -%}
            {%- set event = debezium.catalog.table_end(
                layout.schema, config.connector, debezium_spark.short_name(config, arguments)
            ) -%}
            {%- if event -%}
                {%- do layouts.ends.append(dict(fromjson(layout.hash), event=event)) -%}
            {%- endif -%}
        {%- elif not is_schema -%}
            {%- do layouts.update({'doubtful_keys': true}) -%}
        {%- elif problem -%}
            {%- do layouts.unwritten.setdefault(
                problem, {'value': [], 'key': []}
            )[layout.side].append(layout.hash) -%}
        {%- else -%}
            {%- do by_side[layout.side].update(
                {layout.hash: debezium_spark._schema_columns(config, layout.side, layout.schema)}
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set names = {} -%}
    {%- for schema_hash, fields in by_side['value'].items() -%}
        {%- set field_names = fields | map(attribute='field') | list -%}
        {%- do names.setdefault(
            tojson(field_names), {'names': field_names, 'hashes': []}
        ).hashes.append(schema_hash) -%}
    {%- endfor -%}
    {%- do layouts.update({
        'columns': debezium_spark.with_layouts(
            config, columns, dict(by_side['value'], **by_side['key'])
        ),
        'key': debezium_spark.with_layouts(config, key, by_side['key']),
        'names': names.values() | list,
    }) -%}
    {{- return(layouts) -}}
{%- endmacro -%}


{#- What `record_layouts` returns where nothing is known. -#}
{%- macro no_layouts(columns, key) -%}
    {{- return(
        {
            'columns': columns,
            'key': key,
            'names': [],
            'unwritten': {},
            'sharing': {},
            'doubtful_keys': false,
            'ends': [],
        }
    ) -}}
{%- endmacro -%}


{#- The table's name as statements have it, also where its models are named by more. -#}
{%- macro short_name(config, arguments) -%}
    {%- if not arguments.origins -%}{{- return(arguments.table) -}}{%- endif -%}
    {%- set parts = [] -%}
    {%- for member in debezium_spark.origin_members(config)[-2:] -%}
        {%- do parts.append(arguments.origins[0].get(member, '')) -%}
    {%- endfor -%}
    {{- return(parts | join('.')) -}}
{%- endmacro -%}


{#- The nodes of a schema's columns: those of the row image, or of the key. -#}
{%- macro _schema_columns(config, side, schema) -%}
    {%- set fields = fromjson(schema).get('fields') or [] -%}
    {%- if side == 'key' -%}{{- return(fields) -}}{%- endif -%}
    {{- return(adapter.debezium().catalog.row_fields(
        config, schema, (fields | selectattr('field', 'equalto', 'after') | first).fields
    )) -}}
{%- endmacro -%}


{#- Columns with the encodings of other schemas, {hash: fields}, that differ from theirs. -#}
{%- macro with_layouts(config, columns, fields_by_hash) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set columns_with_layouts = [] -%}
    {%- for column in columns -%}
        {%- set layouts = {} -%}
        {%- for schema_hash, fields in fields_by_hash.items() -%}
            {%- for node in fields if node.get('field') in debezium_spark.all_names([column]) -%}
                {%- set record_column = debezium.generate.column_of(node) -%}
                {%- if not debezium.decode.same_encoding(config, record_column, column) -%}
                    {%- set label = tojson(debezium.decode.signature(config, record_column)) -%}
                    {%- set layout = (
                        layouts.get(label) or {'column': record_column, 'hashes': []}
                    ) -%}
                    {%- do layout.hashes.append(schema_hash) -%}
                    {%- do layouts.update({label: layout}) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do columns_with_layouts.append(
            dict(column, layouts=layouts.values() | list) if layouts else column
        ) -%}
    {%- endfor -%}
    {{- return(columns_with_layouts) -}}
{%- endmacro -%}
