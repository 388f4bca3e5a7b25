{#-
    Columns that events carry and the models do not know: a table was altered and its models were not generated again. Their values are kept
    in `_cdc_unmapped`; `debezium-spark generate` and a run with `--full-refresh` of the table's models bring them in.
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
    count(*) as event_count,
    min(_cdc_batch_id) as first_batch_id,
    min_by(_cdc_event_id, struct(_cdc_batch_id, _cdc_offset)) as first_event_id,
    'debezium-spark generate, then dbt build --full-refresh --select '
    || {{ debezium_spark.text_literal(staging.relation.identifier ~ '+') }} as remedy
from {{ staging.relation }}
lateral view explode(map_keys(_cdc_unmapped)) as column_name
where _cdc_unmapped is not null
group by column_name
{%- endmacro -%}
