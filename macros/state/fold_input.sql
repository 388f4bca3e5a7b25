{#-
    CTEs `events` and `truncates`: what the fold walks.

    Events are those of new batches, or all events of the touched keys, or all. The state row of a touched key, where it is used, is the
    first event of its walk and carries what the walk knew at its end. Keys are found by a semi join with the batch, so the state
    is read once and only the touched rows travel.
-#}
{%- macro fold_input(config, staging, columns, plan) -%}
{%- set is_event = debezium_spark.is_row_event() -%}
{%- set is_new = '_cdc_batch_id > ' ~ plan.watermark if plan.watermark is not none else 'true' -%}
staged as (

    {{ debezium_spark.fold_events(config, staging, columns, is_event ~ (' and ' ~ is_new if not plan.refold_keys else ''), with_unavailable=plan.carried, with_identity=plan.identities) | indent(4) }}

),

{%- if plan.refold_keys or plan.reads_state %}

touched_keys as (

    select _cdc_key as row_key
    from {{ staging }}
    where {{ is_event }} and {{ is_new }}

    {%- if plan.new_truncates %}

    union

    {# a truncate touches every row that is alive, and its first delivery, when it lands late, those that a repeat removed #}
    select _cdc_key as row_key
    from {{ this }}
    where _cdc_op in ('c', 'u', 'r')
    {%- endif %}

    {%- if plan.closes and plan.new_reads %}

    union

    {# a snapshot touches every row that no event deletes: those that it closes, and those that a late start of it opens again #}
    select _cdc_key as row_key
    from {{ this }}
    where _cdc_op not in ('d', 'tombstone')
    {%- endif %}

    {%- if plan.follows_origins %}

    union

    {# values may lie under another key, and rows under another key may have taken theirs from this one #}
    {{ debezium_spark.origin_keys(staging) | indent(4) }}
    {%- endif %}

),
{%- endif %}

{%- if plan.explain_between %}

logged as (

    select distinct
        row_key,
        epoch_pos,
        op,
        true as is_logged
    from (
        {{ debezium_spark.fold_events(
            config, staging, [],
            is_event ~ ' and _cdc_batch_id <= ' ~ plan.watermark ~ ' and _cdc_pos between '
            ~ debezium_spark.text_literal(plan.explain_between[0]) ~ ' and ' ~ debezium_spark.text_literal(plan.explain_between[1]),
            with_image=false,
        ) | indent(8) }}
    ) as earlier_events

),
{%- endif %}

{%- if plan.closes %}

closings as (

    {{ debezium_spark.fold_closings(config, staging) | indent(4) }}

),
{%- endif %}

{%- if plan.truncates %}

staged_truncates as (

    {{ debezium_spark.fold_events(
        config, staging, [], "_cdc_op = 't' and " ~ is_new, with_image=false,
    ) | indent(4) }}

),

truncates as (

    {{ debezium_spark.fold_truncates(plan) | indent(4) }}

),
{%- endif %}

events as (

    select
        staged.*,
        cast(null as {{ debezium_spark.fold_type() }}) as remembered,
        {{ 'logged.is_logged' if plan.explain_between else 'cast(null as boolean) as is_logged' }}
    from staged
    {%- if plan.explain_between %}
    left join logged
        on
            staged.row_key = logged.row_key
            and staged.epoch_pos = logged.epoch_pos
            and staged.op = logged.op
    {%- endif %}
    {%- if plan.refold_keys %}
    left semi join touched_keys on staged.row_key = touched_keys.row_key
    {%- endif %}

    {%- if plan.reads_state %}

    union all

    {{ debezium_spark.state_as_event(columns, plan) | indent(4) }}
    {%- endif %}

)
{%- endmacro -%}
