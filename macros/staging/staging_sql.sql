{#-
    SELECT of `staging`, without the decision what to read: records, envelopes, images, decoded
    columns, typed rows. `layouts`: see `record_layouts`; `behind`: see `decide_horizon`.

    What the CTEs are made of, `plan`, has these arguments, and

    * `is_shared`: other tables share the topics; `is_flattened`: see `flattened_records.sql`;
    * `reads_before`: images before a change are read; `keeps_before`: and stay, for keyless tables;
    * `may_lack_keys`: records can come without their keys;
    * `doubts_keys`: keys may be made up; `checks_keys`: also those of tombstones, by the value
      before them, `_value_before`; `looks_back`: that may have landed in the batch before;
    * `record`: what shows whether a decimal of digits alone is a number or base64;
    * `has_layouts`: records are read by their own schemas.
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
    origins=[],
    names=none,
    behind=none
) -%}
{%- set staging = adapter.debezium().staging -%}
{%- set names = names or staging.all_names(columns) -%}
{%- set layouts = layouts or staging.no_layouts(columns, key) -%}
{%- set has_before = staging.has_complete_before(config, table) -%}
{%- set checks_keys = staging.may_invent_keys(config, table, key, layouts.doubtful_keys) -%}
{%- set may_lack_keys = key and staging.may_lack_keys(config) -%}
{%- set keeps_before = has_before and not key -%}
{%- set reads_before = has_before or config.get('flattened') -%}
{%- set record = staging.decimals_record(config, columns + key) -%}
{%- set plan = {
    'config': config,
    'topics': topics,
    'table': table,
    'key': key,
    'names': names,
    'columns': staging.staged_columns(
        config,
        columns,
        key,
        names=names,
        position=debezium_spark.layout_position(config),
        record=record,
        reads_before=reads_before,
        keeps_before=keeps_before
    ),
    'former_keys': former_keys,
    'layouts': layouts,
    'origins': origins,
    'ignored_records': staging.ignored_records(config, topics),
    'record': record,
    'is_shared': layouts.sharing or shared_topic,
    'reads_before': reads_before,
    'keeps_before': keeps_before,
    'is_flattened': config.get('flattened'),
    'checks_keys': checks_keys,
    'may_lack_keys': may_lack_keys,
    'doubts_keys': checks_keys or (
        may_lack_keys and staging.may_invent_keys(config, table, key, true)
    ),
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

{{ debezium_spark.staged_columns(plan) }},

{{ debezium_spark.staged_rows(plan) }}

{{ debezium_spark.behind_horizon(config, 'typed_rows', behind) }}
{%- endmacro -%}


{#- CTE `records`: the raw records of the topics above the watermark, parsed once. -#}
{%- macro staged_records(plan, raw, watermark) -%}
{%- set debezium = adapter.debezium() -%}
{%- set source_records = debezium_spark.with_table_ends(
    debezium_spark.readable_records(plan.config, raw, plan.topics), plan.layouts.ends
) -%}
{%- set envelope = debezium_spark.envelope_schema(
    plan.config.connector, plan.reads_before or plan.may_lack_keys, plan.is_flattened
) -%}
{%- set value_text = debezium.decode.exact_numbers(plan.config, 'value') -%}
{%- set key_text = debezium.decode.exact_numbers(plan.config, 'key') -%}
records as (

    select
        {{ debezium_spark.record_columns(plan.ignored_records) | indent(8) }}
        value as _record_value,
        {%- if plan.has_layouts %}
        xxhash64({{ debezium_spark._embedded_schema('value', 'value_prefix') }}) as _layout,
        xxhash64({{ debezium_spark._embedded_schema('key', 'key_prefix') }}) as _key_layout,
        {%- endif %}
        from_json({{ value_text }}, '{{ envelope }}') as message,
        {%- if plan.checks_keys %}
        {# a delete and its tombstone can have landed in two batches #}
        lag(value) over (partition by topic, partition, key
            order by timestamp, offset) as _value_before,
        {%- endif %}
        from_json({{ key_text }}, 'map<string,string>') as key_json
    {%- if plan.has_layouts %}
    from (
        select
            *,
            {{ debezium_spark._schema_prefix('value') }} as value_prefix,
            {{ debezium_spark._schema_prefix('key') }} as key_prefix
        from {{ source_records }}
    ) as described_records
    {%- else %}
    from {{ source_records }}
    {%- endif %}
    where
        {{ '(_end is not null or ' if plan.layouts.ends }}
        {{- adapter.debezium().staging.topic_condition(plan.topics) }}
        {{- ')' if plan.layouts.ends }}
        and not {{ debezium_spark.is_logical_message() }}
        {%- if watermark is not none and watermark is defined %}
        and _cdc_batch_id {{ '>=' if plan.looks_back else '>' }} {{ watermark }}
        {%- endif %}

)
{%- endmacro -%}


{%- macro staged_envelopes(plan, watermark) -%}
{%- set trusts_before = adapter.debezium().staging.before_is_complete(plan.config, plan.table) -%}
{%- set members = (
    ['ts_ms', 'ts_us', 'after', 'source', 'transaction']
    + (['before'] if plan.reads_before else [])
) -%}
envelopes as (

    select
        {{ debezium_spark.kept_record_columns(plan.ignored_records) | indent(8) }}
        _record_value,
        {%- if plan.has_layouts %}
        _layout,
        _key_layout,
        {%- endif %}
        {%- if plan.checks_keys %}
        _value_before,
        {%- endif %}
        {{ debezium_spark.event_op() | indent(8) }} as op,
        {%- for member in members %}
        {%- set before_condition = trusts_before if member == 'before' else 'true' %}
        {%- if plan.is_flattened and member in ['before', 'after'] %}
        {{ debezium_spark.flattened_image(plan.config, member, before_condition) }} as {{ member }},
        {%- else %}
        {%- if before_condition != 'true' %}
        case
            when {{ before_condition }} then {{ debezium_spark.envelope_member(member) }}
        end as {{ member }},
        {%- else %}
        {{ debezium_spark.envelope_member(member) }} as {{ member }},
        {%- endif %}
        {%- endif %}
        {%- endfor %}
        {%- if plan.may_lack_keys %}
        case
            when coalesce(message.op, message.payload.op) = 'd'
                then coalesce(message.before, message.payload.before)
        end as _deleted_image,
        {%- endif %}
        {{ debezium_spark.key_members('key', 'key_json', plan.key) }} as key_members,
        case
            when coalesce(message.op, message.payload.op) = 'c'
                then {{ debezium_spark.header_value('headers', '__debezium.oldkey') }}
        end as _old_key_text
    from records
    {%- if plan.looks_back %}
    where _cdc_batch_id > {{ watermark }}
    {%- endif %}

)
{%- endmacro -%}


{#- CTE `images`: `after`, or what is known of a deleted row. -#}
{%- macro staged_images(plan) -%}
{%- set known_names = 'array(' ~ debezium_spark.text_literals(plan.names) ~ ')' -%}
images as (

    select
        *,
        case
            when op in ('c', 'r', 'u') then after
            when op = 'd'
                then {{ 'coalesce(before, key_members)' if plan.reads_before else 'key_members' }}
        end as image,
        map_keys(after) != {{ known_names }} as after_has_other_names,
        {{ debezium_spark.aligned_texts('image', plan.names) }} as image_texts,
        {%- if plan.reads_before %}
        map_keys(before) != {{ known_names }} as before_has_other_names,
        {{ debezium_spark.aligned_texts('before', plan.names) }} as before_texts,
        {%- endif %}
        from_json(_old_key_text, 'map<string,string>') as _old_key_json
    from envelopes
    {%- if plan.is_shared %}
    {# only the source block distinguishes tables that share a topic; a tombstone has none #}
    where
        {{ '_ignored is not null or ' if plan.ignored_records }}
        {{- adapter.debezium().staging.is_read_for_table(
            plan.config, plan.table, plan.origins, plan.layouts.sharing
        ) }}
    {%- endif %}

)
{%- endmacro -%}


{#-
    CTE `decoded_columns`: of each column its text, the costly half of decoding it, and the value;
    the row's key; and what is wrong with the record. Expressions name those before them.
-#}
{%- macro staged_columns(plan) -%}
{%- set staging = adapter.debezium().staging -%}
{#- what a key of another layout can consist of: columns, known to the model or not -#}
{%- set key_names = (
    (plan.names + staging.all_names(plan.key) + plan.former_keys | sum(start=[])) | unique
) -%}
{%- set images = ['image'] + (['_deleted_image'] if plan.may_lack_keys else []) -%}
{%- set known_members -%}
concat(array({{ debezium_spark.text_literals(key_names) }}), coalesce(map_keys(after), array())
{%- if plan.reads_before %}, coalesce(map_keys(before), array()){% endif %})
{%- endset -%}
decoded_columns as (

    select
        *,
        {%- for column in plan.columns %}
        {{ column.text }} as {{ column.text_name }},
        {{ column.prepared }} as {{ column.prepared_name }},
        {{ column.value }} as {{ column.value_name }},
        {%- if column.before %}
        {{ column.before.text }} as {{ column.before.text_name }},
        {{ column.before.prepared }} as {{ column.before.prepared_name }},
        {%- endif %}
        {%- endfor %}
        {{ debezium_spark.key_or_image('key_members', images, plan.key) }} as _row_key,
        {{ staging.canonical_key(
            plan.config, '_row_key', plan.key, plan.record, known_members
        ) }} as _cdc_key,
        {{ debezium_spark.key_members(
            '_old_key_text', '_old_key_json', plan.key, may_be_bare=false
        ) | indent(8) }} as _old_key,
        {{ debezium_spark.event_times() | indent(8) }},
        {{ debezium_spark.missing_columns(plan.layouts.names) }} as _missing_columns,
        {{ debezium_spark.record_error(plan) | indent(8) }} as _record_error
    from {{ 'keyed_images' if plan.former_keys else 'images' }}

)
{%- endmacro -%}


{#- CTE `typed_rows`: the columns of the table. -#}
{%- macro staged_rows(plan) -%}
{%- set position = debezium_spark.event_position(plan.config) -%}
{%- set old_key = (
    debezium_spark.trusted_old_key(plan.config, plan.table, '_old_key')
    if plan.checks_keys else '_old_key'
) -%}
typed_rows as (

    select
        {%- for column in plan.columns %}
        {{ column.value_name }} as {{ debezium_spark.quote(column.name) }},
        {%- if column.exact_text %}
        {{ column.exact_text }} as {{ debezium_spark.quote(column.exact_name) }},
        {%- endif %}
        {%- endfor %}
        {%- if plan.keeps_before %}
        case
            when op in ('u', 'd') and before is not null
                then named_struct(
                    {%- for column in plan.columns %}
                    {{ debezium_spark.text_literal(column.name) }},
                    {{ column.before.value }}
                    {%- if column.exact_text %},
                    {{ debezium_spark.text_literal(column.exact_name) }},
                    {{ column.before.exact_text }}
                    {%- endif %}
                    {{- ',' if not loop.last }}
                    {%- endfor %}
                )
        end as _cdc_before,
        {%- endif %}
        case when _record_error is null then if(is_tombstone, 'tombstone', op) end as _cdc_op,
        _cdc_key,
        {{ position.position }} as _cdc_pos,
        {{ position.stream_position }} as _cdc_stream_pos,
        {{ debezium_spark.event_identity(position, 'value_hash') | indent(8) }} as _cdc_identity,
        {{ debezium_spark.delivery_columns() | indent(8) }},
        {{ adapter.debezium().staging.canonical_key(
            plan.config, old_key, plan.key
        ) }} as _cdc_old_key,
        {{ debezium_spark.header_value('headers', '__debezium.context.runId') }} as _cdc_run_id,
        {{ debezium_spark.unavailable_columns(plan.columns) | indent(8) }} as _cdc_unavailable,
        {{ debezium_spark.unmapped_columns(plan.config, plan.names) | indent(8) }} as _cdc_unmapped,
        {{ debezium_spark.decoding_errors(plan.columns) | indent(8) }} as _cdc_errors
    from decoded_columns

)
{%- endmacro -%}
