{#-
    Records of the schema-change topic that end a table's rows (DROP, TRUNCATE), staged as
    truncates: connectors send no other event of such a statement.
    `src/dbt_debezium_spark/staging/table_ends.py` decides which. The catalog keeps definitions
    whole, so a table without any pays nothing.
-#}
{%- macro reports_table_ends(config) -%}
    {{- return(adapter.debezium().config.connector_of(config).reports_ends) -}}
{%- endmacro -%}


{#- SELECT of definitions that may end rows, in the form of `record_layouts`. -#}
{%- macro table_ends_query(config, schemas) %}
select
    to_json(
        named_struct(
            'side', 'end',
            'batch', _cdc_batch_id,
            'place', named_struct('topic', topic, 'partition', partition, 'offset', first_offset),
            'definition', definition
        )
    ) as layout
from {{ schemas }}
where
    {{ debezium_spark._kind_in_source(config) }} = 'schema_change'
    and definition rlike '(?i)\\b(drop|truncate|replace)\\b'
{% endmacro -%}


{#- SQL: raw records, with those in `ends` in the form of truncates (`_end`: the event). -#}
{%- macro with_table_ends(records, ends) -%}
    {%- if not ends -%}{{- return(records) -}}{%- endif -%}
    {%- set sql -%}
(
        select
            * except (key, value),
            if(_end is null, key, null) as key,
            coalesce(_end, value) as value
        from (select *,
                {{ adapter.debezium().staging.member_of_record(ends, 'event') }} as _end
            from {{ records }}) as marked_records
    ) as records_with_ends
    {%- endset -%}
    {{- return(sql) -}}
{%- endmacro -%}


{%- macro has_new_definitions(config, raw, watermark) -%}
    {%- if not debezium_spark.reports_table_ends(config) -%}{{- return(false) -}}{%- endif -%}
    {{- return(debezium_spark.has_new_records(raw, watermark, [config.topic_prefix])) -}}
{%- endmacro -%}
