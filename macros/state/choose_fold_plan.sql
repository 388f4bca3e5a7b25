{#-
    The cheapest plan that is right for this batch. The usual batch lies behind everything that was
    folded and is in order, as one small query shows. Otherwise a second one joins it with narrow
    columns of the state; what is rare (late files, moved keys, key changes that lack values,
    changes without a position) is folded again from the staged log.
-#}
{%- macro choose_fold_plan(
    config, staging, columns, closes=false, feed=false, has_before=true, history=none
) -%}
    {%- set plan = debezium_spark.fold_plan([]) -%}
    {%- do plan.update({'feed': feed, 'has_before': has_before, 'heads': history is not none}) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() -%}
    {%- set configuration = debezium_spark.fold_fingerprint(
        config,
        columns + (['close_unseen'] if closes else []) + (['!feed', has_before] if feed else [])
            + (history or []),
        staging
    ) -%}
    {%- if checkpoint and checkpoint.configuration == configuration -%}
        {%- do plan.update({'watermark': checkpoint.batch_id, 'reads_state': true}) -%}
    {%- endif -%}
    {%- set previous = checkpoint if plan.watermark is not none else {} -%}
    {%- set is_few = debezium_spark.reads_few_rows(
        staging, '_cdc_batch_id > ' ~ (plan.watermark if plan.watermark is not none else -1)
    ) -%}
    {%- do adapter.debezium_work_on_few_rows(is_few) -%}
    {%- set batch = debezium_spark.profile_batch(
        config,
        staging,
        plan.watermark,
        previous.get('ahead_of'),
        lists_keys=is_few and plan.watermark is not none
    ) -%}
    {%- if batch.highest is none -%}
        {#- nothing staged above the watermark; a first run still makes the table -#}
        {%- set has_state = (
            plan.watermark is not none or (not checkpoint and debezium_spark.loads_incrementally())
        ) -%}
        {%- do plan.update({'nothing_new': has_state, 'highest_batch': plan.watermark}) -%}
        {%- do plan.update({'in_order': true, 'follows_origins': false}) -%}
        {{- return(plan) -}}
    {%- endif -%}
    {%- if is_few and plan.watermark is not none -%}
        {%- set is_few = debezium_spark.reads_few_rows(this, times=5) -%}
        {%- do adapter.debezium_work_on_few_rows(is_few) -%}
    {%- endif -%}
    {%- set has_origins = batch.partial_creates > 0 or previous.get('origins', false) -%}
    {%- do plan.update(
        {
            'highest_batch': batch.highest,
            'lookup_columns': batch.unavailable,
            'several_partitions': batch.several_partitions
                or previous.get('several_partitions', false),
            'new_truncates': batch.truncates > 0,
            'truncates': batch.truncates > 0 or previous.get('truncates', false),
            'follows_origins': batch.partial_creates > 0,
            'has_contents': batch.without_position > 0 or previous.get('contents', false),
            'closes': closes,
            'new_reads': batch.full_reads > 0,
            'tombstones': batch.tombstones > 0,
            'few_keys': batch['keys'] <= 500000,
            'is_ahead': batch.is_ahead,
            'has_origins': has_origins,
            'checks_repeats': not batch.in_order,
        }
    ) -%}
    {#- a truncate, a snapshot and a key change write rows of other keys, too -#}
    {%- if not (batch.truncates or closes or has_origins) -%}
        {%- do plan.update({'key_hashes': batch.key_hashes}) -%}
    {%- endif -%}
    {#- a feed keeps values that a delete may not say -#}
    {%- set is_plain = (
        batch.in_order
        and batch.without_position == 0
        and not batch.unavailable
        and not plan.truncates
        and not closes
        and (not feed or has_before)
    ) -%}
    {%- set several_partitions = (
        plan.several_partitions
        or (
            plan.watermark is not none
            and batch.partition is not none
            and previous.get('partition') != batch.partition
        )
    ) -%}
    {%- do plan.update({'several_partitions': several_partitions}) -%}
    {%- if not plan.reads_state -%}
        {%- do plan.update({'in_order': is_plain}) -%}
    {%- elif batch.is_ahead
        and not several_partitions
        and not has_origins
        and batch.without_position == 0 -%}
        {%- do plan.update({
            'in_order': is_plain,
            'state_image': plan.lookup_columns | length > 0 or plan.new_truncates or feed,
        }) -%}
    {%- else -%}
        {%- do debezium_spark._plan_by_touched_keys(
            plan, batch, config, staging, has_origins, is_plain
        ) -%}
    {%- endif -%}
    {%- if is_few and (plan.refold_keys or plan.repeat_candidates) -%}
        {%- do adapter.debezium_work_on_few_rows(
            debezium_spark.reads_few_rows(staging, times=5)
        ) -%}
    {%- endif -%}
    {%- set partition = (
        batch.partition if batch.partition is not none else previous.get('partition')
    ) -%}
    {%- set next_checkpoint = tojson({
        'configuration': configuration,
        'origins': has_origins,
        'truncates': plan.truncates,
        'contents': plan.has_contents,
        'several_partitions': plan.several_partitions,
        'partition': partition,
        'ahead_of': batch.ahead_of,
    }) -%}
    {%- do plan.update({'checkpoint': next_checkpoint}) -%}
    {{- return(plan) -}}
{%- endmacro -%}


{#-
    Late keys and key changes are folded again from the log, other keys go on from their state rows.
-#}
{%- macro _plan_by_touched_keys(plan, batch, config, staging, has_origins, is_plain) -%}
    {%- set keys = debezium_spark.profile_touched_keys(
        config, staging, plan.watermark, has_origins, plan.heads
    ) -%}
    {%- if keys.late > 0
        or plan.follows_origins
        or keys.with_origins > 0
        or batch.without_position > 0
        or keys.with_deleting_tombstone > 0 -%}
        {%- do plan.update({'refold_keys': true, 'reads_state': false, 'checks_repeats': true}) -%}
        {%- do plan.update({'follows_origins': has_origins}) -%}
        {%- do plan.update({'lookup_columns': debezium_spark.columns_ever_unavailable(staging)}) -%}
    {%- else -%}
        {%- do plan.update({
            'in_order': is_plain and keys.below == 0,
            'checks_repeats': plan.checks_repeats or keys.repeat_candidates is not none,
            'repeat_candidates': keys.repeat_candidates,
            'state_image': (
                keys.without_winner > 0
                or plan.lookup_columns | length > 0
                or plan.new_truncates
                or (plan.closes and plan.new_reads)
                or plan.feed
            ),
        }) -%}
    {%- endif -%}
{%- endmacro -%}
