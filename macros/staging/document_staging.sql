{#-
    One row per record of a MongoDB collection, append-only. Row images are JSON inside JSON (spec
    §7), and an update may carry a delta only: nothing of a document is decoded here, `state` reads
    the texts. `schemas`, `origins`, `shared_topic`: as in `staging`.
-#}
{%- macro document_staging(
    source, raw, topics, table, shared_topic=false, schemas=none, origins=[]
) -%}
    {{- return(
        adapter.dispatch('document_staging', 'debezium_spark')(
            source, raw, topics, table, shared_topic, schemas, origins
        )
    ) -}}
{%- endmacro -%}


{%- macro default__document_staging(
    source, raw, topics, table, shared_topic=false, schemas=none, origins=[]
) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {#- while dbt parses, only the checks and the refs count -#}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(raw)) -}}
    {%- endif -%}
    {%- if not debezium_spark.is_running() -%}
        {{- return(
            debezium_spark.document_staging_sql(
                config, raw, topics, table, shared_topic, origins=origins
            )
        ) -}}
    {%- endif -%}
    {%- set models = (
        debezium_spark.modelled_tables(config) if shared_topic and schemas is not none else []
    ) -%}
    {%- set inputs = debezium_spark.raw_inputs(raw, topics) -%}
    {%- if inputs is not none %}{% do inputs.update({'models': models}) %}{% endif -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- set fingerprint = debezium_spark._short_hash(dict({
        'version': 5,
        'table': table,
        'topics': topics | sort,
        'shared_topic': models if shared_topic and schemas is not none else shared_topic,
        'origins': origins,
        'signals': config.get('signal_data_collection'),
        'ignored': debezium_spark.ignored_records(config, topics),
    }, **debezium_spark.flattened_fingerprint(config))) -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set decisions = {'replaces_table': false, 'nothing_new': false, 'properties': {}} -%}
    {%- set next_property = {'fingerprint': fingerprint} -%}
    {%- set watermark = none -%}
    {%- if debezium_spark.loads_incrementally() -%}
        {%- set watermark = debezium_spark.batch_watermark(this) -%}
        {%- set stored_fingerprint = (
            debezium_spark._property(
                debezium_spark._table(this), debezium_spark._fingerprint_property()
            )
            or ''
        ) -%}
        {%- if stored_fingerprint.split(' ')[0] == fingerprint -%}
            {%- do next_property.update({'fingerprint': stored_fingerprint}) -%}
        {%- endif -%}
        {%- if next_property.fingerprint != stored_fingerprint -%}
            {%- do log(
                this.identifier ~ ': built anew from the raw records, which it reads otherwise now',
                info=true
            ) -%}
            {%- do decisions.update({'replaces_table': true}) -%}
            {%- set watermark = none -%}
        {%- elif not debezium_spark.has_new_records(raw, watermark, topics) -%}
            {%- do decisions.update({'nothing_new': true}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set sharing = {} -%}
    {%- if schemas is not none and not decisions.nothing_new -%}
        {%- set sharing = debezium_spark.shared_topics(config, schemas, topics, table, origins) -%}
        {%- if watermark is not none and debezium_spark.sharing_changed(this, sharing) -%}
            {%- do decisions.update({'replaces_table': true}) -%}
            {#- so that the state is folded again, too -#}
            {%- do next_property.update({
                'fingerprint': fingerprint ~ ' ' ~ debezium_spark._short_hash(sharing)
            }) -%}
            {%- set watermark = none -%}
        {%- endif -%}
        {%- do decisions.properties.update({
            debezium_spark._sharing_property(): debezium_spark.pack(sharing)
        }) -%}
    {%- endif -%}
    {%- do decisions.properties.update({
        debezium_spark._fingerprint_property(): next_property.fingerprint
    }) -%}
    {%- do debezium_spark.decide(dict(decisions, watermark=watermark)) -%}
    {{- debezium_spark.document_staging_sql(
        config,
        debezium_spark.landed_records(raw, inputs),
        topics,
        table,
        shared_topic and schemas is none,
        watermark,
        origins,
        sharing
    ) -}}
{%- endmacro -%}
