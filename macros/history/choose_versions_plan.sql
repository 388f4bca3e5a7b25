{#-
    How a history is brought up to date (`fold_plan`, with members of its own):

    * the usual batch goes on from the last version of each key that it touches (`reads_state`);
    * keys with late events, changes of a transaction or halves of a key change of which a part
      landed before, and what the state folds again, are folded again from the log (`refold_keys`);
    * a truncate or a snapshot that lies among what was folded builds all again.

    `cuts_truncates`, `cuts_snapshots`: truncates or snapshots may end rows; `newest`: the highest
    time at the source in microseconds; `keep`: of the option, in microseconds.
-#}
{%- macro choose_versions_plan(config, staging, columns, closes, options) -%}
    {%- set plan = debezium_spark.choose_fold_plan(
        config,
        staging,
        columns,
        closes,
        history=debezium_spark.stored_history_options(options)
    ) -%}
    {%- do plan.update({'closes': closes, 'in_order': false}) -%}
    {%- if plan.nothing_new -%}{{- return(plan) -}}{%- endif -%}
    {%- set batch = debezium_spark.profile_versions(config, staging, plan) -%}
    {%- if plan.watermark is none -%}
        {%- set all = debezium_spark.whole_versions_plan(plan.lookup_columns, closes) -%}
        {%- for name in ['truncates', 'several_partitions', 'follows_origins', 'checks_repeats'] -%}
            {%- do all.update({name: plan[name]}) -%}
        {%- endfor -%}
        {%- do all.update({
            'cuts_truncates': plan.truncates,
            'new_truncates': plan.truncates,
            'checks_repeats': plan.checks_repeats or closes,
            'has_contents': plan.has_contents,
        }) -%}
    {%- elif debezium_spark.reaches_back(config, staging, plan, closes) -%}
        {%- set all = debezium_spark.whole_versions_plan(
            debezium_spark.columns_ever_unavailable(staging), closes
        ) -%}
        {%- do all.update({'follows_origins': plan.has_origins}) -%}
    {%- elif plan.refold_keys
        or batch.resumed > 0
        or (not plan.is_ahead and debezium_spark.count_split_key_changes(
            staging, plan.watermark
        ) > 0) -%}
        {%- set all = none -%}
        {%- do plan.update({
            'refold_keys': true,
            'reads_state': false,
            'checks_repeats': true,
            'repeat_candidates': none,
            'several_partitions': true,
            'follows_origins': plan.has_origins,
            'lookup_columns': debezium_spark.columns_ever_unavailable(staging),
            'cuts_truncates': plan.truncates,
            'cuts_snapshots': closes,
            'key_hashes': none,
        }) -%}
    {%- else -%}
        {%- set all = none -%}
        {%- do plan.update({
            'cuts_truncates': plan.new_truncates,
            'cuts_snapshots': false,
            'state_image': (
                batch.reads > 0
                or plan.lookup_columns | length > 0
                or debezium_spark.tracked_columns(options, columns) is not none
            ),
        }) -%}
    {%- endif -%}
    {%- set checkpoint = dict(fromjson(plan.checkpoint or '{}'), newest=batch.newest) -%}
    {%- set chosen = plan if all is none else all -%}
    {%- do chosen.update({
        'highest_batch': plan.highest_batch,
        'checkpoint': tojson(checkpoint),
        'newest': batch.newest,
        'keep': options.get('keep'),
    }) -%}
    {%- if all is not none -%}
        {%- do adapter.debezium_work_on_few_rows(
            debezium_spark.reads_few_rows(staging, times=5)
        ) -%}
    {%- endif -%}
    {{- return(chosen) -}}
{%- endmacro -%}


{#- The plan that computes all versions from the log. -#}
{%- macro whole_versions_plan(lookup_columns, closes) -%}
    {%- set plan = debezium_spark.fold_plan(lookup_columns) -%}
    {%- do plan.update({
        'heads': true,
        'closes': closes,
        'cuts_truncates': true,
        'cuts_snapshots': closes,
        'newest': none,
        'keep': none,
    }) -%}
    {{- return(plan) -}}
{%- endmacro -%}
