{#-
    Whether this model's table is up to date, so that none of its SQL needs to be rendered, analysed or run.

    A table remembers by the property `debezium_spark.up_to_date` what it was brought up to date with: what makes the model's SQL (its text,
    its configuration and that of its source, the macros), and what it reads (`inputs`: for instance the highest batch of its topics). While
    all of that is the same, and nobody else wrote the table, its rows are what a run would leave. The property is written last, so that
    an interrupted run is made up for by the next.

    `inputs` must be seen before anything is read: what arrives between the two is then seen by the next run.
-#}
{%- macro is_up_to_date(inputs, source) -%}
    {{- return(
        inputs is not none
        and debezium_spark.is_running()
        and (model.language == 'python' or adapter.debezium_is_one_call(model.raw_code))
        and debezium_spark.loads_incrementally()
        and debezium_spark._holds(debezium_spark._table(this), debezium_spark._made_of(inputs, source))
    ) -}}
{%- endmacro -%}


{#- Whether a table or view remembers that it is up to date with that. -#}
{%- macro _holds(relation, made_of) -%}
    {%- if made_of is none -%}{{- return(false) -}}{%- endif -%}
    {%- set held = adapter.debezium_properties(relation) -%}
    {{- return(held.get(debezium_spark._up_to_date_property()) == debezium_spark._up_to_date_text(made_of, held)) -}}
{%- endmacro -%}


{#-
    Whether this model's view is up to date: its text and the tables it reads are what they were. That of the raw records does not say with
    what it is up to date; its columns never change.
-#}
{%- macro is_view_up_to_date() -%}
    {%- if not debezium_spark.is_running() or model.resource_type | string != 'model' or should_full_refresh()
        or not adapter.debezium_is_one_call(model.raw_code) -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set existing = load_cached_relation(this) -%}
    {{- return(
        existing is not none and existing.is_view and debezium_spark._holds(this, debezium_spark._view_made_of())
    ) -}}
{%- endmacro -%}


{#- Short text of all that this model's view depends on; none where a table that it reads does not say what it is up to date with. -#}
{%- macro _view_made_of() -%}
    {%- set inputs = debezium_spark._inputs_read() -%}
    {{- return(debezium_spark._made_of(inputs, none) if inputs else none) -}}
{%- endmacro -%}


{#- What the tables are up to date with that this model reads, none where one does not say; those of raw records are left out. -#}
{%- macro _inputs_read() -%}
    {%- set inputs = [] -%}
    {%- for unique_id in model.depends_on.nodes -%}
        {%- set node = graph.nodes.get(unique_id) -%}
        {%- if node is none or node.config.materialized != 'debezium_raw' -%}
            {%- do inputs.append(debezium_spark.up_to_date_with(debezium_spark._relation_of(node)) if node else none) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none if none in inputs else inputs) -}}
{%- endmacro -%}


{#- The whole text of a model whose table is up to date. -#}
{%- macro said_up_to_date() -%}
    {{- return('-- debezium_spark: up to date') -}}
{%- endmacro -%}


{#- What a model tells its materialization of that: what its table is up to date with once it is written. Nothing where `inputs` do not say. -#}
{%- macro said_inputs(inputs, source) -%}
    {{- return(['made of ' ~ debezium_spark._made_of(inputs, source)] if inputs is not none else []) -}}
{%- endmacro -%}


{#- Short text of all that the rows of this model's table depend on. -#}
{%- macro _made_of(inputs, source) -%}
    {{- return(local_md5(tojson({
        'code': model.raw_code,
        'config': model.config,
        'description': model.description,
        'columns': model.columns,
        'source': source,
        'macros': adapter.debezium_digest(),
        'inputs': inputs,
    }, sort_keys=true))) -}}
{%- endmacro -%}


{#- With the snapshot or version that the table is at: one that was written since, or rolled back, is not up to date. -#}
{%- macro _up_to_date_text(made_of, properties, commits=0) -%}
    {{- return(made_of ~ ' ' ~ (properties['version'] | int + commits if 'version' in properties else properties.get('current-snapshot-id', '-'))) -}}
{%- endmacro -%}


{%- macro _up_to_date_property() -%}
    {{- return('debezium_spark.up_to_date') -}}
{%- endmacro -%}


{#- What another model's table is up to date with, none when it is not: an input of the models that read it. -#}
{%- macro up_to_date_with(relation) -%}
    {%- if not debezium_spark.is_running() -%}{{- return(none) -}}{%- endif -%}
    {%- set held = adapter.debezium_properties(relation) -%}
    {%- set text = held.get(debezium_spark._up_to_date_property()) -%}
    {{- return(text if text is not none and text == debezium_spark._up_to_date_text(text.split(' ')[0], held) else none) -}}
{%- endmacro -%}


{#- Note that the table of this model is up to date, when its text says with what. -#}
{%- macro _note_up_to_date(relation, sql) -%}
    {%- for line in debezium_spark._lines(sql) if line.startswith('-- debezium_spark: made of ') -%}
        {%- do adapter.debezium_forget(relation) -%}
        {%- set held = adapter.debezium_properties(relation) -%}
        {%- if held.get(debezium_spark._up_to_date_property()) != debezium_spark._up_to_date_text(line[27:], held) -%}
            {#- noting it is a commit of a table of Delta -#}
            {%- set text = debezium_spark._up_to_date_text(line[27:], held, 1) -%}
            {%- do debezium_spark._set_property(relation, debezium_spark._up_to_date_property(), text) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro -%}


{#- Report a model that has nothing to do, and run its hooks, which may have. -#}
{%- macro _leave_up_to_date(relation) -%}
    {{- run_hooks(pre_hooks) -}}
    {%- call noop_statement('main', 'up to date', 'OK', 0) -%}
        -- up to date: {{ relation }} is left as it is
    {%- endcall -%}
    {{- run_hooks(post_hooks) -}}
{%- endmacro -%}


{#- The highest batch of each of the topics in the raw table, of all when none are named; none unless dbt runs a model. -#}
{%- macro landed_batches(raw, topics=none) -%}
    {%- if not debezium_spark.is_running() -%}{{- return(none) -}}{%- endif -%}
    {%- set relation = load_cached_relation(raw) -%}
    {%- set in_metadata = debezium_spark.file_format() == 'iceberg' and relation is not none and not relation.is_view -%}
    {%- set found = adapter.debezium_batches(raw, in_metadata) -%}
    {%- set batches = {} -%}
    {%- for topic in topics or found -%}
        {%- do batches.update({topic: found.get(topic)}) -%}
    {%- endfor -%}
    {{- return(batches) -}}
{%- endmacro -%}
