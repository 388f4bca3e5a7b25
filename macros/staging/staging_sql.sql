{#-
    SELECT of `staging`, without the decision what to read: records, envelopes, images, texts, the
    costly half of decoding, typed rows. `layouts`: see `record_layouts`.
-#}
{%- macro staging_sql(
    config,
    raw,
    topics,
    table,
    key,
    columns,
    shared_topic=false,
    watermark=none,
    former_keys=[],
    layouts=none,
    origins=[]
) -%}
{%- set layouts = layouts or debezium_spark.no_layouts(columns, key) -%}
{%- set has_before = debezium_spark.has_complete_before(config, table) -%}
{%- set checks_keys = debezium_spark.may_invent_keys(
    config, table, key, layouts.doubtful_keys
) -%}
{%- set may_lack_keys = key and debezium_spark.may_lack_keys(config) -%}
{%- set plan = {
    'config': config,
    'topics': topics,
    'table': table,
    'key': key,
    'columns': columns,
    'former_keys': former_keys,
    'layouts': layouts,
    'origins': origins,
    'ignored_records': debezium_spark.ignored_records(config, topics),
    'record': debezium_spark._record_of_decimals(config, columns + key),
    'is_shared': layouts.sharing or shared_topic,
    'reads_before': has_before or config.get('flattened'),
    'keeps_before': has_before and not key,
    'is_flattened': config.get('flattened'),
    'checks_keys': checks_keys,
    'may_lack_keys': may_lack_keys,
    'invented_key_table': table if checks_keys or (
        may_lack_keys and debezium_spark.may_invent_keys(config, table, key, true)
    ) else none,
    'looks_back': checks_keys and watermark is not none and watermark is defined,
    'has_layouts': columns | selectattr('layouts', 'defined') | list
        or key | selectattr('layouts', 'defined') | list
        or layouts.unwritten,
} -%}
with

{{ debezium_spark.staged_records(plan, raw, watermark) }},

{{ debezium_spark.staged_envelopes(plan, watermark) }},

{{ debezium_spark.staged_images(plan) }},
{%- if former_keys %}

{{ debezium_spark.keyed_images(key, former_keys) }},
{%- endif %}

{{ debezium_spark.staged_values(plan) }},

{{ debezium_spark.staged_rows(plan) }}

select * from typed_rows
{%- endmacro -%}


{#- SQL: the record, which shows whether a decimal of digits alone is a number or base64. -#}
{%- macro _record_of_decimals(config, columns) -%}
    {%- set kinds = [] -%}
    {%- for column in columns -%}
        {%- do kinds.append(debezium_spark.encoding(config, column).kind) -%}
    {%- endfor -%}
    {{- return("concat_ws(' ', _record_key, _record_value)" if 'decimal' in kinds else none) -}}
{%- endmacro -%}
