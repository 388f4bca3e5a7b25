{#-
    What the catalog of embedded schemas knows of this run's records: base64 read with the scale of
    another layout would be a wrong number that looks right, so each message is read by its own
    schema (spec §9.5). One query; without a catalog, the model's columns read all. See
    `staging.layouts` for what it returns.
-#}
{%- macro record_layouts(config, arguments, watermark) -%}
    {%- set staging = adapter.debezium().staging -%}
    {%- set schemas, topics = arguments.schemas, arguments.topics -%}
    {%- set columns, key = arguments.columns, arguments.key -%}
    {%- if schemas is none -%}
        {{- return(staging.no_layouts(columns, key, doubtful_keys=true)) -}}
    {%- endif -%}
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
where {{ staging.topic_condition(topics) }}
group by {{ side }}_hash
having max({{ side }}_schema) is not null
    {%- if watermark is not none and watermark is defined %}
        and max(_cdc_batch_id) > {{ watermark }}
    {%- endif %}
    {% endfor %}
    {{- 'union all
' ~ debezium_spark.shared_topics_sql(config, schemas, topics, arguments.table, arguments.origins) }}
    {%- if adapter.debezium().config.connector_of(config).before == 'declared' and key %}
union all
select to_json(named_struct('side', 'doubtful keys', 'hash', '', 'schema', '')) as layout
from {{ schemas }}
where
    {{ staging.topic_condition(topics) }}
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
    {{- return(staging.read_layouts(
        config,
        staging.short_name(config, arguments.table, arguments.origins),
        columns,
        key,
        run_query(query).rows | map('first') | list
    )) -}}
{%- endmacro -%}
