{#-
    What a table keeps of its own rows when it is built anew although raw records went
    (docs/operations.md): those at or before its horizon, those that are judged by it, and those
    that raw lacks. Of a horizon at 12:00, and a table that was staged up to batch 7:

    | record | timestamp | batch | in raw | staged before as | comes from |
    |--------|-----------|-------|--------|------------------|------------|
    | u      | 11:00     | 5     | no     | an event         | the table  |
    | u      | 12:30     | 6     | yes    | settled          | the table  |
    | u      | 12:31     | 6     | yes    | an event         | raw        |
    | u      | 11:01     | 8     | yes    |                  | raw: late  |
-#}


{%- macro shortened_property() -%}
    {{- return('debezium_spark.shortened') -}}
{%- endmacro -%}


{#-
    What a table that is built anew keeps: `watermark`, the highest batch that it was staged up to,
    and `raw`; none if raw has all records, or there is no table. Staged tables add `is_late` and
    `is_judged`, SQL conditions. A table without them keeps its rows up to the watermark, and reads
    what follows.
-#}
{%- macro carried_rows(raw) -%}
    {%- if raw is string or not debezium_spark._property(raw, debezium_spark.shortened_property())
    -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- if existing is none or existing.is_view -%}
        {%- do exceptions.warn(
            'debezium_spark: ' ~ raw ~ ' has let records go, so ' ~ this.identifier
            ~ ' begins with those that are left.'
        ) -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return({'watermark': debezium_spark.batch_watermark(this) or 0, 'raw': raw}) -}}
{%- endmacro -%}


{#- SELECT: rows read from raw and rows of the table, which becomes what this selects. -#}
{%- macro with_carried_rows(sql, relation, carried) -%}
{%- set place = ['_cdc_topic', '_cdc_partition', '_cdc_offset', '_cdc_timestamp'] -%}
{%- set columns = adapter.debezium().run.column_types(sql) -%}
{%- set names = [] -%}
{%- for name, _ in columns -%}{%- do names.append(debezium_spark.quote(name)) -%}{%- endfor -%}
select {{ names | join(', ') }}
from (
    {{ sql }}
) as read_rows
{%- if carried.is_late %}
left anti join (select * from {{ relation }} where {{ carried.is_judged }}) as judged_rows
    using ({{ place | join(', ') }}, _cdc_batch_id)
where not {{ carried.is_late }} or _cdc_batch_id > {{ carried.watermark }}
{%- endif %}

union all

select
    {{ debezium_spark._carried_columns(columns, relation) | join(',\n    ') }}
from {{ relation }} as carried_rows
{%- if carried.is_late %}
where
    {{ carried.is_late }}
    or {{ carried.is_judged }}
    or not exists (
        select 1 from {{ carried.raw }} as records
        where
            records.topic = carried_rows._cdc_topic
            and records.`partition` = carried_rows._cdc_partition
            and records.`offset` = carried_rows._cdc_offset
            and records.`timestamp` = carried_rows._cdc_timestamp
            and records._cdc_batch_id = carried_rows._cdc_batch_id
    )
{%- endif %}
{%- endmacro -%}


{#- SQL: the columns of stored rows, in other types; what does not fit one is in `_cdc_errors`. -#}
{%- macro _carried_columns(columns, relation) -%}
    {%- set types = debezium_spark.column_types(relation) -%}
    {%- set values, problems = [], [] -%}
    {%- for name, data_type in columns if name != '_cdc_errors' -%}
        {%- set column = debezium_spark.quote(name) -%}
        {%- set cast_value = 'try_cast(' ~ column ~ ' as ' ~ data_type ~ ')' -%}
        {%- if name | lower not in types -%}
            {%- do values.append('cast(null as ' ~ data_type ~ ') as ' ~ column) -%}
        {%- elif types[name | lower] == data_type -%}
            {%- do values.append(column) -%}
        {%- else -%}
            {%- do values.append(cast_value ~ ' as ' ~ column) -%}
            {%- do problems.append(
                'if(' ~ column ~ ' is not null and ' ~ cast_value ~ ' is null, concat('
                ~ debezium_spark.text_literal(name ~ ': not ' ~ data_type ~ ': ') ~ ', '
                ~ 'cast(' ~ column ~ ' as string)), null)'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set errors = '_cdc_errors' if not problems else (
        "nullif(concat(coalesce(_cdc_errors, array()), array_compact(array("
        ~ problems | join(', ') ~ '))), array()) as _cdc_errors'
    ) -%}
    {%- set ordered = [] -%}
    {%- for name, data_type in columns -%}
        {%- do ordered.append(errors if name == '_cdc_errors' else values.pop(0)) -%}
    {%- endfor -%}
    {{- return(ordered) -}}
{%- endmacro -%}
