{#- Where records of a table wait: in Kafka, in raw, in staging. -#}

{#-
    SELECT: what the limit of the last run left in the table's topics. It is not older than the
    newest record of the topic that has landed.
-#}
{%- macro _waiting_in_kafka(topics, raw) -%}
    {%- set paths = [] -%}
    {%- for topic in topics -%}
        {%- do paths.append('kafka:' ~ topic) -%}
    {%- endfor -%}
select
        'landing' as waits_for,
        coalesce(sum(remaining), 0) as records,
        coalesce(
            (
                select max({{ debezium_spark._no_later_than_landed('timestamp') }}) from {{ raw }}
                where {{ adapter.debezium().staging.topic_condition(topics) }}
            ),
            min(seen_at)
        ) as since
    from (
        select
            path,
            max_by(coalesce(remaining, 0), _cdc_landed_at) as remaining,
            max(_cdc_landed_at) as seen_at
        from {{ debezium_spark._ledger_of(raw) }}
        where regexp_replace(path, '/[0-9]+$', '') in ({{ debezium_spark.text_literals(paths) }})
        group by path
    ) as partitions
    where remaining > 0
{%- endmacro -%}


{#- SELECT: landed records of the table's topics above the highest staged batch. -#}
{%- macro _waiting_in_raw(config, staging, raw, is_staged) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set conditions = [debezium.staging.topic_condition(staging.call.topics)] -%}
    {%- if is_staged -%}
        {%- do conditions.append(
            '_cdc_batch_id > coalesce((select max(_cdc_batch_id) from ' ~ staging.relation
            ~ '), -1)'
        ) -%}
    {%- endif -%}
    {#- records of other tables that turn up in the topic are no sign of this one -#}
    {%- set reads_origin = staging.call.shared_topic or staging.call.origins -%}
    {%- if reads_origin -%}
        {%- do conditions.append(
            debezium.staging.is_of_table(config, staging.table, staging.call.origins)
        ) -%}
    {%- endif -%}
    {%- if staging.call.shared_topic -%}
        {%- do conditions.append(
            'not ' ~ debezium.staging.has_no_origin(config, staging.table, staging.call.origins)
        ) -%}
    {%- endif -%}
select
        'staging' as waits_for,
        count(*) as records,
        min({{ debezium_spark._no_later_than_landed('timestamp') }}) as since
    from {{ raw }}
    {%- if reads_origin %}
    lateral view inline(
        array(
            from_json(
                coalesce(
                    get_json_object(value, '$.payload.source'), get_json_object(value, '$.source')
                ),
                'struct<{{ debezium.staging.origin_members(config) | join(': string, ') }}: string>'
            )
        )
    ) source
    {%- endif %}
    where {{ conditions | join(' and ') }}
{%- endmacro -%}


{#- SELECT: staged events above the batch up to which the state has folded. -#}
{%- macro _waiting_in_staging(staging, is_folded) -%}
select
        'state' as waits_for,
        count(*) as records,
        min({{ debezium_spark._no_later_than_landed('_cdc_timestamp') }}) as since
    from {{ staging.relation }}
    {%- if is_folded %}
    where
        _cdc_batch_id > coalesce(
            (select max(_cdc_batch_id) from {{ staging.state }} where _cdc_key = '!watermark'), -1
        )
    {%- endif %}
{%- endmacro -%}
