{#-
    What the batch is like: `highest` batch id, none without records; counts; `unavailable` columns;
    `in_order`: no event of a key repeats or contradicts another of the batch; `is_ahead`: all lie
    behind what was folded, in arrival, position and identity, and each key has a change: in one
    partition, no key is late then; `ahead_of`: behind which later batches have to lie.
-#}
{%- macro profile_batch(config, staging, watermark, ahead_of=none, lists_keys=false) -%}
    {%- set query -%}
        with

        {{ debezium_spark.batch_neighbours(config, staging, watermark) | indent(8) }}

        select
            max(batch_id) as highest,
            count_if(op = 't') as truncates,
            to_json(array_sort(array_distinct(flatten(collect_set(unavailable))))) as unavailable,
            count_if(op = 'c' and unavailable is not null) as partial_creates,
            min(case when row_key is not null then topic_partition end) as lowest_partition,
            max(case when row_key is not null then topic_partition end) as highest_partition,
            count_if(op in ('c', 'u', 'd') and epoch_pos is null) as without_position,
            count_if(row_key is not null and kind = 'full') as full_reads,
            count_if(op in ('d', 'tombstone')) as deletes,
            count_if(row_key is not null and op_before is null) as keys,
            bool_and(
                row_key is null or {{ debezium_spark._continues() | indent(16) }}
            ) as in_order,
            {% if ahead_of -%}
            coalesce(
                bool_and(
                    row_key is null
                    or struct(incarnation, `offset`)
                        > {{ debezium_spark._arrival_literal(ahead_of) }}
                    and case kind
                        when 'stream'
                            then epoch_pos > {{ debezium_spark._text_or_lowest(ahead_of, 'pos') }}
                            and epoch_identity
                            > {{ debezium_spark._text_or_lowest(ahead_of, 'identity') }}
                        when 'tombstone' then true
                        else false
                    end
                )
                and count_if(row_key is not null and op_before is null)
                = count_if(row_key is not null and kind = 'stream' and pos_before is null),
                true
            ) as is_ahead,
            {%- else -%}
            false as is_ahead,
            {%- endif %}
            to_json(named_struct(
                'arrival', greatest(
                    max(case when row_key is not null then struct(incarnation, `offset`) end),
                    {{ debezium_spark._arrival_literal(ahead_of) }}
                ),
                'pos', greatest(
                    max(case when row_key is not null and kind = 'stream' then epoch_pos end),
                    {{ debezium_spark._text_or_lowest(ahead_of, 'pos') }}
                ),
                'identity', greatest(
                    max(case when row_key is not null and kind = 'stream' then epoch_identity end),
                    {{ debezium_spark._text_or_lowest(ahead_of, 'identity') }}
                )
            )) as ahead_of,
            {% if lists_keys -%}
            to_json(array_sort(collect_set({{ debezium_spark.key_hash('row_key') }}))) as key_hashes
            {%- else -%}
            cast(null as string) as key_hashes
            {%- endif %}
        from neighbours
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
        'deletes': (row[8] or 0) | int,
        'keys': (row[9] or 0) | int,
        'in_order': row[10] | string | lower == 'true',
        'is_ahead': row[11] | string | lower == 'true',
        'ahead_of': fromjson(row[12]),
        'key_hashes': fromjson(row[13]) if row[13] is not none else none,
    }) -}}
{%- endmacro -%}


{#- CTE `neighbours`: the records of the batch, each with what its key had before it. -#}
{%- macro batch_neighbours(config, staging, watermark) -%}
{%- set arrivals = 'partition by key_hash, row_key order by incarnation, `offset`' -%}
{%- set before = arrivals ~ ' rows between unbounded preceding and 1 preceding' -%}
neighbours as (

    select
        *,
        lag(op) over ({{ arrivals }}) as op_before,
        lag(topic_partition) over ({{ arrivals }}) as partition_before,
        lag(incarnation) over ({{ arrivals }}) as incarnation_before,
        max(case when kind = 'stream' then epoch_pos end) over ({{ before }}) as pos_before,
        max(case when kind = 'stream' then epoch_identity end)
            over ({{ before }}) as identity_before
    from (
        select
            case when {{ debezium_spark.is_row_event() }} then _cdc_key end as row_key,
            xxhash64(case when {{ debezium_spark.is_row_event() }} then _cdc_key end) as key_hash,
            _cdc_op as op,
            _cdc_batch_id as batch_id,
            _cdc_unavailable as unavailable,
            {{ debezium_spark.event_kind() | indent(12) }} as kind,
            {{ debezium_spark.partition_text() }} as topic_partition,
            {{ debezium_spark.event_incarnation(config) }} as incarnation,
            _cdc_offset as `offset`,
            {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
            {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }}
                as epoch_identity
        from {{ staging }}
        {%- if watermark is not none %}
        where _cdc_batch_id > {{ watermark }}
        {%- endif %}
    ) as records

)
{%- endmacro -%}


{#- SQL: an event continues the one of its key before it, by a row of `neighbours`. -#}
{%- macro _continues() -%}
case
    when op_before is null then kind not in ('tombstone', 'settled')
    when topic_partition != partition_before or incarnation != incarnation_before then false
    when kind = 'tombstone' then op_before in ('d', 'tombstone')
    when kind = 'stream'
        then coalesce(epoch_pos >= pos_before, pos_before is null)
            and coalesce(epoch_identity > identity_before, identity_before is null)
    {# a read behind another event #}
    else false
end
{%- endmacro -%}


{%- macro _arrival_literal(ahead_of) -%}
    {%- set arrival = (ahead_of or {}).get('arrival') -%}
    {%- if not arrival -%}
        {{- return('cast(null as struct<incarnation:int,`offset`:bigint>)') -}}
    {%- endif -%}
    {{- return(
        'struct(cast(' ~ arrival.incarnation | int ~ ' as int) as incarnation, cast('
        ~ arrival.offset | int ~ ' as bigint) as `offset`)'
    ) -}}
{%- endmacro -%}


{#- Below every text if nothing was folded yet. -#}
{%- macro _text_or_lowest(ahead_of, member) -%}
    {{- return(debezium_spark.text_literal((ahead_of or {}).get(member) or '')) -}}
{%- endmacro -%}
