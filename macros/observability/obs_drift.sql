{#-
    Columns that a table's newest event carries and its models do not know: the table was altered and the models were not generated
    again. Their values are kept in `_cdc_unmapped`; the remedy brings them in. A column that only older events carry was dropped at
    the source and is no drift. Looks at the newest batch with events of the table only.
-#}
{%- macro obs_drift(stagings) -%}
    {%- set parts = [] -%}
    {%- for staging in stagings -%}
        {%- do parts.append(debezium_spark._drift_of(staging)) -%}
    {%- endfor -%}
    {{- return(parts | join('\n\nunion all\n\n')) -}}
{%- endmacro -%}


{%- macro _drift_of(staging) -%}
select
    {{ debezium_spark.text_literal(staging.source) }} as source_name,
    {{ debezium_spark.text_literal(staging.table) }} as table_name,
    column_name,
    newest_event.event_id,
    newest_event.batch_id,
    'debezium-spark generate, then dbt build --select '
    || {{ debezium_spark.text_literal(staging.relation.identifier ~ '+') }} as remedy
from (
    select
        max_by(
            struct(map_keys(_cdc_unmapped) as unmapped, _cdc_event_id as event_id, _cdc_batch_id as batch_id),
            struct(_cdc_stream_pos, _cdc_timestamp, _cdc_offset)
        ) as newest_event
    from {{ staging.relation }}
    where
        _cdc_op in ('c', 'r', 'u')
        and _cdc_batch_id in (select max(_cdc_batch_id) from {{ staging.relation }})
) as newest_events
lateral view explode(newest_event.unmapped) as column_name
{%- endmacro -%}
