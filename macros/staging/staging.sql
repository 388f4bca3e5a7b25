{#-
    One row per record of a table: flattened, typed, append-only. Every record of the topics becomes
    a row, and none stops the others: what cannot be read is in `_cdc_errors`, never a silent NULL;
    unknown columns are in `_cdc_unmapped`, placeholders only in `_cdc_unavailable`.

    With `schemas` (`catalog_<source>__schemas`) each record is read by its own schema, else by
    `columns`. `former_keys`: see `keyed_images`; `origins`: see macros/envelope/origins.sql.
    Of `columns`, one that is `excluded` has no column, and one with a `source_name` is found by it.
-#}
{%- macro staging(
    source,
    raw,
    topics,
    table,
    key,
    columns,
    shared_topic=false,
    schemas=none,
    former_keys=[],
    origins=[]
) -%}
    {{- return(adapter.dispatch('staging', 'debezium_spark')(
        source, raw, topics, table, key, columns, shared_topic, schemas, former_keys, origins
    )) -}}
{%- endmacro -%}


{%- macro default__staging(
    source,
    raw,
    topics,
    table,
    key,
    columns,
    shared_topic=false,
    schemas=none,
    former_keys=[],
    origins=[]
) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- do debezium_spark.check_columns('staging', table, columns) -%}
    {#- while dbt parses, only the checks and the refs count -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- set names = debezium.staging.all_names(columns) -%}
    {%- set excluded = columns | selectattr('excluded', 'defined') | list -%}
    {%- set columns = columns | rejectattr('excluded', 'defined') | list -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(raw)) -}}
    {%- endif -%}
    {%- if not debezium_spark.is_running() -%}
        {{- return(
            debezium_spark.staging_sql(
                config,
                raw,
                topics,
                table,
                key,
                columns,
                shared_topic,
                origins=origins,
                names=names
            )
        ) -}}
    {%- endif -%}
    {%- set inputs = debezium_spark.staging_inputs(config, raw, topics) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.check_added_defaults(config, table, columns) -%}
    {%- set arguments = {
        'raw': raw,
        'schemas': schemas,
        'topics': topics,
        'table': table,
        'key': key,
        'columns': columns,
        'names': names,
        'excluded': excluded | map(attribute='name') | list,
        'shared_topic': shared_topic,
        'former_keys': former_keys,
        'origins': origins,
    } -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set fingerprint = debezium.staging.staging_fingerprint(config, arguments) -%}
    {%- set watermark = none -%}
    {%- set has_records = true -%}
    {%- set has_definitions = false -%}
    {%- set decisions = {'replaces_table': false, 'nothing_new': false, 'properties': {}} -%}
    {%- if debezium_spark.loads_incrementally() -%}
        {%- set watermark = debezium_spark.batch_watermark(this) -%}
        {%- if debezium_spark.renew_staging(config, fingerprint, arguments, watermark) -%}
            {%- do decisions.update({'replaces_table': true}) -%}
            {%- set watermark = none -%}
        {%- else -%}
            {%- set has_records = debezium_spark.has_new_records(raw, watermark, topics) -%}
            {%- set has_definitions = (
                not has_records and debezium_spark.has_new_definitions(config, raw, watermark)
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set layouts = debezium.staging.no_layouts(columns, key) -%}
    {%- set batch_former_keys = former_keys -%}
    {%- if has_records or has_definitions -%}
        {%- set is_new = (
            debezium.staging.topic_condition(topics)
            ~ (' and _cdc_batch_id > ' ~ watermark if watermark is not none else '')
        ) -%}
        {%- do debezium.run.work_on_few_rows(debezium_spark.reads_few_rows(raw, is_new)) -%}
        {%- set layouts = debezium_spark.record_layouts(config, arguments, watermark) -%}
        {%- if watermark is not none and debezium_spark.sharing_changed(this, layouts.sharing) -%}
            {%- do decisions.update({'replaces_table': true}) -%}
            {#- so that the state is folded again, too -#}
            {%- do fingerprint.update({'shared': debezium.text.short_hash(layouts.sharing)}) -%}
            {%- set watermark = none -%}
            {%- set layouts = debezium_spark.record_layouts(config, arguments, none) -%}
        {%- endif -%}
        {%- do decisions.properties.update({
            debezium_spark._sharing_property(): debezium_spark.pack(layouts.sharing)
        }) -%}
        {%- set batch_former_keys = debezium_spark.former_keys_in_batch(
            schemas, topics, watermark, former_keys
        ) -%}
    {%- endif -%}
    {%- set behind = debezium_spark.decide_horizon(raw, watermark, decisions.properties) -%}
    {%- do decisions.properties.update({
        debezium_spark._fingerprint_property(): debezium_spark.pack(fingerprint)
    }) -%}
    {%- if not has_records and not layouts.ends and not decisions.replaces_table -%}
        {%- do decisions.update({'nothing_new': true}) -%}
    {%- endif -%}
    {%- do debezium_spark.decide(dict(decisions, watermark=watermark)) -%}
    {{- debezium_spark.staging_sql(
        config,
        debezium_spark.landed_records(raw, inputs),
        topics,
        table,
        layouts.key,
        layouts.columns,
        shared_topic and schemas is none,
        watermark,
        batch_former_keys,
        layouts,
        origins,
        names,
        behind
    ) -}}
{%- endmacro -%}


{#- Batches of its topics, and of the topic that reports the ends of tables. -#}
{%- macro staging_inputs(config, raw, topics) -%}
    {{- return(debezium_spark.raw_inputs(
        raw, topics + ([config.topic_prefix] if debezium_spark.reports_table_ends(config) else [])
    )) -}}
{%- endmacro -%}


{%- macro has_new_records(raw, watermark, topics) -%}
    {%- set batches = debezium_spark.landed_batches(raw, topics) -%}
    {%- if batches is none -%}
        {%- set query = (
            'select max(_cdc_batch_id) from ' ~ raw ~ ' where '
            ~ adapter.debezium().staging.topic_condition(topics)
        ) -%}
        {%- set batches = {'highest': run_query(query).rows[0][0]} -%}
    {%- endif -%}
    {%- set new_batches = [] -%}
    {%- for batch in batches.values()
        if batch is not none and (watermark is none or batch | int > watermark) -%}
        {%- do new_batches.append(batch) -%}
    {%- endfor -%}
    {{- return(new_batches | length > 0) -}}
{%- endmacro -%}
