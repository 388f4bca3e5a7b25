{#-
    SELECT: the staged events as the fold walks them, with the row image as one struct. Arrays slow
    a scan down: without unavailable values that column is not read. `with_identity`: with what
    shows repeats; `with_landing`: with when they landed; `with_transaction`: with what only
    histories need.
-#}
{%- macro fold_events(
    config,
    staging,
    columns,
    condition='true',
    with_image=true,
    with_unavailable=true,
    with_identity=false,
    with_landing=false,
    with_transaction=false
) -%}
select
    _cdc_key as row_key,
    xxhash64(_cdc_key) as key_hash,
    true as is_staged,
    {%- if with_image %}
    {{ debezium_spark.image_struct(columns) }} as image,
    {%- endif %}
    _cdc_op as op,
    {{ debezium_spark.event_kind() | indent(4) }} as kind,
    _cdc_topic as topic,
    {{ debezium_spark.event_incarnation(config) }} as incarnation,
    _cdc_partition as `partition`,
    _cdc_offset as `offset`,
    _cdc_timestamp as `timestamp`,
    _cdc_pos as pos,
    {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
    {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos,
    {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }} as epoch_identity,
    {%- if with_identity %}
    {{ debezium_spark.fold_identity(config) | indent(4) }} as identity,
    _cdc_run_id as run_id,
    {%- endif %}
    _cdc_source_at as source_at,
    {{ '_cdc_unavailable' if with_unavailable else 'cast(null as array<string>)' }} as unavailable,
    _cdc_old_key as old_key,
    _cdc_batch_id as batch_id
    {%- if with_landing %},
    _cdc_landed_at as landed_at
    {%- endif %}
    {%- if with_transaction %},
    _cdc_tx_id as tx_id,
    {{ debezium_spark.event_transaction(config) | indent(4) }} as tx,
    _cdc_snapshot <=> 'drop' as is_drop
    {%- endif %}
from {{ staging }}
where {{ condition }}
{%- endmacro -%}


{%- macro within_epoch(config, position) -%}
    {{- return(
        "concat(lpad(cast(" ~ debezium_spark.event_epoch(config) ~ " as string), 6, '0'), '/', "
        ~ position ~ ')'
    ) -}}
{%- endmacro -%}


{%- macro without_epoch(position) -%}
    {{- return('substr(' ~ position ~ ', 8)') -}}
{%- endmacro -%}


{#-
    SQL: the identity of a streaming event. As text it mostly rises with the source's log: above the
    highest that was folded, nothing repeats. Positions do not show that: PostgreSQL's can rise in a
    redelivery.
-#}
{%- macro log_identity() -%}
    {{- return('coalesce(_cdc_identity, _cdc_pos)') -}}
{%- endmacro -%}


{#-
    SQL: what two deliveries of an event share, and no other event of its key; NULL for tombstones.
-#}
{%- macro fold_identity(config) -%}
case
    when _cdc_op = 'r' then concat('r/', _cdc_identity)
    when _cdc_op in ('c', 'u', 'd')
        then concat(_cdc_op, '/', {{ debezium_spark.event_epoch(config) }}, '/',
            {{ debezium_spark.log_identity() }})
end
{%- endmacro -%}


{%- macro image_struct(columns) -%}
    {%- set members = [] -%}
    {%- for column in columns -%}
        {%- do members.append(debezium_spark.quote(column)) -%}
    {%- endfor -%}
    {{- return('struct(' ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}
