{#-
    CTEs `known_truncates`: those that a walk may meet, each at its first arrival, and `truncates`:
    one row with their list, in the order in which they cut. What went on from versions has met all
    truncates but those of the batch; a repeat of one of these does nothing.
-#}
{%- macro truncates_of_history(config, staging, plan, condition) -%}
known_truncates as (

    select first_truncates.*
    from (
        {{ debezium_spark.first_truncates_of_history(config, staging, condition) | indent(8) }}
    ) as first_truncates
    {%- if plan.reads_state %}
    left anti join {{ this }} as known
        on
            known._cdc_scd_id
            = {{ debezium_spark._truncate_id(
                'first_truncates.of_table', 'first_truncates.identity'
            ) }}
    {%- endif %}

),

truncates as (

    select array_sort(collect_list(first_delivery), (a, b) -> case
        when {{ debezium_spark._truncate_order('a') }} < {{ debezium_spark._truncate_order('b') }}
            then -1
        when {{ debezium_spark._truncate_order('a') }} > {{ debezium_spark._truncate_order('b') }}
            then 1
        else 0
    end) as list
    from known_truncates

)
{%- endmacro -%}


{%- macro _truncate_id(of_table, identity) -%}
    {{- return("concat('!truncate:', " ~ of_table ~ ", ':', " ~ identity ~ ')') -}}
{%- endmacro -%}


{#- Without a position a truncate comes last. -#}
{%- macro _truncate_order(name) -%}
    {{- return(
        'struct(' ~ name ~ '.epoch_pos is null, ' ~ name ~ '.epoch_pos, ' ~ name ~ '.`timestamp`, '
        ~ name ~ '.topic, ' ~ name ~ '.`partition`, ' ~ name ~ '.`offset`)'
    ) -}}
{%- endmacro -%}


{#- SELECT: each truncate as it first arrived, with its identity. -#}
{%- macro first_truncates_of_history(config, staging, condition='true') -%}
{%- set identity -%}
coalesce(epoch_identity, concat_ws(':', topic, incarnation, `partition`, `offset`))
{%- endset -%}
select
    {{ debezium_spark.table_of('topic') }} as of_table,
    {{ identity }} as identity,
    min(named_struct(
        'incarnation', incarnation,
        'timestamp', `timestamp`,
        'topic', topic,
        'partition', `partition`,
        'offset', `offset`,
        'epoch_pos', epoch_pos,
        'epoch_stream_pos', epoch_stream_pos,
        'source_at', source_at,
        'tx', tx,
        'tx_id', tx_id,
        'is_drop', is_drop,
        'batch_id', batch_id
    )) as first_delivery
from (
    {{ debezium_spark.fold_events(
        config,
        staging,
        [],
        "_cdc_op = 't' and " ~ condition,
        with_image=false,
        with_unavailable=false,
        with_transaction=true
    ) | indent(4) }}
) as truncate_events
group by {{ debezium_spark.table_of('topic') }}, {{ identity }}
{%- endmacro -%}
