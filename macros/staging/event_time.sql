{#-
    SQL: a time of the envelope or of its source block, in microseconds since Debezium 2.6; also the
    text that a transform makes of one. NULL outside the years 1 to 9999: a larger number would stop
    the run, or whoever reads it in Python.
-#}
{%- macro event_time(block=none) -%}
    {%- set prefix = block ~ '.' if block else '' -%}
    {%- set times = [] -%}
    {%- for member, unit, second in [('ts_us', 'micros', 1000000), ('ts_ms', 'millis', 1000)] -%}
        {%- set number = 'try_cast(' ~ prefix ~ member ~ ' as bigint)' -%}
        {%- do times.append(
            'timestamp_' ~ unit ~ '(case when ' ~ number ~ ' between ' ~ (-62135596800 * second)
            ~ ' and ' ~ (253402300800 * second - 1) ~ ' then ' ~ number ~ ' end)'
        ) -%}
        {#- a number alone would be a year -#}
        {%- do times.append(
            'case when ' ~ prefix ~ member ~ " rlike '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]' "
            ~ 'then try_cast(' ~ prefix ~ member ~ ' as timestamp) end'
        ) -%}
    {%- endfor -%}
    {{- return('coalesce(' ~ times | join(', ') ~ ')') -}}
{%- endmacro -%}


{#- SELECT list: both times of an event, for `delivery_columns` and `unreadable_members`. -#}
{%- macro event_times() -%}
{{ debezium_spark.event_time('source') }} as source_at,
{{ debezium_spark.event_time() }} as captured_at
{%- endmacro -%}


{#-
    Entries of `_cdc_errors` for members that no event needs and that cannot be read: [(SQL
    condition, SQL text)], over `event_times`.
-#}
{%- macro unreadable_members() -%}
    {%- set errors = [] -%}
    {%- for block, name in [('source', 'the source'), (none, 'the event')] -%}
        {%- set prefix = block ~ '.' if block else '' -%}
        {%- set text = 'coalesce(' ~ prefix ~ 'ts_us, ' ~ prefix ~ 'ts_ms)' -%}
        {%- do errors.append((
            '(' ~ text ~ ' is not null and ' ~ ('source_at' if block else 'captured_at')
            ~ ' is null)',
            "concat('the time of " ~ name ~ " is none: ', left(" ~ text ~ ', 100))',
        )) -%}
    {%- endfor -%}
    {%- for member in ['transaction.total_order', 'transaction.data_collection_order'] -%}
        {%- do errors.append((
            '(' ~ member ~ ' is not null and try_cast(' ~ member ~ ' as bigint) is null)',
            "concat('" ~ member ~ " is no number: ', left(" ~ member ~ ', 100))',
        )) -%}
    {%- endfor -%}
    {{- return(errors) -}}
{%- endmacro -%}
