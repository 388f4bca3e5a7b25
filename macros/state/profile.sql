{#-
    How a batch is folded. In order, if every event continues its key: one small query over narrow
    columns of the batch shows it, and a second one joins the state where keys may lie in several
    partitions, or the batch does not lie behind everything that was folded. Else the keys of the
    batch are walked again, from the staged log.

    Returns a plan:

    * `staging`: the events up to the highest batch;
    * `nothing_new`: nothing is staged above the watermark;
    * `watermark`: the highest batch in the state, none to fold everything; `highest_batch`: the
      next;
    * `is_in_order`;
    * `lookup_columns`: columns that events lack, of the batch (in order) or of the log (a walk);
    * `follows_origins`: creates lack values; `chains`: the table of `write_chains`;
    * `truncates`: there are some; `new_truncates`: in this batch; `closes`: snapshots close rows,
      by configuration; `marks_rows`: this batch has a truncate or such a snapshot;
    * `keeps_values`: a row that is gone shows its last values;
    * `few_keys`: so few that they are broadcast; `key_hashes`: of all keys to walk through and to
      write, none if not listed; `more_keys`: see `touched_keys`;
    * `checkpoint`: text that the state keeps for the next run.
-#}
{%- macro profile(config, table, staging, columns) -%}
    {%- set debezium = adapter.debezium() -%}
    {%- set plan = debezium_spark.whole_plan(config, table, columns) -%}
    {%- set checkpoint = debezium_spark.read_checkpoint() or {} -%}
    {%- set fingerprint = debezium_spark.fold_fingerprint(
        config,
        columns + (['close_unseen'] if plan.closes else [])
            + (['keeps_values'] if plan.keeps_values else []),
        staging
    ) -%}
    {%- set goes_on = checkpoint.get('configuration') == fingerprint -%}
    {%- set previous = checkpoint if goes_on else {} -%}
    {%- set watermark = previous.get('batch_id') -%}
    {%- set is_few = debezium_spark.reads_few_rows(
        staging, '_cdc_batch_id > ' ~ (watermark if watermark is not none else -1)
    ) -%}
    {%- do debezium.run.work_on_few_rows(is_few) -%}
    {%- set batch = debezium_spark.profile_batch(
        config, staging, watermark, previous.get('ahead_of'), lists_keys=is_few and goes_on
    ) -%}
    {%- set staging = debezium_spark.as_found(staging, batch.highest) -%}
    {%- do plan.update({'staging': staging}) -%}
    {%- if batch.highest is none -%}
        {#- a first run still makes the table -#}
        {%- do plan.update({
            'nothing_new': goes_on or (not checkpoint and debezium_spark.loads_incrementally()),
            'watermark': watermark,
            'highest_batch': watermark,
            'is_in_order': true,
            'lookup_columns': [],
        }) -%}
        {{- return(plan) -}}
    {%- endif -%}
    {%- set has_origins = batch.partial_creates > 0 or previous.get('origins', false) -%}
    {%- set unavailable = (batch.unavailable + previous.get('unavailable', [])) | unique | sort -%}
    {%- set partition = (
        batch.partition if batch.partition is not none else previous.get('partition')
    ) -%}
    {%- set several_partitions = (
        batch.several_partitions
        or previous.get('several_partitions', false)
        or previous.get('partition', partition) != partition
    ) -%}
    {%- do plan.update({
        'watermark': watermark,
        'highest_batch': batch.highest,
        'truncates': batch.truncates > 0 or previous.get('truncates', false),
        'new_truncates': batch.truncates > 0,
        'follows_origins': has_origins,
        'few_keys': batch['keys'] <= 500000,
    }) -%}
    {%- do plan.update({
        'marks_rows': goes_on and (batch.truncates > 0 or (plan.closes and batch.full_reads > 0)),
    }) -%}
    {%- if not has_origins -%}
        {%- do plan.update({'key_hashes': batch.key_hashes}) -%}
    {%- elif is_few and goes_on -%}
        {%- do plan.update({'key_hashes': debezium_spark.touched_key_hashes(staging, plan)}) -%}
    {%- endif -%}
    {%- set is_in_order = (
        batch.in_order
        and batch.without_position == 0
        and batch.partial_creates == 0
        and not (plan.keeps_values and batch.deletes > 0)
    ) -%}
    {%- if is_in_order and goes_on
        and not (batch.is_ahead and not several_partitions and not has_origins) -%}
        {%- set is_in_order = debezium_spark.goes_on_from_state(
            config, staging, watermark, has_origins
        ) -%}
    {%- endif -%}
    {%- if is_in_order and (plan.truncates or plan.closes) -%}
        {%- set is_in_order = not debezium_spark.is_reached(config, staging, plan) -%}
    {%- endif -%}
    {%- do plan.update({
        'is_in_order': is_in_order,
        'lookup_columns': batch.unavailable if is_in_order else unavailable,
        'checkpoint': tojson({
            'configuration': fingerprint,
            'origins': has_origins,
            'unavailable': unavailable,
            'truncates': plan.truncates,
            'several_partitions': several_partitions,
            'partition': partition,
            'ahead_of': batch.ahead_of,
        }),
    }) -%}
    {%- if is_few and goes_on -%}
        {%- do debezium.run.work_on_few_rows(
            debezium_spark.reads_few_rows(this if is_in_order else staging, times=5)
        ) -%}
    {%- endif -%}
    {{- return(plan) -}}
{%- endmacro -%}


{#- The plan that is right for all events of any log: what compile, lint and unit tests see. -#}
{%- macro whole_plan(config, table, columns) -%}
    {%- set has_before = adapter.debezium().staging.has_complete_before(
        config, table, always=true
    ) -%}
    {{- return({
        'nothing_new': false,
        'watermark': none,
        'highest_batch': none,
        'is_in_order': false,
        'lookup_columns': columns,
        'follows_origins': true,
        'chains': none,
        'truncates': true,
        'new_truncates': true,
        'closes': ((config.get('tables') or {}).get(table) or {}).get('close_unseen', false),
        'marks_rows': false,
        'keeps_values': debezium_spark.has_feed(config, table) and not has_before,
        'few_keys': false,
        'key_hashes': none,
        'more_keys': none,
        'checkpoint': none,
    }) -}}
{%- endmacro -%}


{#- The state's checkpoint of the last run, none without a state. -#}
{%- macro read_checkpoint() -%}
    {%- if not debezium_spark.loads_incrementally() -%}{{- return(none) -}}{%- endif -%}
    {%- set rows = run_query(
        "select _cdc_batch_id, _cdc_marks from " ~ this ~ " where _cdc_key = '!watermark'"
    ).rows -%}
    {%- if not rows -%}{{- return(none) -}}{%- endif -%}
    {%- set checkpoint = fromjson(rows[0][1]) -%}
    {%- do checkpoint.update({'batch_id': rows[0][0] | int}) -%}
    {{- return(checkpoint) -}}
{%- endmacro -%}


{#-
    Hash of what the state depends on besides staged rows. When it changes, all is folded again. The
    names of its members are hashed and stay.
-#}
{%- macro fold_fingerprint(config, columns, staging) -%}
    {{- return(local_md5(tojson({
        'fold': 8,
        'epochs': config.get('epochs'),
        'incarnations': config.get('incarnations'),
        'columns': columns,
        'staged': debezium_spark._property(
            staging, debezium_spark._fingerprint_property()
        ) if debezium_spark.is_running() else none,
    }))) -}}
{%- endmacro -%}
