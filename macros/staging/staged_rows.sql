{#-
    CTEs `texts` and `prepared_values`: each column's text, the costly half of decoding it, and the
    key.
-#}
{%- macro staged_values(plan) -%}
{%- set config = plan.config -%}
{%- set key = plan.key -%}
{%- set columns = plan.columns -%}
{%- set record = plan.record -%}
{%- set reads_before = plan.reads_before -%}
{%- set keeps_before = plan.keeps_before -%}
{%- set names = (
    (debezium_spark.all_names(columns + key) + plan.former_keys | sum(start=[])) | unique
) -%}
{%- set column_names = debezium_spark.all_names(columns) -%}
{#- what a key of another layout can consist of: columns, known to the model or not -#}
{%- set images = ['image'] + (['_deleted_image'] if plan.may_lack_keys else []) -%}
{%- set known_members -%}
concat(array({{ debezium_spark.text_literals(names) }}), coalesce(map_keys(after), array())
{%- if reads_before %}, coalesce(map_keys(before), array()){% endif %})
{%- endset -%}
texts as (

    select
        *,
        {%- for column in columns %}
        {%- set text = debezium_spark.column_text(
            config, column, reads_before, key, column_names
        ) %}
        {{ debezium_spark.without_dropped_column(config, column, text) }} as _text_{{ loop.index }},
        {%- if keeps_before %}
        {%- set before = debezium_spark.aligned_text('before_texts', column, column_names) %}
        {{ debezium_spark.without_dropped_column(
            config, column, before
        ) }} as _before_{{ loop.index }},
        {%- endif %}
        {%- endfor %}
        {{ debezium_spark.key_or_image('key_members', images, key) }} as _row_key,
        {{ debezium_spark.key_members(
            '_old_key_text', '_old_key_json', key, may_be_bare=false
        ) | indent(8) }} as _old_key
    from {{ 'keyed_images' if plan.former_keys else 'images' }}

),

prepared_values as (

    select
        *,
        {%- for column in columns %}
        {{ debezium_spark.prepare_known(
            config, column, '_text_' ~ loop.index, record
        ) }} as _prepared_{{ loop.index }},
        {%- if keeps_before %}
        {{ debezium_spark.prepare(
            config, column, '_before_' ~ loop.index, record
        ) }} as _prepared_before_{{ loop.index }},
        {%- endif %}
        {%- endfor %}
        {{ debezium_spark.event_times() | indent(8) }},
        {{ debezium_spark.canonical_key(
            config, '_row_key', key, record, known_members
        ) }} as _cdc_key,
        {{ debezium_spark.missing_columns(plan.layouts.names) }} as _missing_columns
    from texts

)
{%- endmacro -%}


{#- CTEs `decoded_values` and `typed_rows`: the columns as values, and the record's errors. -#}
{%- macro staged_rows(plan) -%}
{%- set config = plan.config -%}
{%- set table = plan.table -%}
{%- set key = plan.key -%}
{%- set columns = plan.columns -%}
{%- set layouts = plan.layouts -%}
{%- set origins = plan.origins -%}
{%- set ignored_records = plan.ignored_records -%}
{%- set record = plan.record -%}
{%- set is_shared = plan.is_shared -%}
{%- set reads_before = plan.reads_before -%}
{%- set keeps_before = plan.keeps_before -%}
{%- set checks_keys = plan.checks_keys -%}
{%- set position = debezium_spark.event_position(config) -%}
{%- set old_key = (
    debezium_spark.trusted_old_key(config, table, '_old_key') if checks_keys else '_old_key'
) -%}
decoded_values as (

    select
        *,
        {%- for column in columns %}
        {%- set spark_type = debezium_spark.encoding(config, column).spark_type %}
        {%- set value = debezium_spark.decode_recorded(
            config, column, '_text_' ~ loop.index, '_prepared_' ~ loop.index,
            debezium_spark.layout_of_text(column, key), record
        ) %}
        {{ debezium_spark.value_or_added_default(
            config, column, 'image', value, spark_type
        ) }} as _value_{{ loop.index }},
        {%- endfor %}
        {{ debezium_spark.record_error(
            config, key, columns, reads_before, layouts.unwritten, ignored_records, table, origins,
            is_shared, plan.invented_key_table, checks_keys
        ) | indent(8) }} as _record_error
    from prepared_values

),

typed_rows as (

    select
        {%- for column in columns %}
        _value_{{ loop.index }} as {{ debezium_spark.quote(column.name) }},
        {%- if debezium_spark.encoding(config, column).get('exact_text') %}
        {%- set exact_text_name = debezium_spark.exact_text_name(column.name) %}
        {%- set text = debezium_spark.decode_recorded_text(
            config, column, '_text_' ~ loop.index, '_prepared_' ~ loop.index,
            debezium_spark.layout_of_text(column, key)
        ) %}
        {{ debezium_spark.value_or_added_default(
            config, column, 'image', text, 'string'
        ) }} as {{ debezium_spark.quote(exact_text_name) }},
        {%- endif %}
        {%- endfor %}
        {%- if keeps_before %}
        case
            when op in ('u', 'd') and before is not null
                then named_struct(
                    {{ debezium_spark._before_members(config, columns, record) }}
                )
        end as _cdc_before,
        {%- endif %}
        case when _record_error is null then if(is_tombstone, 'tombstone', op) end as _cdc_op,
        _cdc_key,
        {{ position.position }} as _cdc_pos,
        {{ position.stream_position }} as _cdc_stream_pos,
        {{ debezium_spark.event_identity(position, 'value_hash') | indent(8) }} as _cdc_identity,
        {{ debezium_spark.delivery_columns() | indent(8) }},
        {{ debezium_spark.canonical_key(config, old_key, key) }} as _cdc_old_key,
        {{ debezium_spark.header_value('headers', '__debezium.context.runId') }} as _cdc_run_id,
        {{ debezium_spark.unavailable_columns(config, columns) }} as _cdc_unavailable,
        {{ debezium_spark.unmapped_columns(config, columns) }} as _cdc_unmapped,
        {{ debezium_spark.decoding_errors(config, columns) }} as _cdc_errors
    from decoded_values

)
{%- endmacro -%}


{%- macro _before_members(config, columns, record) -%}
{%- for column in columns %}
{%- set encoding = debezium_spark.encoding(config, column) -%}
{%- set text = '_before_' ~ loop.index -%}
{%- set prepared = '_prepared_before_' ~ loop.index -%}
{%- set value = debezium_spark.decode_recorded(config, column, text, prepared, record=record) %}
                    {{ debezium_spark.text_literal(column.name) }},
                    {{ debezium_spark.value_or_added_default(
                        config, column, 'before', value, encoding.spark_type
                    ) }}
                    {%- if encoding.get('exact_text') -%}
                    , {{ debezium_spark.text_literal(
                        debezium_spark.exact_text_name(column.name)
                    ) }}
                    , {{ debezium_spark.decode_recorded_text(config, column, text, prepared) }}
                    {%- endif %}
                    {{- ',' if not loop.last }}
{%- endfor %}
{%- endmacro -%}
