{#-
    CTEs from the walk to the state rows: the winner of each key with what its walk ends with, and the rows that remember the watermark
    and the truncates.
-#}
{%- macro fold_rows(columns, plan) -%}
ends as (

    select
        *,
        max(case when is_applied then arrival end) over (partition by row_key) as winner_arrival,
        max(segment) over (partition by row_key) as last_segment,
        max(
            case
                when kind in ('stream', 'state') and epoch_pos is not null
                    then named_struct('segment', segment, 'epoch_pos', epoch_pos)
            end
        ) over (partition by row_key) as last_mark,
        max(
            named_struct('arrival', arrival, 'delivery', {{ debezium_spark.delivery_struct() }})
        ) over (partition by row_key) as last_arrival,
        max(
            case
                when kind = 'state' then named_struct('arrival', arrival, 'op', remembered.last_op)
                when kind != 'tombstone' then named_struct('arrival', arrival, 'op', op)
            end
        ) over (partition by row_key) as last_event,
        max(
            case
                when kind = 'full' then named_struct('arrival', arrival, 'delivery', {{ debezium_spark.delivery_struct() }})
                when kind = 'state' and remembered.full_read is not null
                    then named_struct('arrival', arrival, 'delivery', remembered.full_read)
            end
        ) over (partition by row_key) as last_full_read,
        sum(
            case when kind = 'state' then remembered.replays when is_replay then 1 else 0 end
        ) over (partition by row_key) as replays,
        sum(
            case when kind = 'state' then remembered.unexplained when is_unexplained then 1 else 0 end
        ) over (partition by row_key) as unexplained,
        min(
            case
                when kind = 'state' and remembered.first_unexplained is not null
                    then named_struct('arrival', arrival, 'event', remembered.first_unexplained)
                when is_unexplained
                    then named_struct('arrival', arrival, 'event', concat_ws(':', topic, `partition`, `offset`))
            end
        ) over (partition by row_key) as first_unexplained,
        max(batch_id) over (partition by row_key) as last_batch_id,
        {% if plan.follows_origins -%}
        line_origins as origins
        {%- else -%}
        max(remembered.origins) over (partition by row_key) as origins
        {%- endif %}
    from {{ 'resolved' if plan.carried else 'walked' }}

),

winners as (

    select
        *,
        named_struct(
            'topic', topic,
            'incarnation', case when kind = 'state' then remembered.incarnation else incarnation end,
            'partition', case when kind = 'state' then remembered.`partition` else `partition` end,
            'offset', case when kind = 'state' then remembered.`offset` else `offset` end,
            'timestamp', case when kind = 'state' then remembered.`timestamp` else `timestamp` end,
            'kind', case when kind = 'state' then remembered.kind else kind end,
            'epoch_pos', case when kind = 'state' then remembered.epoch_pos else epoch_pos end,
            'epoch_stream_pos', epoch_stream_pos,
            {# the winner is the last applied event, and a full read always is applied: none comes after the winner #}
            'full_read', last_full_read.delivery,
            'mark', case when last_mark.segment = last_segment then last_mark.epoch_pos end,
            'last', last_arrival.delivery,
            'last_op', last_event.op,
            'is_moved', is_moved,
            'replays', replays,
            'unexplained', unexplained,
            'first_unexplained', first_unexplained.event,
            'origins', origins
        ) as fold
    from ends
    where arrival = winner_arrival

),

rows as (

    select
        winners.row_key as _cdc_key,
        winners.last_batch_id as _cdc_batch_id,
        {%- for column in columns %}
        {%- if column in plan.carried %}
        {%- set known = 'winners.known_' ~ (plan.carried.index(column) + 1) %}
        case
            when coalesce(array_contains(winners.unavailable, {{ debezium_spark.text_literal(column) }}), false)
                then {{ known }}.`value`
            else winners.image.{{ debezium_spark.quoted(column) }}
        end as {{ debezium_spark.quoted(column) }},
        {%- else %}
        winners.image.{{ debezium_spark.quoted(column) }} as {{ debezium_spark.quoted(column) }},
        {%- endif %}
        {%- endfor %}
        winners.op as _cdc_op,
        winners.op in ('d', 'tombstone')
        {%- if plan.truncates %}
        or {{ debezium_spark.is_truncated() | indent(8) | replace('fold.', 'winners.fold.') }}
        {%- endif %} as _cdc_is_deleted,
        winners.pos as _cdc_pos,
        winners.source_at as _cdc_source_at,
        {{ debezium_spark.still_unavailable(plan) }} as _cdc_unavailable,
        winners.fold as _cdc_fold,
        cast(null as string) as _cdc_marks
    from winners
    {%- if plan.truncates %}
    cross join truncates
    {%- endif %}

    {%- if plan.highest_batch is not none %}

    union all

    {{ debezium_spark.remembered_row(columns, "'!watermark'", plan.highest_batch, marks=debezium_spark.text_literal(plan.marks)) | indent(4) }}
    {%- endif %}

    {%- if plan.new_truncates %}

    union all

    {{ debezium_spark.remembered_row(
        columns,
        "concat_ws(':', '!truncate', topic, incarnation, `partition`, `offset`)",
        'batch_id',
        relation='staged_truncates',
    ) | indent(4) }}
    {%- endif %}

)

select * from rows
{%- endmacro -%}
