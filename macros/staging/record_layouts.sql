{#-
    What the catalog of embedded schemas knows of this run's records: base64 read with the scale of
    another layout would be a wrong number that looks right, so each message is read by its own
    schema (spec §9.5). Without a catalog, the model's columns read all. One query for all tables of
    the source; see `staging.layouts` for what is returned. Some of its rows:

    | side         | topic | batch | …                                                 |
    |--------------|-------|-------|---------------------------------------------------|
    | value, key   | a.b   | 3     | `hash` and `schema` of an embedded schema         |
    | origin       | a.b   |       | `origin`: whose records the topic has             |
    | doubtful key | a.b   | 2     | a delete may have a made-up key                   |
    | end          | a     | 3     | `definition` at `place` that may end rows         |
-#}
{%- macro record_layouts(config, arguments, watermark) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set staging = debezium.staging -%}
    {%- set schemas, topics = arguments.schemas, arguments.topics -%}
    {%- if schemas is none -%}
        {{- return(staging.no_layouts(arguments.columns, arguments.key, doubtful_keys=true)) -}}
    {%- endif -%}
    {%- set query = debezium_spark.layouts_sql(config, schemas) -%}
    {%- set facts = debezium.tables.layouts(schemas, query) -%}
    {%- set table, origins = arguments.table, arguments.origins -%}
    {%- set sharing = (
        debezium_spark.shared_topics(config, schemas, topics, table, origins)
        if staging.may_share(topics, origins, facts)
        else {}
    ) -%}
    {{- return(staging.read_layouts(
        config,
        staging.short_name(config, table, origins),
        arguments,
        watermark if watermark is defined else none,
        facts,
        sharing
    )) -}}
{%- endmacro -%}


{#- SELECT of `record_layouts`: JSON texts, so that a hash arrives with all its digits. -#}
{%- macro layouts_sql(config, schemas) -%}
    {%- set connector = adapter.debezium().config.connector_of(config) -%}
    {%- for side in ['value', 'key'] %}
select
    to_json(
        named_struct(
            'side', '{{ side }}',
            'topic', topic,
            'batch', max(_cdc_batch_id),
            'hash', cast({{ side }}_hash as string),
            'schema', max({{ side }}_schema)
        )
    ) as layout
from {{ schemas }}
group by topic, {{ side }}_hash
union all
    {%- endfor %}
select to_json(named_struct('side', 'origin', 'topic', topic, 'origin', origin)) as layout
from {{ schemas }}
where origin is not null
group by topic, origin
    {%- if connector.before == 'declared' %}
union all
select
    to_json(
        named_struct('side', 'doubtful key', 'topic', topic, 'batch', max(_cdc_batch_id))
    ) as layout
from {{ schemas }}
where has_doubtful_key
group by topic
    {%- endif %}
    {%- if debezium_spark.reports_table_ends(config) %}
union all
        {{- debezium_spark.table_ends_query(config, schemas) }}
    {%- endif %}
{%- endmacro -%}
