{#-
    One row per transaction of a source: what its END says, what of it landed in each table, and its
    status (docs/transactions.md). `stagings`: {table, relation, origins} of each modelled table.

    A run counts the transactions anew that have new records, and those that were open. Their
    earlier records are looked for from the landing of the first of them on.
-#}
{%- macro transactions(source, raw, stagings) -%}
    {{- return(adapter.dispatch('transactions', 'debezium_spark')(source, raw, stagings)) -}}
{%- endmacro -%}


{%- macro default__transactions(source, raw, stagings) -%}
    {%- if not execute -%}{{- return('') -}}{%- endif -%}
    {%- if debezium_spark.is_linted() -%}
        {{- return(debezium_spark.typed_skeleton(raw)) -}}
    {%- endif -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- do debezium_spark._check_transactions(config) -%}
    {%- set topic = debezium_spark.transaction_topic(config) -%}
    {%- set inputs = debezium_spark._transaction_inputs(raw, topic, stagings) -%}
    {%- if debezium_spark.is_up_to_date(inputs, config) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, config) -%}
    {%- set entries = debezium_spark.existing_entries(stagings) -%}
    {%- set plan = {'watermarks': none, 'ends': none, 'highest_ended': none, 'earliest': none} -%}
    {%- if not debezium_spark.is_running() -%}
        {{- return(debezium_spark.transactions_sql(config, raw, topic, entries, plan)) -}}
    {%- endif -%}
    {%- set configuration = debezium_spark._transactions_fingerprint(config, topic, entries) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() -%}
    {%- set batches = debezium_spark._batches_of(raw, topic, entries) -%}
    {%- set goes_on = checkpoint is not none and checkpoint.configuration == configuration -%}
    {%- if goes_on -%}
        {%- do plan.update({
            'watermarks': checkpoint.batches,
            'ends': checkpoint.get('ends'),
            'highest_ended': checkpoint.get('highest_ended'),
        }) -%}
        {%- if batches != checkpoint.batches -%}
            {%- set known = debezium_spark._known_transactions(
                config, raw, topic, entries, plan
            ) -%}
            {%- set goes_on = not known.newest_is_older -%}
            {%- do plan.update(
                {'earliest': known.earliest} if goes_on
                else {'watermarks': none, 'ends': none, 'highest_ended': none}
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do debezium_spark.decide({
        'nothing_new': goes_on and batches == checkpoint.batches,
        'replaces_table': not goes_on,
        'watermark': checkpoint.batch_id if goes_on,
        'keys_are_set': true,
    }) -%}
    {%- do plan.update({
        'checkpoint': {'configuration': configuration, 'batches': batches}
    }) -%}
    {{- return(debezium_spark.transactions_sql(config, raw, topic, entries, plan)) -}}
{%- endmacro -%}


{%- macro transaction_topic(config) -%}
    {{- return(config.topic_prefix ~ '.' ~ config.get('topic_transaction', 'transaction')) -}}
{%- endmacro -%}


{%- macro _check_transactions(config) -%}
    {%- if not config.get('provide_transaction_metadata', false) -%}
        {%- do debezium_spark._fail(
            'transactions',
            "source '" ~ config.name ~ "' has no transactions.",
            'Set debezium_sources.' ~ config.name ~ '.provide_transaction_metadata: true, or delete'
            ~ ' the model.',
        ) -%}
    {%- endif -%}
{%- endmacro -%}


{#- None if one of the tables does not record what it is up to date with. -#}
{%- macro _transaction_inputs(raw, topic, stagings) -%}
    {%- set inputs = {'boundaries': debezium_spark.raw_inputs(raw, [topic])} -%}
    {%- for staging in stagings -%}
        {%- do inputs.update({
            staging.relation | string: debezium_spark.up_to_date_with(staging.relation)
        }) -%}
    {%- endfor -%}
    {{- return(none if none in inputs.values() else inputs) -}}
{%- endmacro -%}


{#- Hash of what the rows depend on besides records: when it changes, all are counted anew. -#}
{%- macro _transactions_fingerprint(config, topic, entries) -%}
    {%- set tables = [] -%}
    {%- for entry in entries -%}
        {%- do tables.append([
            entry.table,
            entry.get('origins') or [],
            debezium_spark._property(entry.relation, debezium_spark._fingerprint_property()),
        ]) -%}
    {%- endfor -%}
    {{- return(local_md5(tojson({
        'transactions': 1,
        'topic': topic,
        'epochs': config.get('epochs'),
        'incarnations': config.get('incarnations'),
        'ignored': config.get('ignore_records') or [],
        'tables': tables,
    }, sort_keys=true))) -}}
{%- endmacro -%}


{#- The highest landing in the topic of boundaries, by '', and in each table. -#}
{%- macro _batches_of(raw, topic, entries) -%}
    {%- set parts = [
        "select '' as table_name, max(_cdc_batch_id) as batch_id from " ~ raw ~ ' where '
        ~ adapter.debezium().staging.topic_condition([topic])
    ] -%}
    {%- for entry in entries -%}
        {%- do parts.append(
            'select ' ~ debezium_spark.text_literal(entry.table) ~ ', max(_cdc_batch_id) from '
            ~ entry.relation
        ) -%}
    {%- endfor -%}
    {%- set batches = {} -%}
    {%- for row in run_query(parts | join(' union all ')).rows -%}
        {%- do batches.update({row[0]: row[1] | int if row[1] is not none else -1}) -%}
    {%- endfor -%}
    {{- return(batches) -}}
{%- endmacro -%}


{#-
    What is known of the transactions that are counted anew. `earliest`: the landing of their first
    record, none if all are new. `newest_is_older`: an earlier boundary landed of the transaction
    behind which others are `no_end`; then these are counted anew, too, as all are.
-#}
{%- macro _known_transactions(config, raw, topic, entries, plan) -%}
    {%- set query -%}
with

{{ debezium_spark.boundaries(config, raw, topic, plan) }},

{{ debezium_spark.transaction_events(config, entries, plan) }},

{{ debezium_spark.counted_keys(plan) }},

first_places as (

    select
        transaction_key,
        map_from_entries(collect_list(struct(`partition`, place))) as firsts
    from (
        select
            transaction_key,
            _cdc_partition as `partition`,
            min(place) as place
        from boundaries
        where transaction_key is not null
        group by transaction_key, _cdc_partition
    ) as new_places
    group by transaction_key

)

select
    min(known.first_batch_id),
    bool_or(exists(
        known.places,
        p -> try_element_at({{ debezium_spark._known_ends(plan) }}, cast(p.`partition` as string))
            = p.first_place
            and try_element_at(first_places.firsts, p.`partition`) < p.first_place
    ))
from {{ this }} as known
left semi join counted_keys on known._cdc_key = counted_keys.transaction_key
left join first_places on known._cdc_key = first_places.transaction_key
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{- return({
        'earliest': row[0] | int if row[0] is not none else none,
        'newest_is_older': row[1] is not none and row[1] | string | lower == 'true',
    }) -}}
{%- endmacro -%}


{#- SQL: the `ends` of the checkpoint. -#}
{%- macro _known_ends(plan) -%}
from_json(
    {{- debezium_spark.text_literal(tojson(plan.ends or {})) }},
    'map<string,struct<incarnation:int,`offset`:bigint>>'
)
{%- endmacro -%}
