{#-
    What a view depends on besides its text: names, the columns of the tables that it reads, and the
    rows of `rows_of`, from which its text is made. Columns of raw records never change. A table in
    place of a view depends on all rows, also on those of `sides`, tables beside raw ones.
-#}
{%- macro view_inputs(relations, rows_of=[], sides=[]) -%}
    {%- if not debezium_spark.is_running() or model.resource_type | string != 'model' -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set tables = debezium_spark._model_inputs() -%}
    {%- if not tables -%}{{- return(none) -}}{%- endif -%}
    {%- set inputs = {
        'names': relations | map('string') | list,
        'columns': debezium_spark._shapes(tables),
        'rows': []
    } -%}
    {%- for relation in rows_of -%}
        {%- do inputs.rows.append(debezium_spark.up_to_date_with(relation)) -%}
    {%- endfor -%}
    {%- if not debezium_spark.has_views() -%}
        {%- do inputs.update({'tables': tables, 'sides': []}) -%}
        {%- for relation in sides -%}
            {%- do inputs.sides.append(debezium_spark._snapshot_of(relation)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(inputs) -}}
{%- endmacro -%}


{#- What changes with each write to a table; none if it does not exist. -#}
{%- macro _snapshot_of(relation) -%}
    {%- set properties = adapter.debezium().tables.properties(debezium_spark._table(relation)) -%}
    {{- return(properties.get('version', properties.get('current-snapshot-id'))) -}}
{%- endmacro -%}


{#- What the tables that this model reads are up to date with; none if one does not record it. -#}
{%- macro _model_inputs() -%}
    {%- set inputs = [] -%}
    {%- for unique_id in model.depends_on.nodes -%}
        {%- set node = graph.nodes.get(unique_id) -%}
        {%- if node is none or node.config.materialized != 'debezium_raw' -%}
            {%- do inputs.append(
                debezium_spark.up_to_date_with(debezium_spark._relation_of(node)) if node else none
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none if none in inputs else inputs) -}}
{%- endmacro -%}


{%- macro decide_inputs(inputs, source) -%}
    {%- if inputs is not none -%}
        {%- do debezium_spark.decide({
            'input_hashes': debezium_spark._input_hashes(inputs, source)
        }) -%}
    {%- endif -%}
{%- endmacro -%}


{%- macro _shapes(inputs) -%}
    {%- set shapes = [] -%}
    {%- set is_list = inputs is sequence and inputs is not mapping -%}
    {%- for text in ([inputs] if inputs is string else inputs if is_list else []) -%}
        {%- do shapes.append(text.split(' ')[1]) -%}
    {%- endfor -%}
    {{- return(shapes) -}}
{%- endmacro -%}


{%- macro raw_inputs(raw, topics=none) -%}
    {%- set batches = debezium_spark.landed_batches(raw, topics) -%}
    {{- return({'raw': raw | string, 'batches': batches} if batches is not none else none) -}}
{%- endmacro -%}


{#- The highest batch of each topic in the raw table; none unless dbt runs a model. -#}
{%- macro landed_batches(raw, topics=none) -%}
    {%- if not debezium_spark._reads_all_rows() -%}{{- return(none) -}}{%- endif -%}
    {%- set relation = load_cached_relation(raw) -%}
    {%- set in_metadata = (
        debezium_spark.file_format() == 'iceberg' and relation is not none and not relation.is_view
    ) -%}
    {%- set batches_by_topic = adapter.debezium().tables.batches(raw, in_metadata) -%}
    {%- set batches = {} -%}
    {%- for topic in topics or batches_by_topic -%}
        {%- do batches.update({topic: batches_by_topic.get(topic)}) -%}
    {%- endfor -%}
    {{- return(batches) -}}
{%- endmacro -%}
