{#-
    Both sides of a comparison as texts, one row for each row (docs/verify.md, how values are
    compared). Of the row (2, b) here, whose column `w` no record has, and (2, x, w) there:

    | side  | row_key  | copies | texts        | unknown |
    |-------|----------|--------|--------------|---------|
    | here  | {"id":2} | 1      | [2, b, null] | [w]     |
    | there | {"id":2} | 1      | [2, x, w]    | []      |
-#}


{#- SQL condition on staging: a record that the rows there, or the state, may not know yet. -#}
{%- macro records_since(model, began) -%}
(_cdc_batch_id > (select max(_cdc_batch_id) from {{ model.state }} where _cdc_key = '!watermark')
{%- if began %}
    {#- clocks differ #}
    or _cdc_timestamp >= {{ debezium_spark.instant(began) }} - interval 5 seconds
{%- endif -%}
)
{%- endmacro -%}


{#- SELECT: the newest record of the source, and whether it is older than the reading. -#}
{%- macro newest_record(model, began) -%}
{%- set newest = 'max(`timestamp`)' if model.raw else 'max(_cdc_timestamp)' -%}
select to_json(struct(
    {{ newest }} as at,
    {{ newest ~ ' < ' ~ debezium_spark.instant(began) if began else 'false' }} as is_before
))
from {{ model.raw or model.staging }}
{%- endmacro -%}


{#-
    SELECT: `_cdc_key` of rows that may have changed during the reading; NULL stands for all rows,
    which a truncate changes.
-#}
{%- macro changed_keys(config, model, columns, since, asked) -%}
{%- set texts = adapter.debezium().verify.compared_texts -%}
{%- if model.call.key %}
select distinct if(_cdc_op = 't', null, _cdc_key) as _cdc_key
from {{ model.staging }}
where (_cdc_key is not null or _cdc_op = 't') and {{ since }}
{%- else %}
select distinct explode(array(
    if(_cdc_op = 't', null, to_json({{ texts(columns, 'here', 's') }}))
    {%- if adapter.debezium().staging.has_complete_before(config, model.table) %},
    to_json({{ texts(columns, 'here', 's._cdc_before') }})
    {%- endif %}
)) as _cdc_key
from {{ model.staging }} as s
where _cdc_op is not null and {{ since }}
{%- endif %}
{%- if asked.changed %}
union
{{ asked.changed }}
{%- endif %}
{%- endmacro -%}


{#- SELECT: the rows of the table. -#}
{%- macro rows_here(rows, columns, key) -%}
{%- set texts = adapter.debezium().verify.compared_texts(columns, 'here', 'h') -%}
select
    'here' as side,
    {{ 'h._cdc_key' if key else 'to_json(' ~ texts ~ ')' }} as row_key,
    cast({{ '1' if key else 'h._cdc_count' }} as bigint) as copies,
    {{ texts }} as texts,
    array_intersect(
        coalesce(h._cdc_unavailable, cast(array() as array<string>)),
        array({{ debezium_spark.text_literals(columns | map(attribute='name')) }})
    ) as unknown
from {{ rows }} as h
{%- endmacro -%}


{#- SELECT: the rows that were read. -#}
{%- macro rows_there(relation, columns, key) -%}
{%- set verify = adapter.debezium().verify -%}
{%- set texts = verify.compared_texts(columns, 'there', 't') -%}
select
    'there' as side,
    {{ verify.key_there(columns, key, 't') if key else 'to_json(' ~ texts ~ ')' }} as row_key,
    1L as copies,
    {{ texts }} as texts,
    {{ verify.unreadable(columns, 't') }} as unknown
from {{ relation }} as t
{%- endmacro -%}


{#- SQL: the text of the first column of the key if that is a number, else none. -#}
{%- macro number_of_key(columns, key) -%}
    {%- for column in columns if key and column.name == key[0]
        and column.ours.split('(')[0] in ['int', 'bigint', 'decimal'] -%}
        {{- return('texts[' ~ (columns | map(attribute='name') | list).index(key[0]) ~ ']') -}}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}


{%- macro span_of_rows(here, number) -%}
select to_json(struct(
    count(*) as `rows`,
    coalesce(min(cast({{ number or 'null' }} as double)), 0D) as low,
    coalesce(max(cast({{ number or 'null' }} as double)), 0D) + 1 as high
))
from (
    {{ here | indent(4) }}
) as here
{%- endmacro -%}


{#- SELECT: the rows of both sides, with the numbers of their ranges. -#}
{%- macro both_sides(here, there, changed, number, span, ranges) -%}
with changed as (

    select _cdc_key
    from {{ changed }}

)

select /*+ broadcast(every) */
    sides.*,
    {%- if number %}
    width_bucket(
        cast({{ number }} as double), {{ span.low }}D, {{ span.high }}D, {{ ranges }}
    ) as range_number,
    {%- else %}
    pmod(xxhash64(row_key), {{ ranges }}) as range_number,
    {%- endif %}
    changed._cdc_key is not null or every.is_changed as is_changed
from (
    {{ here | indent(4) }}
    union all
    {{ there | indent(4) }}
) as sides
left join changed on sides.row_key = changed._cdc_key
cross join (select count(*) > 0 as is_changed from changed where _cdc_key is null) as every
{%- endmacro -%}


{#-
    SELECT: texts of how many rows each range has, and whether its rows have to be looked at: their
    checksums differ, or some cannot be compared.
-#}
{%- macro sums_of_ranges(sides, number) -%}
{%- set sign = "if(side = 'here', 1, -1)" -%}
select to_json(struct(
    range_number as number,
    sum(if(side = 'here', copies, 0)) as here,
    sum(if(side = 'there', copies, 0)) as there,
    min_by({{ number or 'null' }}, cast({{ number or 'null' }} as double)) as first,
    max_by({{ number or 'null' }}, cast({{ number or 'null' }} as double)) as last,
    sum({{ sign }} * copies) != 0
    or sum({{ sign }} * copies * cast(xxhash64(row_key, to_json(texts)) as decimal(20, 0))) != 0
    or count_if(is_changed or size(unknown) > 0) > 0 as is_open
))
from (
    {{ sides | indent(4) }}
) as sides
group by range_number
order by range_number
{%- endmacro -%}


{#- SELECT: the rows of some ranges that are not equal, and why. -#}
{%- macro unequal_rows(sides, names, numbers) -%}
{%- set texts = "max(if(side = '%s', texts, null))" -%}
with

grouped as (

    select
        row_key,
        sum(if(side = 'here', copies, 0)) as here,
        sum(if(side = 'there', copies, 0)) as there,
        {{ texts | format('here') }} as here_texts,
        {{ texts | format('there') }} as there_texts,
        flatten(collect_list(if(side = 'here', unknown, null))) as unavailable,
        array_distinct(flatten(collect_list(if(side = 'there', unknown, null)))) as unreadable,
        bool_or(is_changed) as is_changed
    from (
        {{ sides | indent(8) }}
    ) as sides
    where range_number in ({{ numbers | join(', ') or 'null' }})
    group by row_key

),

compared as (

    select
        *,
        filter(
            transform(
                array({{ debezium_spark.text_literals(names) }}),
                (name, i) -> struct(name as column, here_texts[i] as here, there_texts[i] as there)
            ),
            one -> not (one.here <=> one.there)
                and not array_contains(unavailable, one.column)
                and not array_contains(unreadable, one.column)
        ) as differs
    from grouped

),

judged as (

    select
        *,
        case
            when is_changed then 'changed'
            when here = 0 then 'missing here'
            when there = 0 then 'missing there'
            when here != there then 'count'
            when size(differs) > 0 then 'value'
            when size(unavailable) + size(unreadable) > 0 then 'in part'
            else 'equal'
        end as what
    from compared

)

select *
from judged
where what != 'equal'
{%- endmacro -%}


{#- SELECT: texts of how many rows each verdict has, by columns that cannot be compared. -#}
{%- macro counts_of_rows(unequal) -%}
select to_json(struct(
    what, unavailable, unreadable, count(*) as `rows`, sum(here) as here
))
from {{ unequal }}
group by what, unavailable, unreadable
{%- endmacro -%}


{#- SELECT: texts of the first rows that differ. -#}
{%- macro shown_rows(unequal, limit) -%}
select to_json(
    struct(row_key, what, here, there, here_texts, there_texts, differs),
    map('ignoreNullFields', 'false')
)
from {{ unequal }}
where what not in ('changed', 'in part')
order by row_key
limit {{ limit | int }}
{%- endmacro -%}
