{#-
    CTE `multiset`: each content with how often the table holds it (docs/semantics.md, tables
    without a key).
-#}
{%- macro keyless_multiset(complete_before) -%}
{%- set identity = ['of_table', 'op', 'identity', 'content', 'is_shared'] | join(',\n        ') -%}
distributed_events as (

    {# both counts below group by these: one shuffle #}
    select * from events
    distribute by
        {{ identity }}

),

deliveries as (

    {# equal identities are different changes within a run, and repeats across runs #}
    select
        {{ identity }},
        run_id,
        min_by(
            struct(after_image, before_image, counts, op, pos, source_at, batch_id, arrival),
            arrival
        ) as first_delivery,
        max_by(struct(op, pos, source_at, arrival), arrival) as last_delivery,
        max(batch_id) as last_batch_id,
        case when not is_shared or (run_id is null and op != 'r') then 1 else count(*) end as times
    from distributed_events
    group by
        {{ identity }},
        run_id

),

changes as (

    select
        min_by(first_delivery, first_delivery.arrival) as event,
        max_by(last_delivery, last_delivery.arrival) as last_delivery,
        max(last_batch_id) as last_batch_id,
        max(times) as times
    from deliveries
    group by
        {{ identity }}

),

contents as (

    select inline(
        filter(
            array(
                {# contents of rows that are gone stay with a count of 0 #}
                case
                    when event.op != 'd'
                        then named_struct(
                            'image', event.after_image,
                            'event', last_delivery,
                            'batch_id', last_batch_id,
                            'times', if(event.counts, times, cast(0 as bigint))
                        )
                end
                {%- if complete_before %},
                case
                    when event.op in ('u', 'd') and event.counts and event.before_image is not null
                        then named_struct(
                            'image', event.before_image,
                            'event', struct(event.op, event.pos, event.source_at, event.arrival),
                            'batch_id', event.batch_id,
                            'times', -times
                        )
                end
                {%- endif %}
            ),
            content -> content is not null
        )
    )
    from changes

),

multiset as (

    select
        sha2({{ adapter.debezium().text.exact_json('image') }}, 256) as row_key,
        any_value(image) as image,
        max_by(event, event.arrival) as last_event,
        max(batch_id) as last_batch_id,
        sum(times) as times
    from contents
    group by sha2({{ adapter.debezium().text.exact_json('image') }}, 256)

)
{%- endmacro -%}
