{#-
    Zoneless timestamp from milliseconds, microseconds or nanoseconds since 1970, read as if UTC (spec §10.1).

    Interval arithmetic keeps every microsecond of years far outside 1 to 9999 (PostgreSQL's BC dates and infinities), whatever the
    session's time zone. Milliseconds that no TIMESTAMP holds stay unread: the multiplication would stop the run. Nanoseconds are
    floored, so that -1 is …59.999999 of the day before; `div` alone would round towards zero.
-#}
{%- macro decode_epoch(encoding, number) -%}
    {%- set epoch = "timestamp_ntz'1970-01-01 00:00:00'" -%}
    {%- if encoding.unit == 3 -%}
        {{- return(
            'case when ' ~ number ~ ' between -9223372036854775 and 9223372036854775 then '
            ~ epoch ~ ' + ' ~ number ~ " * interval '0.001' second end"
        ) -}}
    {%- elif encoding.unit == 6 -%}
        {{- return(epoch ~ ' + ' ~ number ~ " * interval '0.000001' second") -}}
    {%- endif -%}
    {%- set floored = '{0} div 1000 - case when {0} % 1000 < 0 then 1 else 0 end' -%}
    {%- set moment = epoch ~ ' + (' ~ floored.replace('{0}', number) ~ ") * interval '0.000001' second" -%}
    {%- if encoding.get('wraps') -%}
        {%- set unwrapped = debezium_spark.let(
            'n', debezium_spark.unwrapped_nanoseconds(number), epoch ~ ' + (' ~ floored.replace('{0}', 'n') ~ ") * interval '0.000001' second"
        ) -%}
        {{- return('case when ' ~ number ~ ' % 100 = 0 then ' ~ moment ~ ' when ' ~ number ~ ' is not null then ' ~ unwrapped ~ ' end') -}}
    {%- elif encoding.get('infinite') -%}
        {#- the instants that Debezium sends for infinite timestamps in microseconds -#}
        {{- return(
            'case ' ~ number ~ ' when 9223372036854775807L then ' ~ epoch ~ " + 9223372036825200000L * interval '0.000001' second"
            ~ ' when -9223372036854775808L then ' ~ epoch ~ " - 9223372036832400000L * interval '0.000001' second"
            ~ ' else ' ~ moment ~ ' end'
        ) -}}
    {%- endif -%}
    {{- return(moment) -}}
{%- endmacro -%}


{#-
    SQL: nanoseconds since 1970 as DECIMAL, where the 64 bits of the record wrapped around (spec §11.4).

    For a source that counts in steps of 100 ns, as SQL Server does. 2^64 is 16 modulo 100, so the last two digits tell how often the
    number wrapped, up to 25 times; the years 1 to 9999 need 18. A number that no such count explains is left as it is.
-#}
{%- macro unwrapped_nanoseconds(number) -%}
    {#- 16 * k = -r modulo 100; with r = 4 * q: 4 * k = -q modulo 25, and 19 * 4 = 1 modulo 25 -#}
    {%- set count = 'pmod(-19 * (pmod(' ~ number ~ ', 100) div 4), 25)' -%}
    {%- set true_number = 'cast(cast(' ~ number ~ ' as decimal(20, 0)) + cast(k as decimal(4, 0)) * 18446744073709551616BD as decimal(38, 0))' -%}
    {%- set within = 't between -62135596800000000000BD and 253402300799999999900BD' -%}
    {{- return(debezium_spark.let(
        'k', 'case when pmod(' ~ number ~ ', 4) <> 0 then 0 when ' ~ count ~ ' <= 14 then ' ~ count ~ ' else ' ~ count ~ ' - 25 end',
        debezium_spark.let('t', true_number, 'case when ' ~ within ~ ' then t else cast(' ~ number ~ ' as decimal(38, 0)) end'),
    )) -}}
{%- endmacro -%}
