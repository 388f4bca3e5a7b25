{#-
    Zoneless timestamp from milliseconds, microseconds or nanoseconds since 1970, read as if UTC (spec §10.1).

    Interval arithmetic keeps every microsecond of years far outside 1 to 9999 (PostgreSQL's BC dates and infinities), whatever the
    session's time zone. Nanoseconds are floored, so that -1 is …59.999999 of the day before; `div` alone would round towards zero.
-#}
{%- macro decode_epoch(encoding, number) -%}
    {%- set epoch = "timestamp_ntz'1970-01-01 00:00:00'" -%}
    {%- if encoding.unit == 3 -%}
        {{- return(epoch ~ ' + ' ~ number ~ " * interval '0.001' second") -}}
    {%- elif encoding.unit == 6 -%}
        {{- return(epoch ~ ' + ' ~ number ~ " * interval '0.000001' second") -}}
    {%- endif -%}
    {%- set floored = number ~ ' div 1000 - case when ' ~ number ~ ' % 1000 < 0 then 1 else 0 end' -%}
    {{- return(epoch ~ ' + (' ~ floored ~ ") * interval '0.000001' second") -}}
{%- endmacro -%}
