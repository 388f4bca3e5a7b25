{#-
    SELECT: keys to be folded again. Identities begin with a time, so file statistics exclude most
    of the log from the search for repeats.
-#}
{%- macro _refolded_documents(
    config, staging, state, watermark, narrow, versions=false
) -%}
with

new_events as (

    {{ narrow | indent(4) }}

),

new_keys as (

    select
        row_key,
        {{ debezium_spark.first_arrivals() | indent(8) }}
    from new_events
    group by row_key

),

late_keys as (

    select {{ state }}._cdc_key as row_key
    from {{ state }}
    inner join new_keys on {{ state }}._cdc_key = new_keys.row_key
    where {{ debezium_spark.is_late_arrival() | indent(4) }}

),

repeated_keys as (

    select new_events.row_key
    from new_events
    left semi join (
        {{ debezium_spark.document_events(
            config,
            staging,
            "_cdc_batch_id <= " ~ watermark
            ~ " and _cdc_identity between (select min(_cdc_identity) from " ~ staging
            ~ ' where _cdc_batch_id > ' ~ watermark ~ ') and (select max(_cdc_identity) from '
            ~ staging ~ ' where _cdc_batch_id > ' ~ watermark ~ ')',
            with_texts=false,
        ) | indent(8) }}
    ) as log_events
        on new_events.row_key = log_events.row_key and new_events.identity = log_events.identity

)

select row_key from late_keys
union
select row_key from repeated_keys
{%- if versions %}
union
{# a part of their transaction landed before #}
select new_events.row_key
from new_events
inner join {{ state }} as heads on new_events.row_key = heads._cdc_key
where new_events.tx = heads._cdc_last_tx
{%- endif %}
{%- endmacro -%}
