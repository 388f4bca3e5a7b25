{#-
    DATE from days since 1970, of every year a source has: PostgreSQL counts from 4714 BC (day -2440588) to 5874897 (2145042905).
    Outside lie its infinite dates, day numbers that overflowed (spec §10.3, §16): of either sign, so nothing can be told from them
    but that they are infinite. They stay unread; for PostgreSQL the companion column keeps the number.
-#}
{%- macro decode_days(days) -%}
    {{- return(
        'case when ' ~ days ~ " between -2440600 and 2145042905 then date_add(date'1970-01-01', " ~ days ~ ') end'
    ) -}}
{%- endmacro -%}
