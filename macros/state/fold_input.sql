{#-
    CTEs `events` and `truncates`: what the fold walks. A touched key's state row is the first event
    of its walk. A semi join finds keys, so that only touched rows of the state travel.
-#}
{%- macro fold_input(config, staging, columns, plan) -%}
{%- set is_event = debezium_spark.is_row_event() -%}
{%- set is_new = '_cdc_batch_id > ' ~ plan.watermark if plan.watermark is not none else 'true' -%}
staged_events as (

    {{ debezium_spark.fold_events(
        config,
        staging,
        columns,
        is_event ~ (' and ' ~ is_new if not plan.refold_keys else ''),
        with_unavailable=plan.lookup_columns,
        with_identity=plan.checks_repeats,
        with_landing=plan.feed,
        with_transaction=plan.heads
    ) | indent(4) }}

),

{%- if plan.refold_keys or plan.reads_state %}

{{ debezium_spark._touched_keys(staging, plan, is_event, is_new) }},
{%- endif %}

{%- if plan.repeat_candidates %}

earlier_identities as (

    select distinct
        row_key,
        identity,
        true as was_delivered
    from (
        {{ debezium_spark.fold_events(
            config,
            staging,
            [],
            is_event ~ ' and _cdc_batch_id <= ' ~ plan.watermark ~ ' and ('
            ~ debezium_spark.repeat_condition(plan.repeat_candidates) ~ ')',
            with_image=false,
            with_identity=true,
        ) | indent(8) }}
    ) as earlier_events

),
{%- endif %}

{%- if plan.closes %}

closings as (

    {{ debezium_spark.fold_closings(config, staging, plan.feed) | indent(4) }}

),
{%- endif %}

{%- if plan.truncates %}

staged_truncates as (

    {{ debezium_spark.fold_events(
        config,
        staging,
        [],
        "_cdc_op = 't' and " ~ is_new,
        with_image=false,
        with_landing=plan.feed,
    ) | indent(4) }}

),

truncates as (

    {{ debezium_spark.fold_truncates(plan) | indent(4) }}

),
{%- endif %}

events as (

    select
        staged_events.*,
        cast(null as {{ debezium_spark.fold_type() }}) as state_fold,
        {{
            'earlier_identities.was_delivered' if plan.repeat_candidates
            else 'cast(null as boolean) as was_delivered'
        }}
        {%- if plan.heads %},
        cast(null as {{ debezium_spark.version_head_type() }}) as head
        {%- endif %}
    from staged_events
    {%- if plan.repeat_candidates %}
    left join earlier_identities
        on
            staged_events.row_key = earlier_identities.row_key
            and staged_events.identity = earlier_identities.identity
    {%- endif %}
    {%- if plan.refold_keys %}
    left semi join touched_keys on staged_events.row_key = touched_keys.row_key
    {%- endif %}

    {%- if plan.reads_state %}

    union all

    {{ debezium_spark.state_as_event(columns, plan) | indent(4) }}
    {%- endif %}

)
{%- endmacro -%}


{#-
    CTE `touched_keys`: keys of the new events, and those that a truncate, a snapshot or a key
    change reaches.
-#}
{%- macro _touched_keys(staging, plan, is_event, is_new) -%}
touched_keys as (

    select _cdc_key as row_key
    from {{ staging }}
    where {{ is_event }} and {{ is_new }}

    {%- if plan.new_truncates %}

    union

    {# live rows, and, if a truncate's first delivery lands late, rows that its repeat removed #}
    select _cdc_key as row_key
    from {{ this }}
    where _cdc_op in ('c', 'u', 'r')
    {%- endif %}

    {%- if plan.closes and plan.new_reads %}

    union

    {# rows that a snapshot closes, and those that its late start opens again #}
    select _cdc_key as row_key
    from {{ this }}
    where _cdc_op not in ('d', 'tombstone')
    {%- endif %}

    {%- if plan.follows_origins %}

    union

    {# values may lie under another key, and other keys may have taken theirs from this one #}
    {{ debezium_spark.origin_keys(staging) | indent(4) }}
    {%- endif %}

    {%- if plan.heads and plan.refold_keys %}

    union

    {# the other half of a key change names this key #}
    {{ debezium_spark.partner_keys(staging, plan.watermark) | indent(4) }}
    {%- endif %}

)
{%- endmacro -%}


{#-
    SQL: which earlier events the new ones can repeat, by columns whose file statistics exclude most
    of the log. `identities`: lowest and highest; `reads`: earliest and latest time at the source in
    microseconds.
-#}
{%- macro repeat_condition(repeat_candidates) -%}
    {%- set terms = [] -%}
    {%- if repeat_candidates.identities -%}
        {%- set range_condition = (
            'between ' ~ debezium_spark.text_literal(repeat_candidates.identities[0]) ~ ' and '
            ~ debezium_spark.text_literal(repeat_candidates.identities[1])
        ) -%}
        {#- `log_identity`, as files have statistics of it -#}
        {%- do terms.append(
            "_cdc_op != 'r' and (_cdc_identity " ~ range_condition
            ~ ' or _cdc_identity is null and _cdc_pos ' ~ range_condition ~ ')'
        ) -%}
    {%- endif -%}
    {%- if repeat_candidates.has_reads -%}
        {%- set range_condition = (
            (
                ' or _cdc_source_at between timestamp_micros(' ~ repeat_candidates.reads[0]
                ~ ') and timestamp_micros(' ~ repeat_candidates.reads[1] ~ ')'
            )
            if repeat_candidates.reads
            else ''
        ) -%}
        {%- do terms.append("_cdc_op = 'r' and (_cdc_source_at is null" ~ range_condition ~ ')') -%}
    {%- endif -%}
    {{- return(terms | join(' or ')) -}}
{%- endmacro -%}
