{#-
    Rows of a table without a key, which is a multiset: the records with one of them as their image,
    and whether each counts (docs/semantics.md, tables without a key). Of the row (a), of which two
    equal inserts and one delete landed, the last of them twice:

    | op | pos | verdict | change |
    |----|-----|---------|--------|
    | c  | 10  | counts  | 1      |
    | c  | 11  | counts  | 1      |
    | d  | 20  | counts  | -1     |
    | d  | 20  | repeat  | 0      |
-#}
{%- macro explained_values(config, model, asked) -%}
    {%- set conditions, values = [], {} -%}
    {%- for name, text in asked['values'].items() -%}
        {%- set type = model.types.get(name | lower, 'string') -%}
        {%- set value = 'null' if text is none else debezium_spark.typed_text(text, type) -%}
        {%- do conditions.append('image.' ~ debezium_spark.quote(name) ~ ' <=> ' ~ value) -%}
        {%- if text is not none -%}
            {%- do values.update({name ~ ', of type ' ~ type: value}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set found = debezium_spark._checked_values(values) -%}
    {%- if found.problem is defined -%}{{- return(found) -}}{%- endif -%}
    {%- set condition = conditions | join(' and ') -%}
    {%- set events = debezium_spark.run_texts(
        debezium_spark.explained_values_sql(config, model, condition)
    ) -%}
    {%- set facts = {
        'state': debezium_spark.run_texts(debezium_spark._state_of_values(model, condition)),
        'quarantined': [],
        'ignored': [],
        'searched': debezium_spark.run_texts(debezium_spark._searched_records(model.staging))
            if not events else [],
    } -%}
    {{- return(adapter.debezium().explain.explained_values(model, asked, events, facts)) -}}
{%- endmacro -%}


{#-
    SELECT: texts of the events of which an image satisfies a condition on `image`. A delivery
    repeats another one as `keyless_multiset` counts them.
-#}
{%- macro explained_values_sql(config, model, condition='true') -%}
{%- set complete_before = adapter.debezium().staging.has_complete_before(config, model.table) -%}
{%- set identity = ['of_table', 'op', 'identity', 'content', 'is_shared'] | join(', ') -%}
with

{{ debezium_spark.keyless_events(config, model.staging, model.columns, complete_before) }},

{%- if complete_before %}

{{ debezium_spark.keyless_snapshots() }},

truncates as (

    {{ debezium_spark.known_truncates(config, model.staging, {'watermark': none}) | indent(4) }}

),
{%- endif %}

{{ debezium_spark.counted_events(complete_before) }},

numbered_events as (

    {# equal identities are different changes within a run, and repeats across runs #}
    select
        *,
        if(
            not is_shared or (run_id is null and op != 'r'),
            1,
            row_number() over (partition by {{ identity }}, run_id order by arrival)
        ) as number
    from events

),

told_events as (

    select
        *,
        row_number() over (partition by {{ identity }}, number order by arrival) > 1 as is_repeat,
        first_value(counts) over (partition by {{ identity }} order by arrival) as is_counted
    from numbered_events

),

touched_images as (

    select
        told_events.*,
        touched.image,
        touched.change
    from told_events
    lateral view explode(filter(
        array(
            case when op in ('u', 'd') and before_image is not null
                then named_struct('image', before_image, 'change', -1) end,
            case when op != 'd' then named_struct('image', after_image, 'change', 1) end
        ),
        touched -> touched is not null
    )) each_image as touched

)

select {{ adapter.debezium().text.exact_json("named_struct(
    'event_id', concat_ws(':', topic, `partition`, `offset`), 'topic', topic,
    'partition', `partition`, 'offset', `offset`, 'recorded_at', `timestamp`,
    'source_at', source_at, 'batch_id', batch_id, 'op', op, 'position', pos, 'run_id', run_id,
    'verdict', case when is_repeat then 'repeat' when is_counted then 'counts' else 'ended' end,
    'is_applied', is_counted and not is_repeat,
    'change', if(is_counted and not is_repeat, change, 0),
    'row', " ~ adapter.debezium().text.exact_json('image') ~ ')') }} as event
from touched_images
where {{ condition }}
order by arrival, change
{%- endmacro -%}


{#- SELECT: the rows of the state with these values, and how often the table holds each. -#}
{%- macro _state_of_values(model, condition) -%}
select {{ adapter.debezium().text.exact_json("named_struct(
    'key', _cdc_key, 'is_deleted', _cdc_is_deleted, 'op', _cdc_op,
    'batch_id', _cdc_batch_id, 'count', _cdc_count,
    'row', " ~ adapter.debezium().text.exact_json('image') ~ ')') }} as state_row
from (
    select
        *,
        {{ debezium_spark.image_struct(model.columns) }} as image
    from {{ model.state }}
) as rows_with_images
where (not startswith(_cdc_key, '!') and {{ condition }}) or _cdc_key = '!watermark'
order by _cdc_key
limit 21
{%- endmacro -%}
