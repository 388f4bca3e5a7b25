{#-
    Where the row of a create that lacks values stood before (docs/semantics.md, unavailable
    values): a change of the key is a `d` of the old key and a `c` of the new one at the same
    place. Of a row whose key went from 1 to 2, its column `w` untouched:

    | key | op | place | w             |     | row_key | life | origin_key | origin_arrival |
    |-----|----|-------|---------------|     |---------|------|------------|----------------|
    | 1   | c  | 10    | A             | --> | 2       | 1    | 1          | 2              |
    | 1   | d  | 20    |               |
    | 2   | c  | 20    | (unavailable) |     and `w` of key 2 is A
-#}


{#-
    CTE `chains`: every life that one descends from, with the number of steps. Such chains (A to B
    to C, a value untouched all the while) are rare: a run has them in a table, compiled code as a
    recursive CTE.
-#}
{%- macro origin_chains(plan) -%}
{%- if plan.chains -%}
chains as (

    select * from {{ plan.chains }}
    where not (row_key = origin_key and life = origin_life)

)
{%- else -%}
{{ debezium_spark.origin_links() }},

chains (row_key, life, origin_key, origin_life, origin_arrival, depth, path) as (

    select
        row_key,
        life,
        origin_key,
        origin_life,
        origin_arrival,
        1,
        array(concat_ws('/', life, row_key), concat_ws('/', origin_life, origin_key))
    from links

    union all

    select
        chains.row_key,
        chains.life,
        links.origin_key,
        links.origin_life,
        links.origin_arrival,
        chains.depth + 1,
        array_append(chains.path, concat_ws('/', links.origin_life, links.origin_key))
    from chains
    inner join links
        on
            chains.origin_key = links.row_key
            and chains.origin_life = links.life
    where
        {# while records are missing, chains can run in circles #}
        not array_contains(chains.path, concat_ws('/', links.origin_life, links.origin_key))
        {# Spark goes no deeper than 100 #}
        and chains.depth < 90

)
{%- endif -%}
{%- endmacro -%}


{#-
    SELECT: keys of key changes that lack values, and keys whose values they may need: both must be
    folded together.
-#}
{%- macro origin_keys(staging) -%}
select creates._cdc_key as row_key
from {{ staging }} as creates
where
    creates._cdc_op = 'c'
    and creates._cdc_unavailable is not null
    and creates._cdc_key is not null

union

select creates._cdc_old_key as row_key
from {{ staging }} as creates
where
    creates._cdc_op = 'c'
    and creates._cdc_unavailable is not null
    and creates._cdc_old_key is not null

union

select deletes._cdc_key as row_key
from {{ staging }} as deletes
left semi join {{ staging }} as creates
    on
        {{ debezium_spark.staged_place('deletes.') }}
        = {{ debezium_spark.staged_place('creates.') }}
        and creates._cdc_op = 'c'
        and creates._cdc_unavailable is not null
where deletes._cdc_op = 'd' and deletes._cdc_key is not null
{%- endmacro -%}

{#- SQL: the place of a staged event, without its epoch. -#}
{%- macro staged_place(prefix='') -%}
    {{- return('coalesce(' ~ prefix ~ '_cdc_stream_pos, ' ~ prefix ~ '_cdc_pos)') -}}
{%- endmacro -%}


{#-
    CTE `links`: for each life that a key change began, the event of another key up to which the
    row's values may lie there (docs/semantics.md, unavailable values). It is NULL if nothing is
    known of that row.
-#}
{%- macro origin_links() -%}
{{ debezium_spark._known_origins() }},

origin_events as (

    select
        known_origins.row_key,
        known_origins.life,
        known_origins.origin_key,
        origins.arrival,
        struct(origins.life, origins.arrival) as origin,
        origins.op = 'd'
        and known_origins.creation.place
        = {{ debezium_spark.place('origins.') }} as is_its_delete,
        origins.op = 'd'
        and origins.epoch_pos is not null
        and known_origins.creation.epoch_pos is not null as is_placed_delete,
        {# from the first event on that lies behind the change, nothing counts #}
        bool_and({{ debezium_spark._is_before('origins', 'known_origins.creation') }}) over (
            partition by known_origins.row_key, known_origins.life
            order by origins.arrival
            rows between unbounded preceding and current row
        ) as is_before
    from known_origins
    inner join walk as origins
        on
            known_origins.origin_key = origins.row_key
            and origins.is_applied

),

links as (

    select
        row_key,
        life,
        origin_key,
        origin.life as origin_life,
        origin.arrival as origin_arrival
    from (
        select
            row_key,
            life,
            origin_key,
            coalesce(
                {# the first: a repeat of it that a reset lets through ends nothing #}
                min_by(origin, case when is_its_delete then arrival end),
                {# behind another delete, nothing of the renamed row has landed #}
                max_by(
                    case when not is_placed_delete then origin end,
                    case when is_before then arrival end
                )
            ) as origin
        from origin_events
        group by row_key, life, origin_key
    ) as links_to_events

    union all

    {# of an unknown old key, the row that stood under this key is the best guess #}
    select
        row_key,
        life,
        row_key as origin_key,
        life - 1 as origin_life,
        creation.arrival - 1 as origin_arrival
    from known_origins
    where origin_key is null and creation.was_alive

)
{%- endmacro -%}


{#- CTEs `partial_creates` and `known_origins`: which key the row of a `c` had before. -#}
{%- macro _known_origins() -%}
partial_creates as (

    select
        row_key,
        life,
        topic,
        old_key,
        struct(
            arrival,
            topic,
            `partition`,
            incarnation,
            `offset`,
            `timestamp`,
            epoch_pos,
            {{ debezium_spark.place() }} as place,
            was_alive
        ) as creation
    from (
        select
            *,
            coalesce(
                last_value(case when is_applied then op in ('c', 'u', 'r') end) ignore nulls over (
                    partition by {{ debezium_spark.walk_key() }}
                    order by arrival
                    rows between unbounded preceding and 1 preceding
                ),
                false
            ) as was_alive
        from walk
    ) as walk_with_past
    where op = 'c' and unavailable is not null and is_applied

),

known_origins as (

    {# without the header, the delete of the same change has the same place #}
    select
        partial_creates.row_key,
        partial_creates.life,
        partial_creates.creation,
        coalesce(
            max(partial_creates.old_key),
            {# of two shards of a table positions can be equal #}
            max(case when partial_creates.topic = deletes.topic then deletes.row_key end),
            max(deletes.row_key)
        ) as origin_key
    from partial_creates
    left join walk as deletes
        on
            partial_creates.creation.place = {{ debezium_spark.place('deletes.') }}
            and deletes.op = 'd'
            and deletes.is_applied
            and partial_creates.row_key != deletes.row_key
    group by
        partial_creates.row_key,
        partial_creates.life,
        partial_creates.creation

)
{%- endmacro -%}


{#- SQL: whether an event of the old key lies before the create; `origin`, `creation`: aliases. -#}
{%- macro _is_before(origin, creation) -%}
case
            when {{ origin }}.epoch_pos != {{ creation }}.epoch_pos
                then {{ origin }}.epoch_pos < {{ creation }}.epoch_pos
            when {{ origin }}.topic = {{ creation }}.topic
                and {{ origin }}.`partition` = {{ creation }}.`partition`
                then struct({{ origin }}.incarnation, {{ origin }}.`offset`)
                    < struct({{ creation }}.incarnation, {{ creation }}.`offset`)
            else struct({{ origin }}.incarnation, {{ origin }}.`timestamp`)
                <= struct({{ creation }}.incarnation, {{ creation }}.`timestamp`)
        end
{%- endmacro -%}


{#- SQL: the place of an event (docs/semantics.md, words), NULL without a position. -#}
{%- macro place(prefix='') -%}
    {{- return(
        'case when ' ~ prefix ~ 'epoch_pos is not null then coalesce(' ~ prefix
        ~ 'epoch_stream_pos, ' ~ prefix ~ 'epoch_pos) end'
    ) -}}
{%- endmacro -%}


{#-
    Write the chains of `origin_chains` into a table. A recursive CTE starts jobs for each step and
    finds the links again each time; here each round doubles the known length, and most tables need
    one. Circles, while records are missing, only repeat what is nearer and end at 128.
-#}
{%- macro write_chains(config, staging, plan, chains=none) -%}
    {%- if chains is none -%}
        {%- set chains = debezium_spark.chains_table() -%}
        {%- do debezium_spark.decide({'work_tables': [chains]}) -%}
    {%- endif -%}
    {%- set links -%}
create table {{ chains }}
using {{ debezium_spark.file_format() }}
as
with

{{ debezium_spark.walk(config, staging, dict(plan, lookup_columns=[])) }},

{{ debezium_spark.origin_links() }}

select
    row_key,
    life,
    origin_key,
    origin_life,
    origin_arrival,
    1 as depth
from links
    {%- endset -%}
    {%- do run_query(links) -%}
    {%- set longest = namespace(depth=1) -%}
    {%- for depth in [1, 2, 4, 8, 16, 32, 64] if longest.depth == depth -%}
        {%- do run_query(debezium_spark.extend_chains(chains, depth)) -%}
        {%- set longest.depth = run_query(
            'select max(depth) from ' ~ chains
        ).rows[0][0] | default(0, true) | int -%}
    {%- endfor -%}
    {{- return(chains) -}}
{%- endmacro -%}


{%- macro extend_chains(chains, depth) -%}
insert into {{ chains }}
select
    nearer.row_key,
    nearer.life,
    farther.origin_key,
    farther.origin_life,
    farther.origin_arrival,
    nearer.depth + farther.depth as depth
from {{ chains }} as nearer
inner join {{ chains }} as farther
    on
        nearer.origin_key = farther.row_key
        and nearer.origin_life = farther.life
where nearer.depth = {{ depth }}
{%- endmacro -%}


{%- macro chains_table() -%}
    {{- return(adapter.debezium().run.work_table(this)) -}}
{%- endmacro -%}
