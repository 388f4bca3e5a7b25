{#- SELECT: of each topic the truncates that no snapshot came after, each as it arrived first: a repeat removes no row that was read since. -#}
{%- macro _keyless_truncates() %}
    select
        told.topic,
        collect_list(told.t) as list
    from (
        select
            topic,
            min(
                named_struct(
                    'incarnation', incarnation,
                    'timestamp', `timestamp`,
                    'partition', `partition`,
                    'offset', `offset`,
                    'epoch_pos', epoch_pos,
                    'epoch_stream_pos', epoch_stream_pos
                )
            ) as t
        from staged
        where op = 't'
        group by topic, coalesce(epoch_pos, concat_ws(':', incarnation, `partition`, `offset`))
    ) as told
    left join topics on told.topic = topics.topic
    where
        not exists(
            coalesce(topics.snapshot.ends, array()),
            r -> case
                when r.`partition` = told.t.`partition`
                    then r.delivery > struct(told.t.incarnation, told.t.`offset`)
                else coalesce(r.`timestamp` > told.t.`timestamp`, false)
            end
        )
    group by told.topic
{% endmacro -%}


{#- SQL: whether a truncate removed what a row of `staged` said (docs/semantics.md, truncates). -#}
{%- macro _is_keyless_truncated() -%}
exists(
    coalesce(truncates.list, array()),
    t -> case
        when staged.op != 'r' and staged.epoch_pos is not null and t.epoch_pos is not null
            then staged.epoch_pos < t.epoch_pos
        when staged.op != 'r' and staged.epoch_stream_pos is not null and t.epoch_stream_pos is not null
            then staged.epoch_stream_pos < t.epoch_stream_pos
        when staged.`partition` = t.`partition`
            then struct(staged.incarnation, staged.`offset`) < struct(t.incarnation, t.`offset`)
        when staged.epoch_stream_pos is not null and t.epoch_stream_pos is not null
            then staged.epoch_stream_pos < t.epoch_stream_pos
        else coalesce(staged.`timestamp` < t.`timestamp`, false)
    end
)
{%- endmacro -%}
