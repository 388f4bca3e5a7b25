{#- SQL: the truncates that removed a row; it has been gone since the first of them landed. -#}
{%- macro removals(fold) -%}
filter(
    truncates.list,
    t -> {{ debezium_spark.truncate_removes(fold) | indent(4) }}
)
{%- endmacro -%}


{#-
    SQL: the landing that brought a row back: the first delivery of a truncate, which spares the row
    that a later delivery, landed before, removed.
-#}
{%- macro restored_by(fold) -%}
{%- set removes = debezium_spark.truncate_removes(fold) -%}
array_max(transform(
    filter(
        truncates.repeated,
        r -> exists(r.deliveries, t -> {{ removes | indent(8) }})
            and not exists(array(r.first), t -> {{ removes | indent(8) }})
    ),
    r -> r.first.landing
))
{%- endmacro -%}


{#-
    SQL: the snapshots that close a row. They did when their end landed, unless only reads that
    landed behind it show that; when they began is known from the landing of their first read.
-#}
{%- macro closings_of(fold) -%}
transform(
    filter(closings.list, s -> {{ debezium_spark.snapshot_closes(fold) | indent(4) }}),
    s -> named_struct(
        'landing', greatest(
            if({{ debezium_spark._closed_at_end(fold) | indent(12) }},
                s.completed, s.landing),
            s.began
        ),
        'started_at', s.`timestamp`
    )
)
{%- endmacro -%}


{#-
    SQL: the landing that brought a row back: reads of a snapshot that land behind its end show that
    it began earlier.
-#}
{%- macro reopened_by(fold) -%}
array_max(transform(
    filter(
        closings.list,
        s -> not ({{ debezium_spark.snapshot_closes(fold) | indent(8) }})
            and ({{ debezium_spark._closed_at_end(fold) | indent(8) }}
                or {{ debezium_spark._closed_by_first_reads(fold) | indent(8) }})
    ),
    s -> s.landing
))
{%- endmacro -%}


{#-
    SQL condition: the snapshot `s` closed a row when its end landed. Of partitions whose reads
    landed later, only times were known then.
-#}
{%- macro _closed_at_end(fold) -%}
if(
    s.topic = {{ fold }}.topic and array_contains(s.later_partitions, {{ fold }}.`partition`),
    coalesce({{ fold }}.`timestamp` < s.first_timestamp, false),
    {{ debezium_spark._closed_by_first_reads(fold) | indent(4) }}
)
{%- endmacro -%}


{%- macro _closed_by_first_reads(fold) -%}
    {{- return(debezium_spark.snapshot_closes(fold, 's.first_starts', 's.first_timestamp')) -}}
{%- endmacro -%}
