{#-
    Time of day as text `HH:MM:SS[.fraction]` from milliseconds, microseconds or nanoseconds. Spark has no portable TIME type, and none
    that holds 24:00:00 (PostgreSQL) or a negative or longer time (MySQL).

    The fraction has the digits of the column's type where the catalog knows them (`digits`), else those of the unit. More digits than
    the type has now, of a time before it was narrowed, are kept.
-#}
{%- macro decode_time_of_day(column, encoding, number) -%}
    {%- set second = 10 ** encoding.unit -%}
    {%- set digits = [column.get('digits', encoding.unit) | int, encoding.unit] | min -%}
    {%- set magnitude = 'abs(' ~ number ~ ')' -%}
    {%- set hours = 'cast(' ~ magnitude ~ ' div ' ~ (second * 3600) ~ ' as string)' -%}
    {%- set parts = [
        'case when ' ~ number ~ " < 0 then '-' else '' end",
        'lpad(' ~ hours ~ ', greatest(2, length(' ~ hours ~ ")), '0')",
        "':'",
        'lpad(cast(' ~ magnitude ~ ' div ' ~ (second * 60) ~ " % 60 as string), 2, '0')",
        "':'",
        'lpad(cast(' ~ magnitude ~ ' div ' ~ second ~ " % 60 as string), 2, '0')",
    ] -%}
    {%- set fraction = 'lpad(cast(' ~ magnitude ~ ' % ' ~ second ~ ' as string), ' ~ encoding.unit ~ ", '0')" -%}
    {%- if digits == encoding.unit -%}
        {%- do parts.extend(["'.'", fraction]) -%}
    {%- else -%}
        {%- set beyond = magnitude ~ ' % ' ~ (10 ** (encoding.unit - digits)) ~ ' <> 0' -%}
        {%- set usual = "concat('.', substr(" ~ fraction ~ ', 1, ' ~ digits ~ '))' if digits > 0 else "''" -%}
        {%- do parts.append('case when ' ~ beyond ~ " then concat('.', rtrim('0', " ~ fraction ~ ')) else ' ~ usual ~ ' end') -%}
    {%- endif -%}
    {#- the one number without a magnitude -#}
    {{- return('case when ' ~ number ~ ' > -9223372036854775808L then concat(' ~ parts | join(', ') ~ ') end') -}}
{%- endmacro -%}
