{#-
    SELECT: keys with a half of a key change of which the other half, of another key, is new
    (docs/history.md, steps of a key).
-#}
{%- macro partner_keys(staging, watermark) -%}
select known.row_key
from ({{ debezium_spark._halves(staging) }}) as known
left semi join (
    {{- debezium_spark._halves(staging, '_cdc_batch_id > ' ~ watermark) }}) as new_halves
    on
        known.of_table = new_halves.of_table
        and known.place = new_halves.place
        and known.op != new_halves.op
        and known.row_key != new_halves.row_key
{%- endmacro -%}


{#-
    Number of new halves of key changes whose other half landed in an earlier batch. Files whose
    positions are lower than all new ones are not read.
-#}
{%- macro count_split_key_changes(staging, watermark) -%}
    {%- set is_half = "_cdc_op in ('c', 'd') and _cdc_pos is not null" -%}
    {%- set lowest = run_query(
        'select min(_cdc_pos) from ' ~ staging ~ ' where ' ~ is_half ~ ' and _cdc_batch_id > '
        ~ watermark
    ).rows[0][0] -%}
    {%- if lowest is none -%}{{- return(0) -}}{%- endif -%}
    {%- set query -%}
select count(*)
from ({{ debezium_spark._halves(staging, '_cdc_batch_id > ' ~ watermark) }}) as new_halves
inner join (
    {{- debezium_spark._halves(
        staging,
        '_cdc_batch_id <= ' ~ watermark ~ ' and _cdc_pos >= '
        ~ debezium_spark.text_literal(lowest)
    ) }}) as known
    on
        known.of_table = new_halves.of_table
        and known.place = new_halves.place
        and known.op != new_halves.op
        and known.row_key != new_halves.row_key
    {%- endset -%}
    {{- return(run_query(query).rows[0][0] | int) -}}
{%- endmacro -%}


{#- Epochs do not matter here: a pair too many only folds a key again. -#}
{%- macro _halves(staging, condition='true') -%}
select
        _cdc_key as row_key,
        _cdc_op as op,
        {{ debezium_spark.table_of('_cdc_topic') }} as of_table,
        coalesce(_cdc_stream_pos, _cdc_pos) as place
    from {{ staging }}
    where
        _cdc_op in ('c', 'd')
        and _cdc_key is not null
        and _cdc_pos is not null
        and {{ condition }}
{%- endmacro -%}
