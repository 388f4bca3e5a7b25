{#-
    The horizon of a table: up to where its records are settled, and what landed behind it although
    it arrived before (reference/retention.md). Of a horizon at 12:00 whose highest change is 40:

    | record | timestamp | position | staged as                                |
    |--------|-----------|----------|------------------------------------------|
    | u      | 11:59     | 41       | error `record: before the horizon …`     |
    | u      | 12:01     | 40       | `_cdc_snapshot` `settled/…`: not applied |
    | u      | 12:01     | 41       | an event                                 |
-#}


{#- The horizon of a staged table, none without one: `horizon.py`. -#}
{%- macro horizon_of_table(staging) -%}
    {%- set text = debezium_spark.unpack(
        debezium_spark._property(staging, debezium_spark.horizon_property())
    ) -%}
    {{- return(adapter.debezium().retention.from_json(text) if text else none) -}}
{%- endmacro -%}


{%- macro horizon_property() -%}
    {{- return('debezium_spark.horizon') -}}
{%- endmacro -%}


{#-
    The horizon by which this run judges what it reads, `horizon`, and above which batch,
    `watermark`. A table that is built anew from the whole of raw forgets it, by its `properties`.
-#}
{%- macro decide_horizon(raw, watermark, properties) -%}
    {%- set stored = debezium_spark.horizon_of_table(debezium_spark._table(this)) -%}
    {%- set horizon = stored -%}
    {%- if watermark is none -%}
        {%- set carried = debezium_spark.carried_rows(raw) -%}
        {%- set horizon = stored if carried else none -%}
        {%- if carried -%}
            {%- set watermark = carried.watermark -%}
            {%- do debezium_spark.decide({'carried': dict(
                carried,
                is_late='_cdc_timestamp <= timestamp_micros('
                    ~ (horizon.late_us if horizon else 0) ~ ')',
                is_judged='(not (true' ~ debezium_spark.is_not_refused() ~ '))'
            )}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if stored is not none and horizon is none -%}
        {#- a table that is replaced keeps the properties that it had -#}
        {%- do properties.update({debezium_spark.horizon_property(): debezium_spark.pack(none)}) -%}
    {%- endif -%}
    {{- return({'horizon': horizon, 'watermark': watermark}) -}}
{%- endmacro -%}


{#- SELECT of staged rows: late records as errors, repeated events as settled ones. -#}
{%- macro behind_horizon(config, rows, behind=none) -%}
{%- if not behind or behind.horizon is none -%}
    {{- return('select * from ' ~ rows) -}}
{%- endif -%}
{%- set horizon = behind.horizon -%}
select
    * except (_cdc_op, _cdc_snapshot, _cdc_errors, _is_late),
    if(_is_late, null, _cdc_op) as _cdc_op,
    if(
        not _is_late
        and _cdc_batch_id > {{ behind.watermark }}
        and {{ debezium_spark.is_repeated(config, horizon) | indent(8) }},
        'settled/0/0/',
        _cdc_snapshot
    ) as _cdc_snapshot,
    if(
        _is_late,
        array(concat(
            'record: before the horizon ', timestamp_micros({{ horizon.late_us }}), ': ',
            _cdc_timestamp
        )),
        _cdc_errors
    ) as _cdc_errors
from (
    select
        *,
        _cdc_op is not null and _cdc_batch_id > {{ behind.watermark }} and (
            _cdc_timestamp <= timestamp_micros({{ horizon.late_us }})
            or coalesce(_cdc_offset <= try_element_at(
                {{ debezium_spark._literal_map(horizon.offsets, 'bigint') }},
                {{ debezium_spark.partition_place(debezium_spark.event_incarnation(config)) }}
            ), false)
        ) as _is_late
    from {{ rows }}
) as arrived_rows
{%- endmacro -%}


{#- SQL condition: a staged event repeats a settled one. -#}
{%- macro is_repeated(config, horizon) -%}
coalesce(
    case
        when _cdc_op in ('c', 'u', 'd') and _cdc_pos is not null
            then {{ debezium_spark.place_in_log(config) }} <= try_element_at(
                {{ debezium_spark._literal_map(horizon.changes, 'string') }}, _cdc_topic)
        when _cdc_op in ('c', 'u', 'd')
            then _cdc_source_at <= {{ debezium_spark.time_of_topic(
                horizon.unplaced_us, '_cdc_topic'
            ) }} - interval {{ horizon.open_seconds }} seconds
        when _cdc_op = 'r'
            then _cdc_source_at <= {{ debezium_spark.time_of_topic(
                horizon.reads_us, '_cdc_topic'
            ) }}
    end,
    false
)
{%- endmacro -%}


{#- SQL: a staged row is neither late nor a repeat of a settled event; they are not read again. -#}
{%- macro is_not_refused() -%}
    {{- return(
        " and coalesce(_cdc_snapshot not like 'settled/%', true)"
        ~ " and coalesce(_cdc_errors[0] not like 'record: before the horizon %', true)"
    ) -}}
{%- endmacro -%}


{#-
    SQL: what rises with the source's log and is the same in each delivery of a change, NULL for
    others: of PostgreSQL the LSN, without what tells apart changes that share it.
-#}
{%- macro place_in_log(config) -%}
case
    when _cdc_op in ('c', 'u', 'd') and _cdc_pos is not null
        then {{ debezium_spark.within_epoch(
            config,
            'regexp_replace(' ~ debezium_spark.log_identity() ~ ", '^(~[0-9]{20})/.*$', '$1')"
        ) }}
end
{%- endmacro -%}


{#- SQL: a partition of a topic, as a key of `horizon.offsets`. -#}
{%- macro partition_place(incarnation) -%}
concat_ws(':', _cdc_topic, {{ incarnation }}, _cdc_partition)
{%- endmacro -%}


{#- SQL: the time that a map has for a topic, NULL without any. -#}
{%- macro time_of_topic(times_us, topic) -%}
timestamp_micros(try_element_at({{ debezium_spark._literal_map(times_us, 'bigint') }}, {{ topic }}))
{%- endmacro -%}


{%- macro _literal_map(members, type) -%}
from_json({{ debezium_spark.text_literal(tojson(members)) }}, 'map<string,{{ type }}>')
{%- endmacro -%}
