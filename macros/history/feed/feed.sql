{#-
    Every key of a table with its last values, deleted ones included, and the landing that changed
    it last, so that what is built on it can follow by batch (docs/feed.md). A view of the state: it
    looks at the landings of the control rows, so that the same landings give the same answer in
    whatever runs.
-#}
{%- macro feed(source, table, state, columns=none) -%}
    {%- set columns = debezium_spark.table_columns(state) if columns is none else columns -%}
    {{- return(
        adapter.dispatch('feed', 'debezium_spark')(source, table, state, columns)
    ) -}}
{%- endmacro -%}


{%- macro default__feed(source, table, state, columns) -%}
    {%- do debezium_spark.check_columns('feed', state, columns) -%}
    {%- set config = debezium_spark.source_config(source) -%}
    {%- if execute -%}{%- do debezium_spark._check_feed(config, table) -%}{%- endif -%}
    {%- set inputs = debezium_spark.view_inputs([state]) -%}
    {%- if debezium_spark.is_up_to_date(inputs, none) -%}
        {{- return(debezium_spark.nothing_to_do()) -}}
    {%- endif -%}
    {%- do debezium_spark.decide_inputs(inputs, none) -%}
    {%- if adapter.debezium().config.connector_of(config).has_documents -%}
        {{- return(debezium_spark._document_feed(state, columns)) -}}
    {%- endif -%}
    {{- return(debezium_spark._row_feed(
        state,
        columns,
        ((config.get('tables') or {}).get(table) or {}).get('close_unseen', false)
    )) -}}
{%- endmacro -%}


{%- macro _document_feed(state, columns) -%}
select
    _cdc_key,
    {%- for column in columns %}
    {{ debezium_spark.quote(column) }},
    {%- endfor %}
    _cdc_op,
    _cdc_pos,
    _cdc_source_at,
    _cdc_is_deleted,
    _cdc_deleted_at,
    _cdc_batch_id,
    _cdc_landed_at
from {{ state }}
where _cdc_key not like '!%'
{%- endmacro -%}


{#-
    Besides a key's own records, a row is changed by truncates, and by snapshots that did not see
    it.
-#}
{%- macro _row_feed(state, columns, closes) -%}
{%- set is_live = "op not in ('d', 'tombstone')" -%}
{%- set first_end -%}
array_min(concat(
            {{ debezium_spark._ends('removals', 'source_at') }}
            {%- if closes %},
            {{ debezium_spark._ends('unseen_by', 'started_at') }}
            {%- endif %}
        ))
{%- endset -%}
with

truncates as (

    select
        collect_list(first_delivery) as list,
        collect_list(case
            when size(deliveries) > 1 then struct(first_delivery as first, deliveries)
        end) as repeated
    from (
        select
            min(delivery) as first_delivery,
            collect_list(delivery) as deliveries
        from (
            select
                *,
                struct(
                    incarnation, `timestamp`, topic, `partition`, `offset`, epoch_pos,
                    epoch_stream_pos, struct(batch_id, landed_at) as landing, source_at
                ) as delivery
            from (
                {{ debezium_spark.truncates_of_state(state) | indent(16) }}
            ) as landed_truncates
        ) as with_deliveries
        group by {{ debezium_spark.truncate_identity() }}
    ) as first_deliveries

),

{%- if closes %}

closings as (

    {{ debezium_spark._dated_snapshots(state) | indent(4) }}

),
{%- endif %}

held_keys as (

    select
        {# apart, because a column can have the name of anything here #}
        {{ debezium_spark.image_struct(columns) }} as image,
        _cdc_key,
        _cdc_pos,
        _cdc_source_at,
        _cdc_is_deleted,
        _cdc_fold_timestamp,
        _cdc_batch_id,
        _cdc_landed_at,
        _cdc_op as op,
        struct(
            {%- for name in ['topic', 'incarnation', 'partition', 'offset', 'timestamp', 'kind',
                'epoch_pos', 'epoch_stream_pos'] %}
            _cdc_fold_{{ name }} as `{{ name }}`{{ ',' if not loop.last }}
            {%- endfor %}
        ) as winner,
        struct(
            {%- for name in ['topic', 'incarnation', 'partition', 'offset', 'timestamp'] %}
            _cdc_fold_full_read_{{ name }} as `{{ name }}`{{ ',' if not loop.last }}
            {%- endfor %}
        ) as full_read
    from {{ state }}
    {#- rows about the table and not about a key #}
    where _cdc_key not like '!%'

),

ended_keys as (

    select
        *,
        {{ debezium_spark._removals() | indent(8) }} as removals,
        {{ debezium_spark._restored_by() | indent(8) }} as restored
        {%- if closes %},
        {{ debezium_spark._closings_of() | indent(8) }} as unseen_by,
        {{ debezium_spark._reopened_by() | indent(8) }} as reopened
        {%- endif %}
    from held_keys
    cross join truncates
    {%- if closes %}
    cross join closings
    {%- endif %}

),

dated_keys as (

    select
        *,
        {#- an earlier end that lands later is another time at which the row went #}
        {{ first_end }} as first_end
    from ended_keys

)

select
    _cdc_key,
    {%- for column in columns %}
    image.{{ debezium_spark.quote(column) }},
    {%- endfor %}
    op as _cdc_op,
    _cdc_pos,
    _cdc_source_at,
    _cdc_is_deleted,
    case
        when op = 'd' then _cdc_source_at
        {# a tombstone says no time of the source #}
        when op = 'tombstone' then _cdc_fold_timestamp
        else first_end.ended_at
    end as _cdc_deleted_at,
    changed.batch_id as _cdc_batch_id,
    changed.landed_at as _cdc_landed_at
from (
    select
        *,
        greatest(
            struct(_cdc_batch_id as batch_id, _cdc_landed_at as landed_at),
            case when {{ is_live }} then restored end,
            {%- if closes %}
            case when {{ is_live }} then reopened end,
            {%- endif %}
            case when {{ is_live }} then first_end.landing end
        ) as changed
    from dated_keys
) as changed_keys
{%- endmacro -%}


{#- A state without a feed does not keep the values of deleted rows. -#}
{%- macro _check_feed(config, table) -%}
    {%- if not debezium_spark.has_feed(config, table) -%}
        {%- do debezium_spark._fail(
            'feed',
            "table '" ~ table ~ "' of source '" ~ config.name ~ "' has no change feed.",
            'Set debezium_sources.' ~ config.name ~ '.tables.' ~ table ~ '.feed: true, or delete'
            ~ ' the model.',
        ) -%}
    {%- endif -%}
{%- endmacro -%}
