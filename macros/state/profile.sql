{#-
    How a batch is folded. In order, if every event continues its key: one small query over narrow
    columns of the batch shows it, and a second one joins the state where keys may lie in several
    partitions, or the batch does not lie behind everything that was folded. Else the keys of the
    batch are walked again, from the staged log.

    Returns a plan:

    * `nothing_new`: nothing is staged above the watermark;
    * `watermark`: the highest batch in the state, none to fold everything; `highest_batch`: the next;
    * `is_in_order`;
    * `lookup_columns`: columns that events lack, of the batch (in order) or of the log (a walk);
    * `follows_origins`: creates lack values; `chains`: the table of `write_chains`;
    * `truncates`: there are some; `new_truncates`: in this batch; `closes`: snapshots close rows,
      by configuration; `marks_rows`: this batch has a truncate or such a snapshot;
    * `keeps_values`: a row that is gone shows its last values;
    * `few_keys`: so few that they are broadcast; `key_hashes`: of all keys to write, none if not
      listed;
    * `checkpoint`: text that the state keeps for the next run.
-#}
{%- macro profile(config, table, staging, columns) -%}
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
    {%- do adapter.debezium_work_on_few_rows(is_few) -%}
    {%- set batch = debezium_spark.profile_batch(
        config, staging, watermark, previous.get('ahead_of'), lists_keys=is_few and goes_on
    ) -%}
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
    {#- a key change writes rows of other keys, too -#}
    {%- if not has_origins -%}{%- do plan.update({'key_hashes': batch.key_hashes}) -%}{%- endif -%}
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
        {%- do adapter.debezium_work_on_few_rows(
            debezium_spark.reads_few_rows(this if is_in_order else staging, times=5)
        ) -%}
    {%- endif -%}
    {{- return(plan) -}}
{%- endmacro -%}


{#- The plan that is right for all events of any log: what compile, lint and unit tests see. -#}
{%- macro whole_plan(config, table, columns) -%}
    {%- set has_before = debezium_spark.has_complete_before(config, table, always=true) -%}
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


{#-
    What the batch is like: `highest` batch id, none without records; counts; `unavailable` columns;
    `in_order`: no event of a key repeats or contradicts another of the batch; `is_ahead`: all lie
    behind what was folded, in arrival, position and identity, and each key has a change: in one
    partition, no key is late then; `ahead_of`: behind which later batches have to lie.
-#}
{%- macro profile_batch(config, staging, watermark, ahead_of=none, lists_keys=false) -%}
    {%- set query -%}
        with

        {{ debezium_spark.batch_neighbours(config, staging, watermark) | indent(8) }}

        select
            max(batch_id) as highest,
            count_if(op = 't') as truncates,
            to_json(array_sort(array_distinct(flatten(collect_set(unavailable))))) as unavailable,
            count_if(op = 'c' and unavailable is not null) as partial_creates,
            min(case when row_key is not null then topic_partition end) as lowest_partition,
            max(case when row_key is not null then topic_partition end) as highest_partition,
            count_if(op in ('c', 'u', 'd') and epoch_pos is null) as without_position,
            count_if(row_key is not null and kind = 'full') as full_reads,
            count_if(op in ('d', 'tombstone')) as deletes,
            count_if(row_key is not null and op_before is null) as keys,
            bool_and(
                row_key is null or {{ debezium_spark._continues() | indent(16) }}
            ) as in_order,
            {% if ahead_of -%}
            coalesce(
                bool_and(
                    row_key is null
                    or struct(incarnation, `offset`)
                        > {{ debezium_spark._arrival_literal(ahead_of) }}
                    and case kind
                        when 'stream'
                            then epoch_pos > {{ debezium_spark._text_or_lowest(ahead_of, 'pos') }}
                            and epoch_identity
                            > {{ debezium_spark._text_or_lowest(ahead_of, 'identity') }}
                        when 'tombstone' then true
                        else false
                    end
                )
                and count_if(row_key is not null and op_before is null)
                = count_if(row_key is not null and kind = 'stream' and pos_before is null),
                true
            ) as is_ahead,
            {%- else -%}
            false as is_ahead,
            {%- endif %}
            to_json(named_struct(
                'arrival', greatest(
                    max(case when row_key is not null then struct(incarnation, `offset`) end),
                    {{ debezium_spark._arrival_literal(ahead_of) }}
                ),
                'pos', greatest(
                    max(case when row_key is not null and kind = 'stream' then epoch_pos end),
                    {{ debezium_spark._text_or_lowest(ahead_of, 'pos') }}
                ),
                'identity', greatest(
                    max(case when row_key is not null and kind = 'stream' then epoch_identity end),
                    {{ debezium_spark._text_or_lowest(ahead_of, 'identity') }}
                )
            )) as ahead_of,
            {% if lists_keys -%}
            to_json(array_sort(collect_set({{ debezium_spark.key_hash('row_key') }}))) as key_hashes
            {%- else -%}
            cast(null as string) as key_hashes
            {%- endif %}
        from neighbours
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{- return({
        'highest': row[0] | int if row[0] is not none else none,
        'truncates': (row[1] or 0) | int,
        'unavailable': fromjson(row[2]) if row[2] else [],
        'partial_creates': (row[3] or 0) | int,
        'several_partitions': row[4] != row[5],
        'partition': row[4],
        'without_position': (row[6] or 0) | int,
        'full_reads': (row[7] or 0) | int,
        'deletes': (row[8] or 0) | int,
        'keys': (row[9] or 0) | int,
        'in_order': row[10] | string | lower == 'true',
        'is_ahead': row[11] | string | lower == 'true',
        'ahead_of': fromjson(row[12]),
        'key_hashes': fromjson(row[13]) if row[13] is not none else none,
    }) -}}
{%- endmacro -%}


{#- CTE `neighbours`: the records of the batch, each with what its key had before it. -#}
{%- macro batch_neighbours(config, staging, watermark) -%}
{%- set arrivals = 'partition by key_hash, row_key order by incarnation, `offset`' -%}
{%- set before = arrivals ~ ' rows between unbounded preceding and 1 preceding' -%}
neighbours as (

    select
        *,
        lag(op) over ({{ arrivals }}) as op_before,
        lag(topic_partition) over ({{ arrivals }}) as partition_before,
        lag(incarnation) over ({{ arrivals }}) as incarnation_before,
        max(case when kind = 'stream' then epoch_pos end) over ({{ before }}) as pos_before,
        max(case when kind = 'stream' then epoch_identity end)
            over ({{ before }}) as identity_before
    from (
        select
            case when {{ debezium_spark.is_row_event() }} then _cdc_key end as row_key,
            xxhash64(case when {{ debezium_spark.is_row_event() }} then _cdc_key end) as key_hash,
            _cdc_op as op,
            _cdc_batch_id as batch_id,
            _cdc_unavailable as unavailable,
            {{ debezium_spark.event_kind() | indent(12) }} as kind,
            {{ debezium_spark.partition_text() }} as topic_partition,
            {{ debezium_spark.event_incarnation(config) }} as incarnation,
            _cdc_offset as `offset`,
            {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
            {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }}
                as epoch_identity
        from {{ staging }}
        {%- if watermark is not none %}
        where _cdc_batch_id > {{ watermark }}
        {%- endif %}
    ) as records

)
{%- endmacro -%}


{#- SQL: an event continues the one of its key before it, by a row of `neighbours`. -#}
{%- macro _continues() -%}
case
    when op_before is null then kind != 'tombstone'
    when topic_partition != partition_before or incarnation != incarnation_before then false
    when kind = 'tombstone' then op_before in ('d', 'tombstone')
    when kind = 'stream'
        then coalesce(epoch_pos >= pos_before, pos_before is null)
            and coalesce(epoch_identity > identity_before, identity_before is null)
    {# a read behind another event #}
    else false
end
{%- endmacro -%}


{%- macro _arrival_literal(ahead_of) -%}
    {%- set arrival = (ahead_of or {}).get('arrival') -%}
    {%- if not arrival -%}
        {{- return('cast(null as struct<incarnation:int,`offset`:bigint>)') -}}
    {%- endif -%}
    {{- return(
        'struct(cast(' ~ arrival.incarnation | int ~ ' as int) as incarnation, cast('
        ~ arrival.offset | int ~ ' as bigint) as `offset`)'
    ) -}}
{%- endmacro -%}


{#- Below every text if nothing was folded yet. -#}
{%- macro _text_or_lowest(ahead_of, member) -%}
    {{- return(debezium_spark.text_literal((ahead_of or {}).get(member) or '')) -}}
{%- endmacro -%}


{#-
    Whether every key of the batch goes on from its state row: one join with narrow columns of the
    touched rows. None is late, read again, or below what was folded, and no value of it may come
    from another key or go to one.
-#}
{%- macro goes_on_from_state(config, staging, watermark, has_origins) -%}
    {%- set query -%}
        select count(*)
        from (
            {{ debezium_spark.keys_not_in_order(config, staging, watermark) | indent(12) }}
        ) as not_in_order
        {%- if has_origins %}
        union all
        select count(*)
        from {{ staging }}
        left semi join (
            {{ debezium_spark.origin_keys(staging) | indent(12) }}
        ) as origins on {{ staging }}._cdc_key = origins.row_key
        where {{ debezium_spark.is_row_event() }} and _cdc_batch_id > {{ watermark }}
        {%- endif %}
    {%- endset -%}
    {%- for row in run_query(query).rows if row[0] | int > 0 -%}
        {{- return(false) -}}
    {%- endfor -%}
    {{- return(true) -}}
{%- endmacro -%}


{#- SELECT: `row_key` of the keys of the batch that do not go on from their state rows. -#}
{%- macro keys_not_in_order(config, staging, watermark) -%}
select keys.row_key
from (
    select
        row_key,
        {{ debezium_spark.first_arrivals() | indent(8) }},
        count_if(op = 'r') as reads,
        min(case when kind = 'stream' then epoch_pos end) as lowest_pos,
        min(case when kind = 'stream' then epoch_identity end) as lowest_identity
    from (
        select
            _cdc_key as row_key,
            _cdc_op as op,
            {{ debezium_spark.event_kind() | indent(12) }} as kind,
            _cdc_topic as topic,
            {{ debezium_spark.event_incarnation(config) }} as incarnation,
            _cdc_partition as `partition`,
            _cdc_offset as `offset`,
            _cdc_timestamp as `timestamp`,
            {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
            {{ debezium_spark.within_epoch(config, debezium_spark.log_identity()) }}
                as epoch_identity
        from {{ staging }}
        where {{ debezium_spark.is_row_event() }} and _cdc_batch_id > {{ watermark }}
    ) as events
    group by row_key
) as keys
inner join {{ this }} as state on keys.row_key = state._cdc_key
where
    reads > 0
    or state._cdc_fold_is_moved
    or lowest_pos < state._cdc_fold_mark
    or lowest_identity <= state._cdc_fold_highest
    or {{ debezium_spark.is_late_arrival() | indent(4) }}
{%- endmacro -%}


{#- Whether a known truncate or snapshot reaches events of the batch that are in order. -#}
{%- macro is_reached(config, staging, plan) -%}
    {%- set query -%}
        select 1
        from (
            select
                {{ debezium_spark.event_kind() | indent(16) }} as kind,
                _cdc_topic as topic,
                {{ debezium_spark.event_incarnation(config) }} as incarnation,
                _cdc_partition as `partition`,
                _cdc_offset as `offset`,
                _cdc_timestamp as `timestamp`,
                {{ debezium_spark.within_epoch(config, '_cdc_pos') }} as epoch_pos,
                {{ debezium_spark.within_epoch(config, '_cdc_stream_pos') }} as epoch_stream_pos
            from {{ staging }}
            where
                {{ debezium_spark.is_row_event() }}
                {%- if plan.watermark is not none %}
                and _cdc_batch_id > {{ plan.watermark }}
                {%- endif %}
        ) as e
        {%- if plan.truncates %}
        cross join (
            {{ debezium_spark.known_truncates(config, staging, plan) | indent(12) }}
        ) as truncates
        {%- endif %}
        {%- if plan.closes %}
        cross join (
            {{ debezium_spark.complete_snapshots(
                debezium_spark.known_snapshots(config, staging, plan)
            ) | indent(12) }}
        ) as closings
        {%- endif %}
        where
            false
            {%- if plan.truncates %}
            or exists(
                truncates.list,
                t -> {{ debezium_spark.lies_before_truncate('e', "e.kind = 'stream'") | indent(16) }}
            )
            {%- endif %}
            {%- if plan.closes %}
            or {{ debezium_spark.is_closed('e') | indent(12) }}
            {%- endif %}
        limit 1
    {%- endset -%}
    {{- return(run_query(query).rows | length > 0) -}}
{%- endmacro -%}
