{#-
    What the catalog of embedded schemas says of the records of this run, and whose records its topics have. Returns {columns, key, names,
    unwritten, shared, doubtful_keys, ends}:

    * `columns`, `key`: those of the model, each with the other encodings that records have: `layouts`, a list of {column, hashes}, and only
      where there are any,
    * `names`: which columns the schemas have, lists of {names, hashes} (`lacking_columns`),
    * `unwritten`: the schemas that no converter writes, {problem: {value, key}}, two lists of hashes. Their records are quarantined,
    * `shared`: topics that hold records of other tables, {topic: the first one's time in microseconds}, of whatever run.
    * `doubtful_keys`: some delete of them, or of the batch staged last, has a key that may be made up (`is_invented_key`),
    * `ends`: records of the schema-change topic that end the table's rows, {topic, partition, offset, event} (`table_ends`).

    A model is written from the layout seen last. Records of another one come before an operator changed a handling mode or
    a column's type, and after it until the models are generated again; base64 read with the scale of another layout would be
    a wrong number that looks like a right one (spec §9.5: decode each message with its own schema).

    `schemas` is the source's catalog of embedded schemas (none: all are read as the model says), which is small and has met every landed record; one query, in runs
    that have new records. Hashes are those of `catalog_schemas`.
-#}
{%- macro record_layouts(config, given, watermark) -%}
    {%- set schemas, topics, columns, key = given.schemas, given.topics, given.columns, given.key -%}
    {%- set told = debezium_spark.nothing_recorded(columns, key) -%}
    {%- do told.update({'doubtful_keys': true}) -%}
    {%- if schemas is none -%}{{- return(told) -}}{%- endif -%}
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
    {%- if watermark is not none and watermark is defined %} and max(_cdc_batch_id) > {{ watermark }}{% endif %}
    {% endfor %}
    {{- 'union all
' ~ debezium_spark.shared_topics_sql(config, schemas, topics, given.table, given.origins) }}
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
    {%- do told.update({'doubtful_keys': false}) -%}
    {%- set by_side = {'value': {}, 'key': {}} -%}
    {%- for row in run_query(query).rows -%}
        {%- set layout = fromjson(row[0]) -%}
        {%- set is_schema = layout.side in by_side -%}
        {%- set problem = adapter.debezium_schema_problem(layout.side, layout.schema) if is_schema -%}
        {%- if layout.side == 'topic' -%}
            {%- do told.shared.update({layout.topic: layout.since}) -%}
        {%- elif layout.side == 'end' -%}
            {%- set event = adapter.debezium_table_end(layout.schema, config.connector, debezium_spark.short_name(config, given)) -%}
            {%- if event %}{% do told.ends.append(dict(fromjson(layout.hash), event=event)) %}{% endif -%}
        {%- elif not is_schema -%}
            {%- do told.update({'doubtful_keys': true}) -%}
        {%- elif problem -%}
            {%- do told.unwritten.setdefault(problem, {'value': [], 'key': []})[layout.side].append(layout.hash) -%}
        {%- else -%}
            {%- do by_side[layout.side].update({layout.hash: debezium_spark._schema_columns(layout.side, layout.schema)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set names = {} -%}
    {%- for schema_hash, fields in by_side['value'].items() -%}
        {%- set own = fields | map(attribute='field') | list -%}
        {%- do names.setdefault(tojson(own), {'names': own, 'hashes': []}).hashes.append(schema_hash) -%}
    {%- endfor -%}
    {%- do told.update({
        'columns': debezium_spark.with_layouts(config, columns, by_side['value']),
        'key': debezium_spark.with_layouts(config, key, by_side['key']),
        'names': names.values() | list,
    }) -%}
    {{- return(told) -}}
{%- endmacro -%}


{#- What `record_layouts` returns where nothing is told. -#}
{%- macro nothing_recorded(columns, key) -%}
    {{- return({
        'columns': columns, 'key': key, 'names': [], 'unwritten': {}, 'shared': {}, 'doubtful_keys': false, 'ends': [],
    }) -}}
{%- endmacro -%}


{#- The table's name as statements have it: schema (or database) and table, also where its models are named by more. -#}
{%- macro short_name(config, given) -%}
    {%- if not given.origins -%}{{- return(given.table) -}}{%- endif -%}
    {%- set parts = [] -%}
    {%- for member in debezium_spark.origin_members(config)[-2:] %}{% do parts.append(given.origins[0].get(member, '')) %}{% endfor -%}
    {{- return(parts | join('.')) -}}
{%- endmacro -%}


{#- The nodes of a schema's columns: those of the row image, or of the key. -#}
{%- macro _schema_columns(side, schema) -%}
    {%- set fields = fromjson(schema).get('fields') or [] -%}
    {%- if side == 'key' -%}{{- return(fields) -}}{%- endif -%}
    {{- return((fields | selectattr('field', 'equalto', 'after') | first).fields) -}}
{%- endmacro -%}


{#- Columns with the encodings by which the given schemas ({hash: fields}) differ from them. -#}
{%- macro with_layouts(config, columns, fields_by_hash) -%}
    {%- set told = [] -%}
    {%- for column in columns -%}
        {%- set others = {} -%}
        {%- for schema_hash, fields in fields_by_hash.items() -%}
            {%- for node in fields if node.get('field') in debezium_spark.names_ever([column]) -%}
                {%- set own = debezium_spark._column_of(node) -%}
                {%- if not debezium_spark.same_encoding(config, own, column) -%}
                    {%- set label = tojson(debezium_spark.encoding_identity(config, own)) -%}
                    {%- set other = others.get(label) or {'column': own, 'hashes': []} -%}
                    {%- do other.hashes.append(schema_hash) -%}
                    {%- do others.update({label: other}) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do told.append(dict(column, layouts=others.values() | list) if others else column) -%}
    {%- endfor -%}
    {{- return(told) -}}
{%- endmacro -%}


{#- Whether two descriptions of a column are read alike. What only the database type tells (`known_database_type`) is not in a record. -#}
{%- macro same_encoding(config, recorded, modelled) -%}
    {{- return(
        debezium_spark.encoding_identity(config, recorded)
        == debezium_spark.encoding_identity(config, debezium_spark.without_known_type(modelled))
    ) -}}
{%- endmacro -%}


{%- macro encoding_identity(config, column) -%}
    {%- set identity = {} -%}
    {%- for member, value in debezium_spark.encoding(config, column).items() if member not in ('about', 'literal') -%}
        {%- do identity.update({member: value}) -%}
    {%- endfor -%}
    {%- if identity.kind == 'bits' -%}
        {%- do identity.update({'length': (column.get('parameters') or {}).get('length')}) -%}
    {%- elif identity.kind == 'array' -%}
        {%- do identity.update({'items': debezium_spark.encoding_identity(config, column.get('items') or {'type': 'string'})}) -%}
    {%- endif -%}
    {{- return(identity) -}}
{%- endmacro -%}
