{#-
    TIMESTAMP from text with an offset. PostgreSQL's infinities come as words; they become the instants that Debezium itself
    uses for infinities without a zone (spec §10.3), so that comparisons with them still hold.
-#}
{%- macro decode_zoned_timestamp(text) -%}
    {{- return(
        'case ' ~ text
        ~ " when 'infinity' then timestamp_micros(9223372036825200000)"
        ~ " when '-infinity' then timestamp_micros(-9223372036832400000)"
        ~ ' else try_cast(' ~ text ~ ' as timestamp) end'
    ) -}}
{%- endmacro -%}
