{#-
    CTE `boundaries`: the changes that begin or end a version, numbered, with what comes next
    (docs/history.md, versions and time). `tracked`: the columns that make versions,
    none for all; `types`: of columns, by name.
-#}
{%- macro version_boundaries(columns, tracked, types) -%}
{%- set order = 'partition by key_hash, row_key order by arrival, number' -%}
{%- set until_here = order ~ ' rows between unbounded preceding and current row' -%}
effects as (

    select
        *,
        live_before and ending is not null as ends_row,
        is_upsert as is_begun,
        is_upsert and live_before and ending is null and birth is null
            as continues,
        lag(`row`) over ({{ order }}) as row_before,
        lag(still_unknown) over ({{ order }}) as still_unknown_before
    from changes

),

effects_on_versions as (

    select
        *,
        is_begun and not (
            continues
            {%- if tracked is none %}
            and how = 'read'
            {%- endif %}
            and {{ debezium_spark.is_same_row(columns, tracked, types) | indent(12) }}
        ) as makes_version
    from effects

),

numbered_changes as (

    select
        *,
        ends_row or makes_version as is_boundary,
        count_if(ends_row or makes_version) over ({{ until_here }}) as boundary,
        cast(count_if(makes_version) over ({{ until_here }}) as int) as version,
        cast(count_if(makes_version and not continues) over ({{ until_here }}) as int) as life,
        max(case when ends_row or makes_version then changed_at end)
            over ({{ until_here }}) as instant
    from effects_on_versions

),

boundaries as (

    select
        *,
        lead(next_boundary) over ({{ order }}) as next_step,
        lead(next_boundary, 2) over ({{ order }}) as later_step
    from (
        select
            *,
            struct(instant, ends_row, makes_version, ending, log_pos, event_id, tx_id,
                coalesce(birth.how, how) as how) as next_boundary
        from (
            select
                *,
                {# later upserts that make no version leave their values in this one #}
                last_value(
                    case when is_begun then struct(`row`, still_unknown) end
                ) ignore nulls over (
                    partition by key_hash, row_key, boundary order by arrival, number
                    rows between unbounded preceding and unbounded following
                ) as left_row
            from numbered_changes
        ) as changes_with_rows
        where is_boundary
    ) as numbered_boundaries

)
{%- endmacro -%}


{#- SQL: an upsert left what was there before, as far as columns count. -#}
{%- macro is_same_row(columns, tracked, types) -%}
    {%- set named = columns if tracked is none else tracked -%}
    {%- set terms = [] -%}
    {%- for column in named -%}
        {%- set before = 'row_before.' ~ debezium_spark.quote(column) -%}
        {%- set now = '`row`.' ~ debezium_spark.quote(column) -%}
        {%- do terms.append(
            debezium_spark._comparable(now, types.get(column | lower)) ~ ' <=> '
            ~ debezium_spark._comparable(before, types.get(column | lower))
        ) -%}
    {%- endfor -%}
    {%- set unknown = [] -%}
    {%- for name in ['still_unknown', 'still_unknown_before'] -%}
        {%- set list = 'coalesce(' ~ name ~ ', array())' -%}
        {%- if tracked is not none -%}
            {%- set list = (
                'array_intersect(' ~ list ~ ', array(' ~ debezium_spark.text_literals(named) ~ '))'
            ) -%}
        {%- endif -%}
        {%- do unknown.append('array_sort(' ~ list ~ ')') -%}
    {%- endfor -%}
    {%- do terms.append(unknown | join(' <=> ')) -%}
    {{- return(terms | join('\nand ')) -}}
{%- endmacro -%}


{#- SQL: Spark compares no maps; as text, sorted by their keys, they are compared exactly. -#}
{%- macro _comparable(value, data_type) -%}
    {%- if 'map<' not in (data_type or '') | lower -%}{{- return(value) -}}{%- endif -%}
    {%- if (data_type | lower).startswith('map<') -%}
        {{- return('to_json(array_sort(map_entries(' ~ value ~ ')))') -}}
    {%- endif -%}
    {{- return('to_json(struct(' ~ value ~ '))') -}}
{%- endmacro -%}
