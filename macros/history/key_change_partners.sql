{#-
    SELECT: keys with a half of a key change of which the other half, of another key, is new
    (docs/history.md, steps of a key). Epochs do not matter here: a pair too many only walks a key
    again. `first_place`: the first one that new halves can lie at: file statistics leave out most
    of a log that landed in order.
-#}
{%- macro partner_keys(staging, watermark, first_place) -%}
{%- set from_there = '>= ' ~ debezium_spark.text_literal(first_place) -%}
select known.row_key
from (
    {{- debezium_spark._halves(
        staging,
        '(_cdc_stream_pos ' ~ from_there ~ ' or (_cdc_stream_pos is null and _cdc_pos '
        ~ from_there ~ '))'
    ) }}) as known
left semi join (
    {{- debezium_spark._halves(staging, '_cdc_batch_id > ' ~ watermark) }}) as new_halves
    on
        known.place = new_halves.place
        and known.op != new_halves.op
        and known.row_key != new_halves.row_key
{%- endmacro -%}


{%- macro _halves(staging, condition) -%}
select
        _cdc_key as row_key,
        _cdc_op as op,
        {{ debezium_spark.staged_place() }} as place
    from {{ staging }}
    where
        _cdc_op in ('c', 'd')
        and _cdc_key is not null
        and _cdc_pos is not null
        and {{ condition }}
{%- endmacro -%}
