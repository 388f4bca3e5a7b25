{#-
    SELECT: one row with all truncates of the table at their first arrival. They have no key and are
    few, so every key looks at all.
-#}
{%- macro fold_truncates(plan) -%}
select
    collect_list(first_delivery) as list
    {%- if plan.feed %},
    collect_list(case
        when size(deliveries) > 1
            then named_struct('first', first_delivery, 'deliveries', deliveries)
    end) as repeated
    {%- endif %}
from (
    {{ debezium_spark.first_truncates(
        debezium_spark._known_truncates(plan), plan.feed
    ) | indent(4) }}
) as first_truncates
{%- endmacro -%}


{%- macro _known_truncates(plan) -%}
(
    select
        topic,
        incarnation,
        `partition`,
        `offset`,
        `timestamp`,
        epoch_pos,
        epoch_stream_pos,
        epoch_identity
        {%- if plan.feed %},
        {{ debezium_spark.landing_struct() }} as landing,
        source_at
        {%- endif %}
    from staged_truncates
    {%- if plan.watermark is not none %}
    union all
    select
        _cdc_fold_topic as topic,
        _cdc_fold_incarnation as incarnation,
        _cdc_fold_partition as `partition`,
        _cdc_fold_offset as `offset`,
        _cdc_fold_timestamp as `timestamp`,
        _cdc_fold_epoch_pos as epoch_pos,
        _cdc_fold_epoch_stream_pos as epoch_stream_pos,
        _cdc_fold_highest as epoch_identity
        {%- if plan.feed %},
        {{ debezium_spark.landing_struct('_cdc_batch_id', '_cdc_landed_at') }} as landing,
        _cdc_deleted_at as source_at
        {%- endif %}
    from {{ this }}
    where _cdc_key like '!truncate:%'
    {%- endif %}
) as known_truncates
{%- endmacro -%}


{#-
    SQL: a truncate removed the winner's row (docs/semantics.md, truncates). `fold`: the winner's
    struct; the truncates are `truncates.list`.
-#}
{%- macro is_truncated(fold) -%}
exists(truncates.list, t -> {{ debezium_spark.truncate_removes(fold) }})
{%- endmacro -%}


{#- SQL condition: the truncate `t` removes the row of a winner, given by its struct. -#}
{%- macro truncate_removes(fold) -%}
    {%- set truncate_delivery = 'struct(t.incarnation, t.`offset`)' -%}
{{ debezium_spark.table_of('t.topic') }} = {{ debezium_spark.table_of(fold ~ '.topic') }}
    and case
        when {{ fold }}.full_read_topic = t.topic and {{ fold }}.full_read_partition = t.`partition`
            then struct({{ fold }}.full_read_incarnation, {{ fold }}.full_read_offset)
                > {{ truncate_delivery }}
        else coalesce({{ fold }}.full_read_timestamp > t.`timestamp`, false)
    end is not true
    and case
        {{ debezium_spark.lies_before_truncate(fold, fold ~ ".kind = 'stream'") | indent(8) }}
    end
{%- endmacro -%}
