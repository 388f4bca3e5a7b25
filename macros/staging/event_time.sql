{#- SQL: a time of the envelope (`event_time()`) or of its source block, in microseconds where the connector gives them (2.6 and later). -#}
{%- macro event_time(block=none) -%}
    {%- set prefix = block ~ '.' if block else '' -%}
    {{- return(
        'coalesce(timestamp_micros(try_cast(' ~ prefix ~ 'ts_us as bigint)), timestamp_millis(try_cast(' ~ prefix ~ 'ts_ms as bigint)))'
    ) -}}
{%- endmacro -%}
