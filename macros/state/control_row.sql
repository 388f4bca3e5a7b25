{#-
    SELECT of a control row: what the state remembers of the table, its watermark or a truncate. `!`
    sorts below every canonical key, so that file statistics find it, and it counts as deleted, so
    that `cur_` never shows it.
-#}
{%- macro control_row(
    columns, key, batch_id, checkpoint='cast(null as string)', relation=none, feed=false
) -%}
select
    {{ key }} as _cdc_key,
    cast({{ batch_id }} as bigint) as _cdc_batch_id,
    {%- for column in columns %}
    null as {{ debezium_spark.quote(column) }},
    {%- endfor %}
    {{ "'t'" if relation else 'cast(null as string)' }} as _cdc_op,
    true as _cdc_is_deleted,
    cast(null as string) as _cdc_pos,
    cast(null as timestamp) as _cdc_source_at,
    cast(null as array<string>) as _cdc_unavailable,
    {%- if feed %}
    {{ 'source_at' if relation else 'cast(null as timestamp)' }} as _cdc_deleted_at,
    {{ 'landed_at' if relation else 'cast(null as timestamp)' }} as _cdc_landed_at,
    {%- endif %}
    {{ debezium_spark.fold_columns(
        members=debezium_spark.truncate_members() if relation else {}
    ) | indent(4) }},
    {{ checkpoint }} as _cdc_marks
{%- if relation %}
from {{ relation }}
{%- endif %}
{%- endmacro -%}


{%- macro truncate_members() -%}
    {{- return({
        'topic': 'topic',
        'incarnation': 'incarnation',
        'partition': '`partition`',
        'offset': '`offset`',
        'timestamp': '`timestamp`',
        'kind': "'truncate'",
        'epoch_pos': 'epoch_pos',
        'epoch_stream_pos': 'epoch_stream_pos',
        'highest': 'epoch_identity',
    }) -}}
{%- endmacro -%}
