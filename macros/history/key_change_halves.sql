{#-
    CTEs `key_changes` and `walk_halves`: what lies at the places where a `c` and a `d` of two keys
    meet, and the walk's events with it (docs/history.md, steps of a key). `condition`: of the
    staged events that may be the other halves.
-#}
{%- macro key_change_halves(config, staging, condition) -%}
key_changes as (

    select
        {{ debezium_spark.table_of('topic') }} as of_table,
        place,
        collect_list(named_struct('op', op, 'row_key', row_key,
            'topic', topic, 'old_key', old_key)) as halves
    from (
        select distinct
            op,
            row_key,
            topic,
            old_key,
            {{ debezium_spark._place() }} as place
        from (
            {{ debezium_spark.fold_events(
                config,
                staging,
                [],
                "_cdc_op in ('c', 'd') and _cdc_key is not null and " ~ condition,
                with_image=false,
                with_unavailable=false
            ) | indent(12) }}
        ) as creates_and_deletes
    ) as places
    where place is not null
    group by {{ debezium_spark.table_of('topic') }}, place
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
    left join key_changes
        on
            applied_events.place = key_changes.place
            and {{ debezium_spark.table_of('applied_events.topic') }} = key_changes.of_table

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
