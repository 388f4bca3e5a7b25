{#-
    What the records staged above the watermark are, by one query over narrow columns:

    * `highest`: their highest batch, none when there are none,
    * `truncates`, `partial_creates`, `without_position`, `full_reads`: how many there are of each,
    * `unavailable`: columns with unavailable values,
    * `several_partitions`, `partition`: whether events lie in more than one, and the first of them,
    * `repeated`: keys of which an event may be delivered twice among them,
    * `is_ahead`: every event lies behind all that were folded before, in arrival, in position and in identity, and every key has a change of the
      stream. In a table of one partition no key is late then, none repeats an earlier event, and the winner of each is among these events,
    * `ahead_of`: behind what the events of later batches have to lie: {arrival: {incarnation, offset}, pos, identity}.

    `ahead_of`: that of the batches folded before, none when there are none or it is not known.
-#}
{%- macro profile_batch(config, staging, watermark, ahead_of=none) -%}
    {%- set query -%}
        with records as (

            select
                case when {{ debezium_spark.is_row_event() }} then _cdc_key end as row_key,
                _cdc_key,
                _cdc_op,
                _cdc_topic,
                _cdc_partition,
                _cdc_batch_id,
                _cdc_snapshot,
                _cdc_pos,
                _cdc_unavailable,
                {{ debezium_spark.event_kind() | indent(16) }} as kind,
                struct({{ debezium_spark.event_incarnation(config) }} as incarnation, _cdc_offset as `offset`) as arrival,
                {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
                {{ debezium_spark.within_epoch(config, debezium_spark.known_by()) }} as epoch_identity,
                {{ debezium_spark.identity_in_fold(config) | indent(16) }} as identity
            from {{ staging }}
            {%- if watermark is not none %}
            where _cdc_batch_id > {{ watermark }}
            {%- endif %}

        ),

        keys as (

            select
                row_key,
                max(_cdc_batch_id) as highest,
                count_if(_cdc_op = 't') as truncates,
                array_distinct(flatten(collect_list(_cdc_unavailable))) as unavailable,
                count_if(_cdc_op = 'c' and _cdc_unavailable is not null) as partial_creates,
                min(case when _cdc_key is not null then concat_ws(':', _cdc_topic, _cdc_partition) end) as lowest_partition,
                max(case when _cdc_key is not null then concat_ws(':', _cdc_topic, _cdc_partition) end) as highest_partition,
                count_if(_cdc_op in ('c', 'u', 'd') and _cdc_pos is null) as without_position,
                count_if(kind = 'full') as full_reads,
                count_if(kind in ('full', 'incremental')) as reads,
                count_if(kind = 'stream') as changes,
                {# Spark hashes NULL to a number: a tombstone would stand for an identity #}
                count(identity) - size(collect_set(case when identity is not null then xxhash64(identity) end)) as repeats,
                min(arrival) as first_arrival,
                max(arrival) as last_arrival,
                min(case when kind = 'stream' then epoch_pos end) as lowest_pos,
                max(case when kind = 'stream' then epoch_pos end) as highest_pos,
                min(case when kind = 'stream' then epoch_identity end) as lowest_identity,
                max(case when kind = 'stream' then epoch_identity end) as highest_identity
            from records
            group by row_key

        )

        select
            max(highest) as highest,
            sum(truncates) as truncates,
            to_json(array_sort(array_distinct(flatten(collect_list(unavailable))))) as unavailable,
            sum(partial_creates) as partial_creates,
            min(lowest_partition) as lowest_partition,
            max(highest_partition) as highest_partition,
            sum(without_position) as without_position,
            sum(full_reads) as full_reads,
            count_if(row_key is not null and repeats > 0) as repeated,
            {% if ahead_of -%}
            coalesce(
                bool_and(
                    row_key is null
                    or reads = 0 and changes > 0
                    and first_arrival > {{ debezium_spark._arrival_literal(ahead_of) }}
                    and lowest_pos > {{ debezium_spark._text_or_lowest(ahead_of, 'pos') }}
                    and lowest_identity > {{ debezium_spark._text_or_lowest(ahead_of, 'identity') }}
                ),
                true
            ) as is_ahead,
            {%- else -%}
            false as is_ahead,
            {%- endif %}
            to_json(named_struct(
                'arrival', greatest(max(case when row_key is not null then last_arrival end), {{ debezium_spark._arrival_literal(ahead_of) }}),
                'pos', greatest(max(case when row_key is not null then highest_pos end), {{ debezium_spark._text_or_lowest(ahead_of, 'pos') }}),
                'identity', greatest(
                    max(case when row_key is not null then highest_identity end), {{ debezium_spark._text_or_lowest(ahead_of, 'identity') }}
                )
            )) as ahead_of
        from keys
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{- return({
        'highest': row[0] | int if row[0] is not none else none,
        'truncates': (row[1] or 0) | int,
        'unavailable': fromjson(row[2]) if row[2] else [],
        'partial_creates': (row[3] or 0) | int,
        'several_partitions': row[4] != row[5],
        'partition': row[4],
        'without_position': (row[6] or 0) | int,
        'full_reads': (row[7] or 0) | int,
        'repeated': row[8] | int,
        'is_ahead': row[9] | string | lower == 'true',
        'ahead_of': fromjson(row[10]),
    }) -}}
{%- endmacro -%}


{%- macro _arrival_literal(ahead_of) -%}
    {%- set arrival = (ahead_of or {}).get('arrival') -%}
    {%- if not arrival -%}{{- return('cast(null as struct<incarnation:int,`offset`:bigint>)') -}}{%- endif -%}
    {{- return(
        'struct(cast(' ~ arrival.incarnation | int ~ ' as int) as incarnation, cast(' ~ arrival.offset | int ~ ' as bigint) as `offset`)'
    ) -}}
{%- endmacro -%}


{#- Below every text where none was folded so far. -#}
{%- macro _text_or_lowest(ahead_of, member) -%}
    {{- return(debezium_spark.text_literal((ahead_of or {}).get(member) or '')) -}}
{%- endmacro -%}
