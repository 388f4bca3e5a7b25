{#-
    SELECT: keys of key changes that lack values, and keys whose values they may need: both must be
    folded together.
-#}
{%- macro origin_keys(staging) -%}
select creates._cdc_key as row_key
from {{ staging }} as creates
where
    creates._cdc_op = 'c'
    and creates._cdc_unavailable is not null
    and creates._cdc_key is not null

union

select creates._cdc_old_key as row_key
from {{ staging }} as creates
where
    creates._cdc_op = 'c'
    and creates._cdc_unavailable is not null
    and creates._cdc_old_key is not null

union

select deletes._cdc_key as row_key
from {{ staging }} as deletes
left semi join {{ staging }} as creates
    on
        {{ debezium_spark.table_of('deletes._cdc_topic') }}
        = {{ debezium_spark.table_of('creates._cdc_topic') }}
        and coalesce(deletes._cdc_stream_pos, deletes._cdc_pos)
        = coalesce(creates._cdc_stream_pos, creates._cdc_pos)
        and creates._cdc_op = 'c'
        and creates._cdc_unavailable is not null
where deletes._cdc_op = 'd' and deletes._cdc_key is not null
{%- endmacro -%}
