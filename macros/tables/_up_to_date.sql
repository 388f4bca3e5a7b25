{#-
    Whether this model's table is up to date, so that its SQL need not be rendered, analysed or run.

    The property `debezium_spark.up_to_date` has hashes of what makes the model's SQL and of what it
    reads (`inputs`), and the snapshot. It is written last: an interrupted run is made up for by the
    next. `inputs` are looked up before anything is read, so that the next run sees what arrives in
    between.
-#}
{%- macro is_up_to_date(inputs, source) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- if inputs is none or not debezium_spark.is_running()
        or not (model.language == 'python' or debezium.models.is_one_call(model.raw_code)) -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- if existing is none
        or should_full_refresh()
        or not (existing.is_view or debezium_spark._is_our_format(existing)) -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set properties = debezium.tables.properties(debezium_spark._table(this)) -%}
    {{- return(
        properties.get(debezium_spark._up_to_date_property())
        == debezium_spark._up_to_date_text(debezium_spark._input_hashes(inputs, source), properties)
    ) -}}
{%- endmacro -%}


{%- macro nothing_to_do() -%}
    {%- do debezium_spark.decide({'up_to_date': true}) -%}
    {{- return('-- up to date') -}}
{%- endmacro -%}


{#- Two hashes: of all that the table's rows depend on, and of what its columns depend on. -#}
{%- macro _input_hashes(inputs, source) -%}
    {%- set parts = {
        'code': model.raw_code,
        'config': model.config,
        'description': model.description,
        'columns': model.columns,
        'source': source,
        'macros': adapter.debezium().run.digest(),
        'shapes': debezium_spark._shapes(inputs),
    } -%}
    {{- return(
        local_md5(tojson(dict(parts, inputs=inputs), sort_keys=true)) ~ ' '
        ~ local_md5(tojson(parts, sort_keys=true))
    ) -}}
{%- endmacro -%}


{#-
    With the table's snapshot or version: one that was written since, or rolled back, is not up to
    date.
-#}
{%- macro _up_to_date_text(input_hashes, properties, commits=0) -%}
    {{- return(
        input_hashes ~ ' '
        ~ (
            properties['version'] | int + commits
            if 'version' in properties
            else properties.get('current-snapshot-id', '-')
        )
    ) -}}
{%- endmacro -%}


{%- macro _up_to_date_property() -%}
    {{- return('debezium_spark.up_to_date') -}}
{%- endmacro -%}


{#- What another model's table is up to date with: an input of the models that read it. -#}
{%- macro up_to_date_with(relation) -%}
    {%- set debezium = adapter.debezium() -%}
    {{- return(
        debezium.tables.up_to_date_with(relation) if debezium_spark._reads_all_rows() else none
    ) -}}
{%- endmacro -%}


{#- The comments need no comparison if the table was last written with the same descriptions. -#}
{%- macro _has_current_comments(relation, input_hashes) -%}
    {%- set text = adapter.debezium().tables.properties(relation).get(
        debezium_spark._up_to_date_property()
    ) -%}
    {{- return(input_hashes and text and input_hashes.split(' ')[1] == text.split(' ')[1]) -}}
{%- endmacro -%}


{%- macro _note_up_to_date(relation, input_hashes) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- do debezium.tables.forget(relation) -%}
    {%- if not input_hashes -%}{{- return(none) -}}{%- endif -%}
    {%- set properties = debezium.tables.properties(relation) -%}
    {%- if properties.get(debezium_spark._up_to_date_property()) != debezium_spark._up_to_date_text(
        input_hashes, properties
    ) -%}
        {#- on Delta, the property itself is a commit -#}
        {%- set text = debezium_spark._up_to_date_text(input_hashes, properties, 1) -%}
        {%- do debezium_spark._set_property(
            relation, debezium_spark._up_to_date_property(), text
        ) -%}
    {%- endif -%}
{%- endmacro -%}


{#- `--empty` gives a table no rows, and does not take any from one that adds to its own. -#}
{%- macro keeps_its_rows() -%}
    {{- return(flags.EMPTY and debezium_spark.loads_incrementally()) -}}
{%- endmacro -%}


{#- hooks may have something to do -#}
{%- macro _skip_model(relation) -%}
    {%- set reason = 'left as it is' if flags.EMPTY else 'up to date' -%}
    {{- run_hooks(pre_hooks) -}}
    {%- call noop_statement('main', reason, 'OK', 0) -%}
        -- {{ reason }}: {{ relation }}
    {%- endcall -%}
    {{- run_hooks(post_hooks) -}}
{%- endmacro -%}
