{#-
    SELECT: every key that a key change with unavailable values ever involved: the new keys, and the
    keys whose values they may need. Both sides must be folded together.
-#}
{%- macro origin_keys(staging) -%}
select created._cdc_key as row_key
from {{ staging }} as created
where
    created._cdc_op = 'c'
    and created._cdc_unavailable is not null
    and created._cdc_key is not null

union

select created._cdc_old_key as row_key
from {{ staging }} as created
where
    created._cdc_op = 'c'
    and created._cdc_unavailable is not null
    and created._cdc_old_key is not null

union

select deleted._cdc_key as row_key
from {{ staging }} as deleted
left semi join {{ staging }} as created
    on
        {{ debezium_spark.table_of('deleted._cdc_topic') }}
        = {{ debezium_spark.table_of('created._cdc_topic') }}
        and coalesce(deleted._cdc_stream_pos, deleted._cdc_pos)
        = coalesce(created._cdc_stream_pos, created._cdc_pos)
        and created._cdc_op = 'c'
        and created._cdc_unavailable is not null
where deleted._cdc_op = 'd' and deleted._cdc_key is not null
{%- endmacro -%}
