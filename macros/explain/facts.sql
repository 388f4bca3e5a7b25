{#-
    What is known of a key besides its events: its row in the state, records of it that could not be
    read, and of a key without events what was searched, and records that the configuration ignores.
-#}


{#- A mapping of texts, one JSON object for each row. `events`: those of the keys in `log`. -#}
{%- macro facts_of_key(config, model, log, keys, events) -%}
    {%- set list = debezium_spark.text_literals(keys) -%}
    {%- set facts = {
        'state': debezium_spark.run_texts(debezium_spark._state_of_keys(model, keys)),
        'quarantined': debezium_spark.run_texts(
            debezium_spark._quarantined_records(log, '_cdc_key in (' ~ list ~ ')')
        ),
        'searched': [],
        'ignored': [],
    } -%}
    {%- if not events -%}
        {%- do facts.update({
            'searched': debezium_spark.run_texts(debezium_spark._searched_records(model.staging)),
            'ignored': debezium_spark._ignored_of_key(config, model, list),
        }) -%}
    {%- endif -%}
    {{- return(facts) -}}
{%- endmacro -%}


{#- SELECT: the rows of the state, and how far it has folded. -#}
{%- macro _state_of_keys(model, keys) -%}
select {{ adapter.debezium().text.exact_json("named_struct(
    'key', _cdc_key, 'is_deleted', _cdc_is_deleted, 'op', _cdc_op,
    'batch_id', _cdc_batch_id, 'unavailable', _cdc_unavailable,
    'row', " ~ adapter.debezium().text.exact_json(debezium_spark.image_struct(model.columns)) ~ ')')
}} as state_row
from {{ model.state }}
where _cdc_key in ({{ debezium_spark.text_literals(keys + ['!watermark']) }})
{%- endmacro -%}


{#- SELECT: records that are no events. -#}
{%- macro _quarantined_records(staging, condition) -%}
select {{ adapter.debezium().text.exact_json("named_struct('row_key', _cdc_key,
    'event_id', concat_ws(':', _cdc_topic, _cdc_partition, _cdc_offset), 'topic', _cdc_topic,
    'partition', _cdc_partition, 'offset', _cdc_offset, 'recorded_at', _cdc_timestamp,
    'source_at', _cdc_source_at, 'landed_at', _cdc_landed_at, 'batch_id', _cdc_batch_id,
    'reason', _cdc_errors[0])") }} as quarantined
from {{ staging }}
where {{ condition }} and _cdc_op is null and startswith(_cdc_errors[0], 'record:')
order by _cdc_topic, _cdc_partition, _cdc_offset
{%- endmacro -%}


{%- macro _searched_records(staging) -%}
select to_json(struct(
    count(*) as records,
    max(_cdc_batch_id) as batch_id,
    count_if(_cdc_key is null and startswith(_cdc_errors[0], 'record:')) as without_key
)) as searched
from {{ staging }}
{%- endmacro -%}


{#- Records of a key that the configuration ignores: they are few, and read here all the same. -#}
{%- macro _ignored_of_key(config, model, list) -%}
    {%- set topics = model.call.topics -%}
    {%- set records = adapter.debezium().staging.ignored_records(config, topics) -%}
    {%- if not records or not model.raw -%}{{- return([]) -}}{%- endif -%}
    {%- set unread = dict(config, ignore_records=[]) -%}
    {%- set raw = '(select * from ' ~ model.raw ~ ' where '
        ~ adapter.debezium().staging.is_ignored(config, topics) ~ ')' -%}
    {%- if model.kind == 'documents' -%}
        {%- set staged = debezium_spark.document_staging_sql(unread, raw, topics, model.table) -%}
    {%- else -%}
        {%- set staged = debezium_spark.staging_sql(
            unread, raw, topics, model.table, model.call['key'], model.call.columns
        ) -%}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for record in debezium_spark._json_rows(
        "select to_json(struct(_cdc_topic as topic, _cdc_partition as `partition`, _cdc_offset as"
        ~ ' `offset`)) from (' ~ staged ~ ') as staged where _cdc_key in (' ~ list ~ ')'
    ) -%}
        {%- for entry in records if [entry.topic, entry.partition, entry.offset]
            == [record.topic, record.partition, record.offset] -%}
            {%- do found.append(tojson(dict(record, reason=entry.reason))) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(found) -}}
{%- endmacro -%}
