{#-
    DATE from days since 1970. Outside the years 1 to 9999 the value stays unread: PostgreSQL's infinite dates arrive as overflowed
    day numbers of either sign (spec §10.3, §16), which are no dates.
-#}
{%- macro decode_days(days) -%}
    {{- return(
        'case when ' ~ days ~ " between -719162 and 2932896 then date_add(date'1970-01-01', " ~ days ~ ') end'
    ) -}}
{%- endmacro -%}
