{#-
    CTEs `key_changes` and `walk_halves`: what lies at the places where a `c` and a `d` of two keys
    meet, and the walk's events with it (docs/history.md, steps of a key). Of a row whose key went
    from 1 to 2:

    | key | op | place | previous_key | next_key |
    |-----|----|-------|--------------|----------|
    | 1   | d  | 20    |              | 2        |
    | 2   | c  | 20    | 1            |          |

    `key_hashes`: of the keys that were walked, none for all.
-#}
{%- macro key_change_halves(config, staging, key_hashes=none) -%}
key_changes as (

    select
        place,
        collect_list(struct(op, row_key, topic, old_key)) as halves
    from (
        select distinct
            op,
            row_key,
            topic,
            old_key,
            {{ debezium_spark.place() }} as place
        from (
            select {{ '/*+ broadcast(walked_halves) */' if key_hashes is not none }}
                _cdc_op as op,
                _cdc_key as row_key,
                _cdc_topic as topic,
                _cdc_old_key as old_key,
                {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
                {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos
            from {{ staging }}
            {%- if key_hashes is not none %}
            left semi join (
                select {{ debezium_spark.staged_place() }} as place
                from {{ staging }}
                where
                    _cdc_op in ('c', 'd')
                    and {{ debezium_spark.has_key_hash('_cdc_key', key_hashes) | indent(20) }}
            ) as walked_halves on {{ debezium_spark.staged_place() }} = walked_halves.place
            {%- endif %}
            where _cdc_op in ('c', 'd') and _cdc_key is not null
        ) as creates_and_deletes
    ) as places
    where place is not null
    group by place
    having size(collect_set(row_key)) > 1 and size(collect_set(op)) > 1

),

walk_halves as (

    select
        applied_events.*,
        case
            when applied_events.op = 'c'
                then {{ debezium_spark._previous_key('applied_events', 'key_changes') }}
        end as previous_key,
        case
            when applied_events.op = 'd'
                then array_max(transform(
                    filter(
                        key_changes.halves,
                        x -> x.op = 'c'
                        and x.row_key != applied_events.row_key
                        and {{ debezium_spark._previous_key('x', 'key_changes') }}
                        = applied_events.row_key
                    ),
                    x -> x.row_key
                ))
        end as next_key
    from applied_events
    left join key_changes on applied_events.place = key_changes.place

)
{%- endmacro -%}


{#- SQL: the key that the row of the `c` had before: its header's, else that of a `d` beside it. -#}
{%- macro _previous_key(create, changes) -%}
    {%- set deletes = (
        'filter(' ~ changes ~ ".halves, y -> y.op = 'd' and y.row_key != " ~ create ~ '.row_key'
    ) -%}
case
            when {{ create }}.old_key is not null
                then nullif({{ create }}.old_key, {{ create }}.row_key)
            else coalesce(
                array_max(transform(
                    {{ deletes }} and y.topic = {{ create }}.topic), y -> y.row_key
                )),
                array_max(transform({{ deletes }}), y -> y.row_key))
            )
        end
{%- endmacro -%}
