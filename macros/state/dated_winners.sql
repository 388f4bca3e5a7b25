{#-
    CTE `dated_winners`: winners with `changed`, the landing that changed the row last, and
    `deleted_at` (docs/feed.md). Besides the key's own records, a row is changed by truncates, by
    snapshots that did not see it, and by what lands of the row that its values come from. All of
    them are what landed, so that the same landings give the same answer in whatever runs.
-#}
{%- macro dated_winners(plan) -%}
{%- set landings = ['winners.last_landing'] -%}
{%- set is_live = "winners.winner.op not in ('d', 'tombstone')" -%}
{%- if plan.lookup_columns -%}
    {%- do landings.append(
        'case when winners.winner.unavailable is not null then winners.winner.origin_landing end'
    ) -%}
{%- endif -%}
{%- if plan.truncates -%}
    {%- do landings.append('case when ' ~ is_live ~ ' then winners.restored end') -%}
{%- endif -%}
{%- if plan.closes -%}
    {%- do landings.append('case when ' ~ is_live ~ ' then winners.reopened end') -%}
{%- endif -%}
{%- set ends = [] -%}
{%- if plan.truncates -%}
    {%- do ends.append(debezium_spark._ends('removals', 'source_at')) -%}
{%- endif -%}
{%- if plan.closes -%}
    {%- do ends.append(debezium_spark._ends('unseen_by', 'started_at')) -%}
{%- endif -%}
{#- an earlier end that lands later is another time at which the row went -#}
{%- set first_end = 'array_min(concat(' ~ ends | join(', ') ~ '))' -%}
{%- if ends -%}
    {%- do landings.append('case when ' ~ is_live ~ ' then ' ~ first_end ~ '.landing end') -%}
{%- endif -%}
ended_winners as (

    select
        winners.*
        {%- if plan.truncates %},
        {{ debezium_spark.removals('winners.fold') | indent(8) }} as removals,
        {{ debezium_spark.restored_by('winners.fold') | indent(8) }} as restored
        {%- endif %}
        {%- if plan.closes %},
        {{ debezium_spark.closings_of('winners.fold') | indent(8) }} as unseen_by,
        {{ debezium_spark.reopened_by('winners.fold') | indent(8) }} as reopened
        {%- endif %}
    from winners
    {%- if plan.truncates %}
    cross join truncates
    {%- endif %}
    {%- if plan.closes %}
    cross join closings
    {%- endif %}

),

dated_winners as (

    select
        winners.*,
        {{ debezium_spark._highest(landings) | indent(8) }} as changed,
        case
            when
                winners.winner.op in ('d', 'tombstone')
                and winners.winner.kind != 'state'
                {%- if plan.has_before %}
                and winners.winner.op != 'd'
                {%- endif %}
                then winners.last_values
            else {{ debezium_spark.shown_values(plan, 'winners.winner.') }}
        end as shown,
        case
            when winners.winner.op = 'd' then winners.winner.source_at
            {# a tombstone says no time of the source #}
            when winners.winner.op = 'tombstone' then winners.fold.`timestamp`
            {%- if ends %}
            else {{ first_end }}.ended_at
            {%- endif %}
        end as deleted_at
    from ended_winners as winners

)
{%- endmacro -%}


{#- SQL: what ended a winner's row, as structs of which the least is the first to end it. -#}
{%- macro _ends(array, time) -%}
    {{- return(
        'transform(winners.' ~ array ~ ", e -> named_struct('is_undated', e." ~ time
        ~ " is null, 'ended_at', e." ~ time ~ ", 'landing', e.landing))"
    ) -}}
{%- endmacro -%}


{#- SQL: the values of a key's last upsert; a deleted row of the state has them, too. -#}
{%- macro last_values(plan, frame) -%}
last_value(
    case
        when kind = 'state' or is_applied and op in ('c', 'u', 'r')
            then {{ debezium_spark.shown_values(plan) }}
    end
) ignore nulls over ({{ frame }})
{%- endmacro -%}


{#- SQL: the values of an event as a row shows them, with those that were looked up. -#}
{%- macro shown_values(plan, prefix='') -%}
    {%- set members = [] -%}
    {%- for name in ['image', 'unavailable'] -%}
        {%- do members.append("'" ~ name ~ "', " ~ prefix ~ name) -%}
    {%- endfor -%}
    {%- for column in plan.lookup_columns -%}
        {%- do members.append("'known_" ~ loop.index ~ "', " ~ prefix ~ 'known_' ~ loop.index) -%}
    {%- endfor -%}
    {{- return('named_struct(' ~ members | join(', ') ~ ')') -}}
{%- endmacro -%}


{#- SQL: the landing of an event as one value; landings compare by their batch. -#}
{%- macro landing_struct(batch_id='batch_id', landed_at='landed_at') -%}
    {{- return("named_struct('batch_id', " ~ batch_id ~ ", 'landed_at', " ~ landed_at ~ ')') -}}
{%- endmacro -%}


{%- macro landing_type() -%}
    {{- return('struct<batch_id:bigint,landed_at:timestamp>') -}}
{%- endmacro -%}


{%- macro _highest(landings) -%}
    {{- return(
        'greatest(\n    ' ~ landings | join(',\n    ') ~ '\n)'
        if landings | length > 1 else landings[0]
    ) -}}
{%- endmacro -%}
