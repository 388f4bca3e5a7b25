{#-
    Arrival (docs/semantics.md): within one partition of a topic offsets order deliveries; over
    several partitions time does, and offsets of two are never compared.
-#}


{#- SQL: a delivery as a value that compares as it arrived. -#}
{%- macro arrival_struct(is_moved, prefix='') -%}
{%- set moved = 'case when ' ~ is_moved ~ ' then ' -%}
named_struct(
    'incarnation', {{ debezium_spark._prefixed(prefix, 'incarnation') }},
    'moved_at', {{ moved ~ debezium_spark._prefixed(prefix, 'timestamp') }} end,
    'moved_topic', {{ moved ~ debezium_spark._prefixed(prefix, 'topic') }} end,
    'moved_to', {{ moved ~ debezium_spark._prefixed(prefix, 'partition') }} end,
    'offset', {{ debezium_spark._prefixed(prefix, 'offset') }}
)
{%- endmacro -%}


{#- SQL: the partition that a delivery lies in. -#}
{%- macro partition_struct(prefix='') -%}
    {{- return(
        'struct(' ~ debezium_spark._prefixed(prefix, 'topic') ~ ', '
        ~ debezium_spark._prefixed(prefix, 'partition') ~ ')'
    ) -}}
{%- endmacro -%}


{#- The prefix is an alias with its dot, or begins the name. -#}
{%- macro _prefixed(prefix, name) -%}
    {{- return(prefix ~ name if prefix.endswith('_') else prefix ~ '`' ~ name ~ '`') -}}
{%- endmacro -%}


{#- SQL: the same of a staged record, as text for a checkpoint. -#}
{%- macro partition_text() -%}concat_ws(':', _cdc_topic, _cdc_partition){%- endmacro -%}


{#-
    SQL: what orders the events of a key: plain columns, as Spark sorts again for each window whose
    order is an expression.
-#}
{%- macro arrival_columns() -%}
    {{- return('incarnation, moved_at, moved_topic, moved_to, `offset`') -}}
{%- endmacro -%}


{#- SQL: aggregates of the new events of a key, for `is_late_arrival`. -#}
{%- macro first_arrivals() -%}
min({{ debezium_spark.arrival_struct('false') }}) as first_offset,
min({{ debezium_spark.partition_struct() }}) as lowest_partition,
max({{ debezium_spark.partition_struct() }}) as highest_partition
{%- endmacro -%}


{#-
    SELECT: of each key of a state, what `is_late_arrival` compares with, and columns named besides;
    not the table's own, which can have the names of anything.
-#}
{%- macro last_arrivals(state, more=[]) -%}
select
    _cdc_key,
    {%- for name in more %}
    {{ name }},
    {%- endfor %}
    _cdc_fold_is_moved,
    _cdc_fold_last_incarnation,
    _cdc_fold_last_topic,
    _cdc_fold_last_partition,
    _cdc_fold_last_offset,
    _cdc_fold_last_timestamp
from {{ state }}
{%- endmacro -%}


{#-
    SQL condition: one of the new events came before the last that the key's state has folded, or
    nothing but its partition tells that it did not.
-#}
{%- macro is_late_arrival() -%}
{%- set last = '_cdc_fold_last_' -%}
{%- set last_partition = debezium_spark.partition_struct(last) -%}
not (lowest_partition <=> {{ last_partition }})
or not (highest_partition <=> {{ last_partition }})
or first_offset <= {{ debezium_spark.arrival_struct('false', last) }}
{%- endmacro -%}


{#- SQL: windows over the events of a key's moment, and over those of one partition among them. -#}
{%- macro moment_order(key) -%}
partition by {{ key }}, incarnation, moved_at order by moved_topic, moved_to, `offset`
{%- endmacro -%}


{%- macro moment_in_partition_order(key) -%}
partition by {{ key }}, incarnation, moved_at, moved_topic, moved_to order by `offset`
{%- endmacro -%}


{#- SELECT: events with `is_moved`, and the columns of `arrival_columns`. -#}
{%- macro events_with_arrival(events, key) -%}
select
    *,
    if(is_moved, `timestamp`, null) as moved_at,
    if(is_moved, topic, null) as moved_topic,
    if(is_moved, `partition`, null) as moved_to
from (
    select
        *,
        min({{ debezium_spark.partition_struct() }}) over (partition by {{ key }})
        != max({{ debezium_spark.partition_struct() }}) over (partition by {{ key }}) as is_moved
    from {{ events }}
) as events_with_moves
{%- endmacro -%}
